/** Repository → Settings: status, name and URL, credential, visibility, push URL, removal. */
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
import { RepositoryFacts } from '../../parts/repositories/repository-rows.tsx';
import {
  isUnderWay,
  Progress,
  type Repository,
  RepositoryProblem,
  StateBadge,
} from '../../parts/repositories/repository-state.tsx';
import { type Visibility, VisibilityField } from '../../parts/repositories/visibility-field.tsx';
import { RepositoryFrame } from '../../parts/repository/repository-frame.tsx';
import { CredentialSection } from './credential-section.tsx';
import { PushUrlSection } from './push-url-section.tsx';
import { ReviewersSection } from './reviewers-section.tsx';
import { useChangeRepository } from './use-change-repository.ts';

export function RepositorySettingsPage() {
  const { repositoryId } = useParams({ from: '/signed-in/admins/repositories/$repositoryId/settings' });
  return (
    <RepositoryFrame repositoryId={repositoryId} title="Settings">
      {(repository) => (
        <div key={repositoryId} className="lg:mt-8">
          <StateSection repository={repository} />
          <OriginSection repository={repository} />
          <CredentialSection repository={repository} />
          <VisibilitySection repository={repository} />
          <ReviewersSection repositoryId={repositoryId} />
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
    <Section isBeside title="Status" lead="The service checks for changes every few minutes.">
      <Card className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div className="grid gap-1.5">
            <div>
              <StateBadge repository={repository} />
            </div>
            <RepositoryFacts repository={repository} />
          </div>
          <Button className="ml-auto" busy={busy} onClick={() => refresh.mutate()}>
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
      isMoved ? 'Saved. The repository is now fetched from the new URL.' : 'Saved',
    );
  });
  return (
    <Section isBeside title="Name and URL">
      <Card>
        <Form form={form} action="Save">
          <TextField
            label="Name"
            hint="Existing links keep working. Agents have to use the new name."
            autoComplete="off"
            spellCheck={false}
            {...form.field('name')}
          />
          <TextField
            label="URL"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            hint="An https://, ssh:// or git:// URL, or git@host:acme/web-shop.git, without credentials."
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
      'Visibility saved',
    ),
  );
  return (
    <Section isBeside title="Visibility">
      <Card>
        <Form form={form} action="Save visibility">
          <VisibilityField isTitled value={seenBy} onChange={setSeenBy} />
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
      toast(`${name} removed`);
      await navigate({ to: '/repositories' });
      client.removeQueries({ queryKey: ['get-repository', { repositoryId: id }] });
      await client.invalidateQueries({ queryKey: ['list-repositories'] });
    },
  });
  return (
    <Section isBeside title="Remove repository">
      <Card className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-64 text-sm text-quiet">
          Deletes the service’s copy and its search index. The remote repository isn’t affected.
        </p>
        <Button look="danger" className="ml-auto" onClick={() => setAsked(true)}>
          Remove repository
        </Button>
      </Card>
      <ConfirmDialog
        open={asked}
        title={`Remove ${name}?`}
        description="It can no longer be read or searched here, and links to its files stop working. Plans keep its name. You can add it again later as a new repository."
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
