/** Who can see a repository: the whole organization, or admins and selected people. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../api/queries.ts';
import { TextField } from '../../components/field.tsx';
import { CutShort } from '../../components/page.tsx';
import { Choice } from '../fields/choice.tsx';
import { formatCount } from '../fields/format-amounts.ts';
import type { Repository } from './repository-state.tsx';

export interface Visibility {
  visibility: Repository['visibility'];
  memberIds: string[];
}

/** With more people than this, a field filters them. */
const MANY_PEOPLE = 8;

export function VisibilityField({
  value,
  isTitled = false,
  onChange,
}: {
  value: Visibility;
  /** A heading above it says the same as its legend. */
  isTitled?: boolean;
  onChange(value: Visibility): void;
}) {
  const { visibility, memberIds } = value;
  return (
    <fieldset className="grid gap-1.5">
      <legend className={isTitled ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>Visibility</legend>
      <Choice
        type="radio"
        name="visibility"
        checked={visibility === 'organization'}
        onChange={() => onChange({ visibility: 'organization', memberIds })}
      >
        Everyone in the organization
      </Choice>
      <Choice
        type="radio"
        name="visibility"
        checked={visibility === 'members'}
        onChange={() => onChange({ visibility: 'members', memberIds })}
      >
        Only admins, owners and selected people
      </Choice>
      {visibility === 'members' && (
        <People chosen={memberIds} onChange={(ids) => onChange({ visibility, memberIds: ids })} />
      )}
    </fieldset>
  );
}

function People({ chosen, onChange }: { chosen: string[]; onChange(ids: string[]): void }) {
  const { data } = useQuery({ ...operationQuery('list-members', { limit: 200 }), staleTime: 60_000 });
  const [typed, setTyped] = useState('');
  // Admins and owners always see it.
  const people = data?.members.filter(
    ({ deactivatedAt, role }) => !deactivatedAt && (role === 'member' || role === 'viewer'),
  );
  const wanted = typed.trim().toLowerCase();
  const shown = people?.filter(({ email, name }) => `${name} ${email}`.toLowerCase().includes(wanted)) ?? [];
  return (
    <div className="ml-6 grid gap-2">
      {people?.length === 0 && (
        <p className="text-[0.8125rem] text-quiet">There are no members or viewers to select.</p>
      )}
      {people && people.length > MANY_PEOPLE && (
        <TextField
          label="Filter people"
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <fieldset className="grid max-h-48 gap-1 overflow-y-auto p-1" aria-label="People">
        {shown.map(({ email, name, userId }) => (
          <Choice
            key={userId}
            type="checkbox"
            name={userId}
            checked={chosen.includes(userId)}
            onChange={(on) => onChange(on ? [...chosen, userId] : chosen.filter((id) => id !== userId))}
          >
            {name} <span className="text-[0.8125rem] text-quiet">{email}</span>
          </Choice>
        ))}
      </fieldset>
      {data && <CutShort nextCursor={data.nextCursor} shown={data.members.length} />}
      <p role="status" className="text-[0.8125rem] text-quiet">
        {chosen.length > 0 && `${formatCount(chosen.length, 'person', 'people')} selected`}
      </p>
    </div>
  );
}
