/** The form that creates or changes a team. Only differences are sent, so that two admins at once keep both their changes. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { ErrorState, LoadingRows } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import { type Chosen, ReviewerChoices } from '../../parts/reviewers/reviewer-choices.tsx';
import { HostTeamState } from './host-team-state.tsx';

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
  const hosts = useQuery(operationQuery('list-code-hosts', {})).data?.codeHosts ?? [];
  // A second attempt goes on with the team that the first one made.
  const made = useRef<string>(undefined);
  const form = useForm(
    {
      name: team?.name ?? '',
      source: team?.codeHost ? 'host' : team?.group ? 'group' : 'here',
      group: team?.group ?? '',
      codeHostId: team?.codeHost?.id ?? '',
      team: team?.codeHost?.team ?? '',
    },
    async ({ codeHostId, group, name, source, team: path }) => {
      if (source === 'host') {
        const teamId = team?.id ?? made.current ?? (await call('create-team', { name })).id;
        made.current = teamId;
        await call('change-team', { teamId, name });
        await call('follow-team-of-host', {
          teamId,
          codeHostId: codeHostId || hosts[0]!.id,
          team: path.trim(),
        });
        toast(`${name} saved. Its members are being read.`);
        return onDone();
      }
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
        {hosts.length > 0 && <option value="host">A team or group of a code host</option>}
      </SelectField>
      {form.values.source === 'host' && (
        <>
          <SelectField label="Code host" {...form.field('codeHostId')}>
            {hosts.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Team there"
            hint="Such as acme/platform; on GitLab the path of a group. Members join the team here if their account is linked."
            autoComplete="off"
            spellCheck={false}
            {...form.field('team')}
          />
          {team?.codeHost && <HostTeamState codeHost={team.codeHost} />}
        </>
      )}
      {form.values.source === 'group' && (
        <TextField
          label="Group"
          hint="As your provider names it. People join and leave the team when they sign in, or are checked."
          autoComplete="off"
          spellCheck={false}
          {...form.field('group')}
        />
      )}
      {form.values.source === 'here' && (
        <ReviewerChoices chosen={chosen} exceptIds={[]} onChange={setChosen} />
      )}
    </Form>
  );
}
