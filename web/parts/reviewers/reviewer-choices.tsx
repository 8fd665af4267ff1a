/** Chooses people and teams of the organization, for reviews. */
import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Avatar } from '../../components/avatar.tsx';
import { TextField } from '../../components/field.tsx';
import { CutShort, ErrorState, LoadingRows } from '../../components/page.tsx';

type Member = CallOutput<'list-members'>['members'][number];
export type TeamSummary = CallOutput<'list-teams'>['teams'][number];

export interface Chosen {
  people: readonly (Pick<Member, 'userId' | 'name'> & { email?: string })[];
  teams: readonly Pick<TeamSummary, 'id' | 'name'>[];
}

export const NOBODY_CHOSEN: Chosen = { people: [], teams: [] };

interface ReviewerChoicesProps {
  chosen: Chosen;
  /** Teams are offered too. */
  withTeams?: boolean;
  /** Never offered: whoever asks, or the author. */
  exceptIds: readonly (string | null)[];
  autoFocus?: boolean;
  /** Said beside a person or team, such as an earlier verdict. */
  stateOf?(id: string): string | undefined;
  onChange(chosen: Chosen): void;
}

export function ReviewerChoices(props: ReviewerChoicesProps) {
  const { autoFocus, chosen, exceptIds, onChange, stateOf, withTeams = false } = props;
  const { data, error, refetch } = useQuery({
    ...operationQuery('list-members', { limit: 200 }),
    staleTime: 60_000,
  });
  const { data: teamList } = useQuery({
    ...operationQuery('list-teams', {}),
    staleTime: 60_000,
    enabled: withTeams,
  });
  const [search, setSearch] = useState('');
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={2} />;

  const people = data.members.filter(
    ({ deactivatedAt, role, userId }) =>
      deactivatedAt === null && role !== 'viewer' && !exceptIds.includes(userId),
  );
  const words = search.trim().toLowerCase();
  const shown = people.filter(({ email, name }) => `${name}\n${email}`.toLowerCase().includes(words));
  const teams = (teamList?.teams ?? []).filter(
    ({ members, name }) => members > 0 && name.toLowerCase().includes(words),
  );
  return (
    <>
      <TextField
        label={withTeams ? 'Find people and teams' : 'Find people'}
        type="search"
        autoFocus={autoFocus}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <fieldset className="max-h-64 min-w-0 overflow-y-auto rounded-lg border border-line">
        <legend className="sr-only">{withTeams ? 'People and teams' : 'People'}</legend>
        {shown.length + teams.length === 0 && (
          <p className="p-4 text-center text-sm text-quiet">
            {people.length === 0 ? 'No one else can review yet.' : 'No matching people.'}
          </p>
        )}
        {teams.map((team) => (
          <ChoiceRow
            key={team.id}
            icon={<UsersRound className="size-5 shrink-0 text-quiet" aria-hidden="true" />}
            name={team.name}
            detail={team.members === 1 ? 'Team, 1 member' : `Team, ${team.members} members`}
            state={stateOf?.(team.id)}
            isChosen={chosen.teams.some(({ id }) => id === team.id)}
            onChoose={(isChosen) => {
              const others = chosen.teams.filter(({ id }) => id !== team.id);
              onChange({ ...chosen, teams: isChosen ? [...others, team] : others });
            }}
          />
        ))}
        {shown.map((member) => (
          <ChoiceRow
            key={member.userId}
            icon={<Avatar person={{ id: member.userId, name: member.name }} />}
            name={member.name}
            detail={member.email}
            state={stateOf?.(member.userId)}
            isChosen={chosen.people.some(({ userId }) => userId === member.userId)}
            onChoose={(isChosen) => {
              const others = chosen.people.filter(({ userId }) => userId !== member.userId);
              onChange({ ...chosen, people: isChosen ? [...others, member] : others });
            }}
          />
        ))}
      </fieldset>
      <CutShort nextCursor={data.nextCursor} shown={data.members.length} />
    </>
  );
}

function ChoiceRow(props: {
  icon: ReactNode;
  name: string;
  detail: string;
  state: string | undefined;
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
}) {
  const { detail, icon, isChosen, name, onChoose, state } = props;
  return (
    <label className="flex cursor-pointer items-center gap-3 px-3 py-2 text-sm hover:bg-sunken has-focus-visible:bg-sunken">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChoose(event.target.checked)}
        className="size-4 accent-accent"
      />
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-quiet">{detail}</span>
      </span>
      {state && <span className="shrink-0 text-xs text-quiet">{state}</span>}
    </label>
  );
}
