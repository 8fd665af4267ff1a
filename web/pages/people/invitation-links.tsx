/** Links for domains: creating one, how often each was used, and revoking them. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { useOperationPages, useOptimistic } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { SecretText, SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { EmptyState, ErrorState, LoadingRows, ShowMore } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';

type Link = CallOutput<'list-invitation-links'>['invitationLinks'][number];

export function InvitationLinks() {
  const toast = useToast();
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<Link>();
  const list = useOperationPages('list-invitation-links', {});
  const links = list.data?.pages.flatMap((page) => page.invitationLinks);
  const canCreate = list.data?.pages[0]?.canCreate ?? false;
  const revoke = useOptimistic({
    operation: 'revoke-invitation-link',
    list: 'list-invitation-links',
    expect: (before, { linkId }) => ({
      ...before,
      invitationLinks: before.invitationLinks.map((each) =>
        each.id === linkId ? { ...each, revokedAt: new Date().toISOString() } : each,
      ),
    }),
  });
  if (list.error && !links) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (!links) return <LoadingRows />;
  return (
    <>
      {links.length === 0 ? (
        <EmptyState title="No links for a domain">
          Whoever opens such a link enters their address at the domain, and is mailed an invitation.
          {!canCreate && ' This needs a mail server: the operator sets SMTP_URL.'}
        </EmptyState>
      ) : (
        <Table
          label="Links for a domain"
          columns={columns(setRevoking)}
          rows={links}
          keyOf={({ id }) => id}
        />
      )}
      <ShowMore pages={list} />
      {canCreate && (
        <div>
          <Button onClick={() => setIsCreating(true)}>Create link for a domain</Button>
        </div>
      )}
      <CreateDialog open={isCreating} onClose={() => setIsCreating(false)} />
      <ConfirmDialog
        open={revoking !== undefined}
        title={`Revoke the link for ${revoking?.domain ?? ''}?`}
        description="The link and the pending invitations sent through it stop working immediately. People who joined stay."
        action="Revoke"
        busy={revoke.isPending}
        problem={revoke.error}
        onClose={() => {
          revoke.reset();
          setRevoking(undefined);
        }}
        onConfirm={() =>
          revoke.mutate(
            { linkId: revoking!.id },
            {
              onSuccess: () => {
                toast(`Link for ${revoking!.domain} revoked`);
                setRevoking(undefined);
              },
            },
          )
        }
      />
    </>
  );
}

function isOpen({ expiresAt, revokedAt }: Link): boolean {
  return revokedAt === null && new Date(expiresAt) > new Date();
}

function columns(revoke: (link: Link) => void): Column<Link>[] {
  return [
    {
      name: 'Domain',
      wide: true,
      cell: (link) => (
        <div className="min-w-0">
          <div className="font-medium wrap-anywhere">{link.domain}</div>
          <div className="text-xs text-quiet">
            {link.role}, created by {link.createdBy.name}
          </div>
        </div>
      ),
    },
    { name: 'Joined', cell: ({ joined, maxUses, uses }) => `${joined} (${uses} of ${maxUses} invited)` },
    { name: 'Ends', cell: (link) => <Time at={link.expiresAt} /> },
    {
      name: 'Status',
      cell: (link) => {
        if (link.revokedAt) return <Badge>Revoked</Badge>;
        if (!isOpen(link)) return <Badge>Expired</Badge>;
        return link.uses >= link.maxUses ? <Badge>Used up</Badge> : <Badge kind="accent">Active</Badge>;
      },
    },
    {
      name: 'Actions',
      hidden: true,
      cell: (link) =>
        isOpen(link) && (
          <Button
            look="danger"
            size="small"
            aria-label={`Revoke the link for ${link.domain}`}
            onClick={() => revoke(link)}
          >
            Revoke
          </Button>
        ),
    },
  ];
}

function CreateDialog({ onClose, open }: { open: boolean; onClose(): void }) {
  const [made, setMade] = useState<CallOutput<'create-invitation-link'>>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      title={made ? 'Share this link' : 'Create link for a domain'}
      description={
        made
          ? `For people with an address at ${made.invitationLink.domain}. Shown only once.`
          : 'People enter their address at the domain and get an invitation by mail, so nobody can join with an address that isn’t theirs.'
      }
      onClose={close}
    >
      {made ? (
        <div className="grid gap-4">
          <div className="flex items-center gap-2">
            <SecretText label="Link for the domain" text={made.link} />
            <CopyButton text={made.link} name="Copy link" />
          </div>
          <div className="flex justify-end">
            <Button look="primary" onClick={close}>
              Done
            </Button>
          </div>
        </div>
      ) : (
        <CreateForm onMade={setMade} />
      )}
    </Dialog>
  );
}

function CreateForm({ onMade }: { onMade(made: CallOutput<'create-invitation-link'>): void }) {
  const client = useQueryClient();
  const form = useForm({ domain: '', role: 'member', days: '7', maxUses: '100' }, async (values) => {
    onMade(
      await call('create-invitation-link', {
        domain: values.domain.trim(),
        role: values.role as Link['role'],
        days: Number(values.days),
        maxUses: Number(values.maxUses),
      }),
    );
    void client.invalidateQueries({ queryKey: ['list-invitation-links'] });
  });
  return (
    <Form form={form} action="Create link">
      <TextField
        label="Domain"
        placeholder="example.com"
        autoComplete="off"
        autoFocus
        {...form.field('domain')}
      />
      <SelectField label="Role" {...form.field('role')}>
        <option value="viewer">viewer: can read everything</option>
        <option value="member">member: can also post plans and comments</option>
      </SelectField>
      <SelectField label="Works for" {...form.field('days')}>
        {['1', '7', '30', '90'].map((days) => (
          <option key={days} value={days}>
            {days === '1' ? '1 day' : `${days} days`}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Invites at most"
        hint="Number of addresses, up to 1,000."
        type="number"
        min={1}
        max={1000}
        {...form.field('maxUses')}
      />
    </Form>
  );
}
