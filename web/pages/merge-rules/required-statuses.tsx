/** The statuses that a merge rule requires, each with who may set it. */
import { Plus } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { type Chosen, ReviewerChoices } from '../../parts/reviewers/reviewer-choices.tsx';

export interface RequiredStatus {
  /** Stays the same while the others are changed. */
  key: number;
  name: string;
  people: Chosen['people'];
  /** Logins on the code host, separated by commas. */
  accounts: string;
}

interface RequiredStatusesProps {
  statuses: readonly RequiredStatus[];
  max: number;
  onChange(statuses: RequiredStatus[]): void;
}

export function RequiredStatuses({ max, onChange, statuses }: RequiredStatusesProps) {
  const change = (changed: RequiredStatus) =>
    onChange(statuses.map((each) => (each.key === changed.key ? changed : each)));
  const add = () =>
    onChange([
      ...statuses,
      { key: 1 + Math.max(0, ...statuses.map(({ key }) => key)), name: '', people: [], accounts: '' },
    ]);
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-sm font-medium">Required statuses</legend>
      {statuses.map((status, index) => (
        <StatusFields
          key={status.key}
          status={status}
          isNew={index === statuses.length - 1 && status.name === ''}
          onChange={change}
          onRemove={() => onChange(statuses.filter(({ key }) => key !== status.key))}
        />
      ))}
      {statuses.length < max && (
        <Button size="small" className="justify-self-start" onClick={add}>
          <Plus className="size-4" aria-hidden="true" />
          Add status
        </Button>
      )}
    </fieldset>
  );
}

function StatusFields(props: {
  status: RequiredStatus;
  isNew: boolean;
  onChange(status: RequiredStatus): void;
  onRemove(): void;
}) {
  const { isNew, onChange, onRemove, status } = props;
  const { accounts, name, people } = status;
  return (
    <div className="grid min-w-0 gap-3 rounded-lg border border-line p-3">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Status"
            placeholder="ci/test"
            autoComplete="off"
            spellCheck={false}
            autoFocus={isNew}
            value={name}
            onChange={({ target }) => onChange({ ...status, name: target.value })}
          />
        </div>
        <Button look="quiet" aria-label={name ? `Remove ${name}` : 'Remove this status'} onClick={onRemove}>
          Remove
        </Button>
      </div>
      <details className="min-w-0">
        <summary className="cursor-pointer text-sm wrap-anywhere">
          Members who can set it{' '}
          <span className="text-quiet">
            {people.length === 0 ? '(none)' : people.map((person) => person.name).join(', ')}
          </span>
        </summary>
        <div className="mt-2 grid gap-3">
          <ReviewerChoices
            chosen={{ people, teams: [] }}
            exceptIds={[]}
            onChange={(chosen) => onChange({ ...status, people: chosen.people })}
          />
        </div>
      </details>
      <TextField
        label="Accounts on the code host that can set it"
        hint="Logins, separated by commas."
        placeholder="github-actions"
        autoComplete="off"
        spellCheck={false}
        value={accounts}
        onChange={({ target }) => onChange({ ...status, accounts: target.value })}
      />
    </div>
  );
}

/** As the operation takes them; an error in words if it would refuse them. */
export function sentStatuses(statuses: readonly RequiredStatus[]) {
  return statuses.map(({ accounts, name, people }) => {
    const hostAccounts = accounts.split(',').flatMap((login) => login.trim() || []);
    if (name.trim() === '') throw new Error('Name each required status, or remove it.');
    if (people.length + hostAccounts.length === 0)
      throw new Error(`Choose who can set the status \`${name.trim()}\`.`);
    return { name: name.trim(), userIds: people.map(({ userId }) => userId), hostAccounts };
  });
}
