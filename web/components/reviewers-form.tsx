/** A form that requests reviews from people of the organization. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery, useSession } from '../api/queries.ts';
import { Avatar } from './avatar.tsx';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { ProblemNotice } from './form.tsx';
import { CutShort, ErrorState, LoadingRows } from './page.tsx';

export type Member = CallOutput<'list-members'>['members'][number];

interface ReviewersFormProps {
  /** Said beside a person, such as an earlier verdict. */
  stateOf(member: Member): string | undefined;
  request(userIds: string[]): Promise<void>;
  onClose(): void;
}

export function ReviewersForm({ onClose, request, stateOf }: ReviewersFormProps) {
  const { user } = useSession();
  const { data, error, refetch } = useQuery({
    ...operationQuery('list-members', { limit: 200 }),
    staleTime: 60_000,
  });
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [state, setState] = useState<{ busy: boolean; problem?: Error }>({ busy: false });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={2} />;

  const people = data.members.filter(
    ({ deactivatedAt, role, userId }) => deactivatedAt === null && role !== 'viewer' && userId !== user.id,
  );
  const words = search.trim().toLowerCase();
  const shown = people.filter(({ email, name }) => `${name}\n${email}`.toLowerCase().includes(words));
  const send = async () => {
    setState({ busy: true });
    try {
      await request([...chosen]);
      onClose();
    } catch (problem) {
      setState({ busy: false, problem: problem as Error });
    }
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen.length > 0) void send();
      }}
    >
      <TextField
        label="Find people"
        type="search"
        autoFocus
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <fieldset className="max-h-64 overflow-y-auto rounded-lg border border-line">
        <legend className="sr-only">People</legend>
        {shown.length === 0 && (
          <p className="p-4 text-center text-sm text-quiet">
            {people.length === 0 ? 'No one else can review yet.' : 'No matching people.'}
          </p>
        )}
        {shown.map((member) => (
          <PersonRow
            key={member.userId}
            member={member}
            state={stateOf(member)}
            isChosen={chosen.includes(member.userId)}
            onChoose={(isChosen) =>
              setChosen(
                isChosen ? [...chosen, member.userId] : chosen.filter((userId) => userId !== member.userId),
              )
            }
          />
        ))}
      </fieldset>
      <CutShort nextCursor={data.nextCursor} shown={data.members.length} />
      {state.problem && <ProblemNotice problem={state.problem} />}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" disabled={chosen.length === 0} busy={state.busy}>
          {chosen.length > 1 ? `Request ${chosen.length} reviews` : 'Request review'}
        </Button>
      </div>
    </form>
  );
}

function PersonRow(props: {
  member: Member;
  state: string | undefined;
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
}) {
  const { isChosen, member, onChoose, state } = props;
  return (
    <label className="flex cursor-pointer items-center gap-3 px-3 py-2 text-sm hover:bg-sunken has-focus-visible:bg-sunken">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChoose(event.target.checked)}
        className="size-4 accent-accent"
      />
      <Avatar person={{ id: member.userId, name: member.name }} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{member.name}</span>
        <span className="block truncate text-xs text-quiet">{member.email}</span>
      </span>
      {state && <span className="shrink-0 text-xs text-quiet">{state}</span>}
    </label>
  );
}
