/** The form that creates or changes a team. Only differences are sent, so that two admins at once keep both their changes. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { ErrorState, LoadingRows } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import { type Chosen, ReviewerChoices } from '../../parts/reviewers/reviewer-choices.tsx';

type Team = CallOutput<'get-team'>;

export function EditTeam({ onDone, teamId }: { teamId: string; onDone(): void }) {
  const { data, error, refetch } = useQuery({ ...operationQuery('get-team', { teamId }), staleTime: 0 });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={2} />;
  return <TeamForm team={data} onDone={onDone} />;
}

export function TeamForm({ onDone, team }: { team?: Team; onDone(): void }) {
  const toast = useToast();
  const [before] = useState(() => (team?.people ?? []).filter(({ active }) => active));
  const [chosen, setChosen] = useState<Chosen>({
    people: before.map(({ id, name }) => ({ userId: id, name })),
    teams: [],
  });
  const form = useForm(
    { name: team?.name ?? '', source: team?.group ? 'group' : 'here', group: team?.group ?? '' },
    async ({ group, name, source }) => {
      const userIds = source === 'here' ? chosen.people.map(({ userId }) => userId) : [];
      if (team === undefined) {
        await call('create-team', { name, ...(source === 'group' ? { group } : { userIds }) });
        toast(`${name} created`);
      } else {
        const { id: teamId } = team;
        await call('change-team', { teamId, name, group: source === 'group' ? group : '' });
        const knownIds = before.map(({ id }) => id);
        const add = userIds.filter((id) => !knownIds.includes(id));
        const remove = knownIds.filter((id) => !userIds.includes(id));
        if (source === 'here' && add.length + remove.length > 0)
          await call('change-team-members', { teamId, add, remove });
        toast(`${name} saved`);
      }
      onDone();
    },
  );
  return (
    <Form form={form} action={team ? 'Save team' : 'Create team'}>
      <TextField
        label="Name"
        hint="People mention it as @name."
        autoComplete="off"
        spellCheck={false}
        autoFocus
        {...form.field('name')}
      />
      <SelectField label="Members" {...form.field('source')}>
        <option value="here">Chosen here</option>
        <option value="group">A group of single sign-on</option>
      </SelectField>
      {form.values.source === 'group' ? (
        <TextField
          label="Group"
          hint="As your provider names it. People join and leave the team when they sign in, or are checked."
          autoComplete="off"
          spellCheck={false}
          {...form.field('group')}
        />
      ) : (
        <ReviewerChoices chosen={chosen} exceptIds={[]} onChange={setChosen} />
      )}
    </Form>
  );
}
