/** Repository → Settings: how it stands, what it is called, where it comes from, who sees it, and its end. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { Card, Section } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import { RepositoryFacts } from '../repositories/repository-rows.tsx';
import {
  isUnderWay,
  Progress,
  type Repository,
  RepositoryProblem,
  StateBadge,
} from '../repositories/repository-state.tsx';
import { type Visibility, VisibilityField } from '../repositories/visibility-field.tsx';
import { CredentialSection } from './credential-section.tsx';
import { PushUrlSection } from './push-url-section.tsx';
import { RepositoryFrame } from './repository-frame.tsx';
import { useChangeRepository } from './use-change-repository.ts';

export function RepositorySettingsPage() {
  const { repositoryId } = useParams({ from: '/signed-in/admins/repositories/$repositoryId/settings' });
  return (
    <RepositoryFrame repositoryId={repositoryId} title="Settings">
      {(repository) => (
        <div key={repositoryId} className="max-w-2xl">
          <StateSection repository={repository} />
          <OriginSection repository={repository} />
          <CredentialSection repository={repository} />
          <VisibilitySection repository={repository} />
          <PushUrlSection repositoryId={repositoryId} />
          <RemoveSection repository={repository} />
        </div>
      )}
    </RepositoryFrame>
  );
}

function StateSection({ repository }: { repository: Repository }) {
  const client = useQueryClient();
  const toast = useToast();
  const refresh = useMutation({
    mutationFn: () => call('refresh-repository', { repositoryId: repository.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['get-repository'] }),
    onError: (problem) => toast(problem.message, 'danger'),
  });
  const busy = refresh.isPending || isUnderWay(repository);
  return (
    <Section title="State" lead="The service looks for changes by itself every few minutes.">
      <Card className="grid gap-3">
        <div className="flex items-start justify-between gap-4">
          <div className="grid gap-1.5">
            <div>
              <StateBadge repository={repository} />
            </div>
            <RepositoryFacts repository={repository} />
          </div>
          <Button busy={busy} onClick={() => refresh.mutate()}>
            Refresh now
          </Button>
        </div>
        <Progress repository={repository} />
        <RepositoryProblem repository={repository} />
      </Card>
    </Section>
  );
}

function OriginSection({ repository }: { repository: Repository }) {
  const change = useChangeRepository(repository.id);
  const form = useForm({ name: repository.name, url: repository.url ?? '' }, async ({ name, url }) => {
    const isMoved = url.trim() !== (repository.url ?? '');
    await change(
      { name: name.trim(), ...(isMoved && { url: url.trim() }) },
      isMoved ? 'Saved. It is fetched from the new URL from now on.' : 'Saved.',
    );
  });
  return (
    <Section title="Name and origin">
      <Card>
        <Form form={form} action="Save">
          <TextField
            label="Name"
            hint="Links to its files stay as they are. Agents that know the old name have to be told."
            autoComplete="off"
            spellCheck={false}
            {...form.field('name')}
          />
          <TextField
            label="URL"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            hint="Where it is fetched from. No password in it."
            {...form.field('url')}
          />
        </Form>
      </Card>
    </Section>
  );
}

function VisibilitySection({ repository }: { repository: Repository }) {
  const change = useChangeRepository(repository.id);
  const [seenBy, setSeenBy] = useState<Visibility>({
    visibility: repository.visibility,
    memberIds: repository.members.map(({ id }) => id),
  });
  const form = useForm({}, () =>
    change(
      {
        visibility: seenBy.visibility,
        memberIds: seenBy.visibility === 'members' ? seenBy.memberIds : [],
      },
      'Saved. It holds from the next request on.',
    ),
  );
  return (
    <Section title="Visibility">
      <Card>
        <Form form={form} action="Save visibility">
          <VisibilityField value={seenBy} onChange={setSeenBy} />
        </Form>
      </Card>
    </Section>
  );
}

function RemoveSection({ repository: { id, name } }: { repository: Repository }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [asked, setAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () => call('remove-repository', { repositoryId: id }),
    async onSuccess() {
      toast(`${name} is removed.`);
      await navigate({ to: '/repositories' });
      client.removeQueries({ queryKey: ['get-repository', { repositoryId: id }] });
      await client.invalidateQueries({ queryKey: ['list-repositories'] });
    },
  });
  return (
    <Section title="Remove">
      <Card className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-64 text-sm text-quiet">
          Removes the service’s copy and its index. The repository itself stays where it is.
        </p>
        <Button look="danger" onClick={() => setAsked(true)}>
          Remove repository
        </Button>
      </Card>
      <ConfirmDialog
        open={asked}
        title={`Remove ${name}?`}
        description="Nobody can read or search it here any more, and links to its files lead nowhere. Plans keep its name. It can be added again later, as a new repository."
        action="Remove repository"
        busy={remove.isPending}
        problem={remove.error}
        onClose={() => {
          remove.reset();
          setAsked(false);
        }}
        onConfirm={() => remove.mutate()}
      />
    </Section>
  );
}
