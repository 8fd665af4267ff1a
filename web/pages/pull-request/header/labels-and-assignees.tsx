/** The labels and assignees of a pull request. On plain git, members change them. */
import { Tag, UserRound } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../components/badge.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { AssigneesDialog } from './assignees-dialog.tsx';
import { LabelsDialog } from './labels-dialog.tsx';

const CHANGE =
  'rounded text-xs underline decoration-strong-line underline-offset-2 hover:text-text hover:decoration-current';

export function LabelsAndAssignees({ pullRequest }: { pullRequest: PullRequest }) {
  const { allowedActions, assignees, labels } = pullRequest;
  const [dialog, setDialog] = useState<'labels' | 'assignees'>();
  const mayEdit = allowedActions.includes('edit');
  const close = () => setDialog(undefined);
  if (!mayEdit && labels.length + assignees.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-[0.8125rem] text-quiet">
      {(mayEdit || labels.length > 0) && (
        <section aria-label="Labels" className="flex min-w-0 flex-wrap items-center gap-1.5">
          <Tag className="size-3.5" aria-hidden="true" />
          {labels.map((label) => (
            <Badge key={label}>{label}</Badge>
          ))}
          {mayEdit && (
            <button type="button" onClick={() => setDialog('labels')} className={CHANGE}>
              {labels.length === 0 ? 'Add labels' : 'Edit labels'}
            </button>
          )}
        </section>
      )}
      {(mayEdit || assignees.length > 0) && (
        <section aria-label="Assignees" className="flex min-w-0 flex-wrap items-center gap-1.5">
          <UserRound className="size-3.5" aria-hidden="true" />
          {assignees.length > 0 && (
            <span className="wrap-anywhere">
              Assigned to{' '}
              <span className="font-medium text-text">{assignees.map(({ name }) => name).join(', ')}</span>
            </span>
          )}
          {mayEdit && (
            <button type="button" onClick={() => setDialog('assignees')} className={CHANGE}>
              {assignees.length === 0 ? 'Assign people' : 'Edit assignees'}
            </button>
          )}
        </section>
      )}
      <LabelsDialog pullRequest={pullRequest} open={dialog === 'labels'} onClose={close} />
      <AssigneesDialog pullRequest={pullRequest} open={dialog === 'assignees'} onClose={close} />
    </div>
  );
}
