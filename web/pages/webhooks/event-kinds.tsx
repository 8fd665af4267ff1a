/** The events of webhooks: their names, and the field to select them. */
import type { CallInput } from '../../api/client.ts';

export type EventKind = NonNullable<CallInput<'create-webhook'>['eventKinds']>[number];

const GROUPS: [title: string, kinds: [EventKind, string][]][] = [
  [
    'Plans',
    [
      ['plan_created', 'New plan'],
      ['version_added', 'New version'],
      ['status_changed', 'Status changed'],
      ['pull_request_linked', 'Pull request linked'],
    ],
  ],
  [
    'Plan reviews',
    [
      ['review_requested', 'Review requested'],
      ['approved', 'Approved'],
      ['changes_requested', 'Changes requested'],
      ['approval_withdrawn', 'Approval withdrawn'],
    ],
  ],
  [
    'Plan comments',
    [
      ['comment_added', 'New comment'],
      ['comment_edited', 'Comment edited'],
      ['comment_triaged', 'Comment triaged'],
      ['comments_addressed', 'Comments addressed'],
    ],
  ],
  [
    'Pull requests',
    [
      ['pull_request_opened', 'Pull request opened'],
      ['pull_request_edited', 'Pull request edited'],
      ['pull_request_labels_changed', 'Labels changed'],
      ['pull_request_assignees_changed', 'People assigned or unassigned'],
      ['pull_request_pushed', 'New commits'],
      ['pull_request_state_changed', 'Pull request merged, closed or reopened'],
      ['pull_request_review_requested', 'Pull request review requested'],
      ['pull_request_reviewed', 'Pull request reviewed'],
      ['pull_request_review_dismissed', 'Review dismissed'],
      ['pull_request_approval_kept', 'Approval kept after a push'],
      ['pull_request_conflicted', 'Merge conflicts'],
      ['pull_request_conflicts_resolved', 'Merge conflicts resolved'],
      ['pull_request_secret_left', 'Leaked secret not handled within an hour'],
      ['pull_request_statuses_changed', 'Statuses of the newest commit'],
      ['pull_request_merge_when_ready', 'Merge when ready turned on or off'],
      ['pull_request_merge_started', 'Merge started'],
      ['pull_request_merge_failed', 'Merge failed'],
      ['pull_request_branch_deleted', 'Branch deleted'],
      ['pull_request_branch_restored', 'Branch restored'],
      ['pull_request_commented', 'New comment on a pull request'],
    ],
  ],
  [
    'Discussions',
    [
      ['discussion_opened', 'New discussion'],
      ['discussion_replied', 'New reply'],
      ['discussion_edited', 'Discussion edited'],
      ['discussion_status_changed', 'Discussion resolved, addressed or reopened'],
    ],
  ],
];

const NAMES = new Map<string, string>(GROUPS.flatMap(([, kinds]) => kinds));

export function eventName(kind: string): string {
  return NAMES.get(kind) ?? kind;
}

export function describeEvents(kinds: readonly string[]): string {
  if (kinds.length === 0) return 'All events';
  if (kinds.length <= 3) return kinds.map(eventName).join(', ');
  return `${kinds.slice(0, 2).map(eventName).join(', ')} and ${kinds.length - 2} more`;
}

/** Undefined means all events, including those that later versions of the service add. */
export function EventKindsField({
  chosen,
  error,
  onChange,
}: {
  chosen: EventKind[] | undefined;
  error: string | undefined;
  onChange(chosen: EventKind[] | undefined): void;
}) {
  const toggle = (kind: EventKind, on: boolean) =>
    onChange(on ? [...(chosen ?? []), kind] : (chosen ?? []).filter((each) => each !== kind));
  return (
    <fieldset className="grid gap-2" aria-describedby={error ? 'events-error' : undefined}>
      <legend className="mb-1.5 text-sm font-medium">Events to send</legend>
      <Choice
        type="radio"
        name="events"
        checked={chosen === undefined}
        onChange={() => onChange(undefined)}
        label="All events, including future ones"
      />
      <Choice
        type="radio"
        name="events"
        checked={chosen !== undefined}
        onChange={() => onChange(chosen ?? [])}
        label="Only selected events"
      />
      {chosen !== undefined && (
        <div className="mt-1 ml-6 grid grid-cols-1 gap-4 sm:grid-cols-2">
          {GROUPS.map(([title, kinds]) => (
            <fieldset key={title} className="grid content-start gap-1.5">
              <legend className="mb-1.5 text-xs font-medium text-quiet">{title}</legend>
              {kinds.map(([kind, name]) => (
                <Choice
                  key={kind}
                  type="checkbox"
                  name={kind}
                  checked={chosen.includes(kind)}
                  onChange={(on) => toggle(kind, on)}
                  label={name}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {error && (
        <p id="events-error" role="alert" className="text-[0.8125rem] text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function Choice(props: {
  type: 'radio' | 'checkbox';
  name: string;
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
}) {
  return (
    <label className="flex min-h-6 items-center gap-2 text-sm">
      <input
        type={props.type}
        name={props.name}
        checked={props.checked}
        onChange={(event) => props.onChange(event.target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      {props.label}
    </label>
  );
}
