/** Settings → API keys: create, see the secret once, list, revoke. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../api/client.ts';
import { useOperationPages, useOptimistic } from '../api/queries.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { CommandLine, CopyButton } from '../components/copy.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { SecretText, TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { EmptyState, ErrorState, LoadingRows, Page, ShowMore } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { PostPlanCommand } from '../parts/plans/post-a-plan.tsx';

type Key = CallOutput<'list-api-keys'>['keys'][number];
type CreatedKey = CallOutput<'create-api-key'>;

export function ApiKeysPage() {
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Key>();
  const list = useOperationPages('list-api-keys', {});
  const keys = list.data?.pages.flatMap((page) => page.keys);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      Create API key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead="A key acts on your behalf with your current role. Its secret is shown only once."
      actions={keys?.length === 0 ? undefined : create}
    >
      {list.error && !keys && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {!keys && !list.error && <LoadingRows />}
      {keys?.length === 0 && (
        <EmptyState title="No API keys yet" action={create}>
          Scripts, CI pipelines and agents use a key instead of your password.
        </EmptyState>
      )}
      {keys && keys.length > 0 && (
        <Table label="API keys" columns={columns(setRevoking)} rows={keys} keyOf={(key) => key.id} />
      )}
      <ShowMore pages={list} />
      <CreateKey open={creating} onClose={() => setCreating(false)} />
      <RevokeKey revoking={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  );
}

function columns(revoke: (key: Key) => void): Column<Key>[] {
  return [
    {
      name: 'Name',
      wide: true,
      cell: (key) => (
        <div className="min-w-0">
          <div className={`wrap-anywhere font-medium ${key.revokedAt ? 'text-quiet line-through' : ''}`}>
            {key.name}
          </div>
          <code className="font-mono text-xs text-quiet">
            {key.prefix}…{key.lastFour}
          </code>
        </div>
      ),
    },
    { name: 'Created', cell: (key) => <Time at={key.createdAt} /> },
    {
      name: 'Last used',
      cell: (key) =>
        key.lastUsedAt ? <Time at={key.lastUsedAt} /> : <span className="text-quiet">Never</span>,
    },
    {
      name: 'Actions',
      hidden: true,
      cell: (key) =>
        key.revokedAt ? (
          <Badge>Revoked</Badge>
        ) : (
          <Button look="danger" size="small" aria-label={`Revoke ${key.name}`} onClick={() => revoke(key)}>
            Revoke
          </Button>
        ),
    },
  ];
}

/** Closing the dialog discards the secret: only this component holds it. */
function CreateKey({ open, onClose }: { open: boolean; onClose(): void }) {
  const [created, setCreated] = useState<CreatedKey>();
  const close = () => {
    setCreated(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      title={created ? 'Copy your API key' : 'Create API key'}
      description={
        created ? `${created.key.name} is active. Copy it now: you won’t be able to see it again.` : undefined
      }
      onClose={close}
      persistent={created !== undefined}
    >
      {created ? <SecretOnce created={created} onClose={close} /> : <NameForm onCreated={setCreated} />}
    </Dialog>
  );
}

function NameForm({ onCreated }: { onCreated(created: CreatedKey): void }) {
  const client = useQueryClient();
  const form = useForm({ name: '' }, async ({ name }) => {
    const created = await call('create-api-key', { name });
    onCreated(created);
    void client.invalidateQueries({ queryKey: ['list-api-keys'] });
  });
  return (
    <Form form={form} action="Create API key">
      <TextField
        label="Name"
        placeholder="CI pipeline"
        hint="A label to recognize this key."
        autoFocus
        {...form.field('name')}
      />
    </Form>
  );
}

function SecretOnce({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const { secret } = created;
  const { origin } = location;
  return (
    <div className="grid gap-4">
      <Notice kind="warn">Treat it like a password. If you lose it, revoke it and create another.</Notice>
      <div className="flex items-center gap-2">
        <SecretText label="API key" text={secret} />
        <CopyButton text={secret} name="Copy API key" />
      </div>
      <PostPlanCommand label="Try it with curl" apiKey={secret} />
      <CommandLine
        label="Connect Claude Code"
        text={`claude mcp add --scope user --transport http countersign ${origin}/mcp --header "x-api-key: ${secret}"`}
      />
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

function RevokeKey({ revoking, onClose }: { revoking: Key | undefined; onClose(): void }) {
  const toast = useToast();
  const revoke = useOptimistic({
    operation: 'revoke-api-key',
    list: 'list-api-keys',
    expect: (before, { keyId }) => ({
      ...before,
      keys: before.keys.map((key) =>
        key.id === keyId ? { ...key, revokedAt: new Date().toISOString() } : key,
      ),
    }),
  });
  return (
    <ConfirmDialog
      open={revoking !== undefined}
      title={`Revoke “${revoking?.name ?? ''}”?`}
      description="Requests with this key fail immediately. This can't be undone."
      action="Revoke"
      busy={revoke.isPending}
      problem={revoke.error}
      onClose={() => {
        revoke.reset();
        onClose();
      }}
      onConfirm={() =>
        revoke.mutate(
          { keyId: revoking!.id },
          {
            onSuccess: () => {
              toast(`API key “${revoking!.name}” revoked`);
              onClose();
            },
          },
        )
      }
    />
  );
}
