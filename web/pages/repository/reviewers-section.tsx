/** Whom a repository asks for reviews of its pull requests: code owners, and people and teams that are always asked. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Form, useForm } from '../../components/form.tsx';
import { Card, ErrorState, LoadingRows, Section } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import { Choice } from '../../parts/fields/choice.tsx';
import { type Chosen, ReviewerChoices } from '../../parts/reviewers/reviewer-choices.tsx';

type Settings = CallOutput<'get-review-settings'>;

export function ReviewersSection({ repositoryId }: { repositoryId: string }) {
  const { data, error, refetch } = useQuery(operationQuery('get-review-settings', { repositoryId }));
  return (
    <Section
      isBeside
      title="Reviewers"
      lead="Asked when a pull request is opened or becomes ready. Drafts ask nobody, and authors are never asked."
    >
      <Card>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingRows rows={2} />}
        {data && <ReviewersForm repositoryId={repositoryId} settings={data} />}
      </Card>
    </Section>
  );
}

function ReviewersForm({ repositoryId, settings }: { repositoryId: string; settings: Settings }) {
  const client = useQueryClient();
  const toast = useToast();
  const [asksOwners, setAsksOwners] = useState(settings.askOwners);
  const [chosen, setChosen] = useState<Chosen>({
    people: settings.reviewers.map(({ id, name }) => ({ userId: id, name })),
    teams: settings.teams,
  });
  const form = useForm({}, async () => {
    const saved = await call('change-review-settings', {
      repositoryId,
      askOwners: asksOwners,
      reviewerIds: chosen.people.map(({ userId }) => userId),
      teamIds: chosen.teams.map(({ id }) => id),
    });
    client.setQueryData(operationQuery('get-review-settings', { repositoryId }).queryKey, saved);
    toast('Reviewers saved');
  });
  const names = [...chosen.teams, ...chosen.people].map(({ name }) => name);
  return (
    <Form form={form} action="Save reviewers">
      <Choice type="checkbox" name="askOwners" checked={asksOwners} onChange={setAsksOwners}>
        Ask the code owners of what changed (CODEOWNERS)
      </Choice>
      <p className="text-sm text-quiet wrap-anywhere">
        {names.length === 0 ? 'Nobody else is always asked.' : `Always asked: ${names.join(', ')}`}
      </p>
      <ReviewerChoices chosen={chosen} withTeams exceptIds={[]} onChange={setChosen} />
    </Form>
  );
}
