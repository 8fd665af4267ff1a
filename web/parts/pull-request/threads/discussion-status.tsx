/** The status of a discussion with who, when and why; for one that the code answers, the commit and the lines. */
import { CircleCheck, CircleDashed, CircleDot, CircleSlash } from 'lucide-react';
import { Button } from '../../../components/button.tsx';
import { Keys } from '../../../components/kbd.tsx';
import { TextWithCode } from '../../../components/text-with-code.tsx';
import { Time } from '../../../components/time.tsx';
import { shortCommit } from '../pull-request-data.ts';
import { type Discussion, type DiscussionStatus, isMaybe } from './discussion-data.ts';

export const STATUSES = {
  open: { name: 'Open', icon: CircleDot, look: 'bg-warn-soft text-warn' },
  addressed: { name: 'Addressed', icon: CircleDashed, look: 'bg-accent-soft text-accent' },
  resolved: { name: 'Resolved', icon: CircleCheck, look: 'bg-good-soft text-good' },
} satisfies Record<DiscussionStatus, object>;

const DISMISSED = { name: 'Dismissed', icon: CircleSlash, look: 'bg-sunken text-quiet' };

/** A dismissed finding is resolved, and nothing was done about it. */
export function isDismissed({ status, statusCause }: Discussion): boolean {
  return status === 'resolved' && statusCause === 'dismissed';
}

export function StatusBadge(props: { status: DiscussionStatus; isDismissed: boolean }) {
  const { status } = props;
  const { icon: Icon, look, name } = props.isDismissed ? DISMISSED : STATUSES[status];
  return (
    <span
      className={`inline-flex h-5.5 shrink-0 items-center gap-1 rounded-full pr-2 pl-1.5 text-xs font-medium ${look}`}
    >
      <Icon className="size-3.5" aria-hidden="true" />
      {name}
    </span>
  );
}

interface WhyProps {
  discussion: Discussion;
  /** Undefined where the comparison can't be shown. */
  onShowHunk: ((commit: string, file: string, line: number) => void) | undefined;
  onConfirm(): void;
}

/** Why it counts as addressed, or might be. */
export function Why({ discussion, onConfirm, onShowHunk }: WhyProps) {
  const { judgement, status, statusBy, statusCause, statusReason, statusAt } = discussion;
  const maybe = isMaybe(discussion);
  const isJudged = (status === 'addressed' && statusCause === 'judge') || maybe;
  if (!isJudged) {
    if (statusCause === 'opened') return null;
    return (
      <p className="text-xs wrap-anywhere text-quiet">
        {status === 'open' ? 'Reopened' : isDismissed(discussion) ? 'Dismissed' : STATUSES[status].name} by{' '}
        {statusBy ?? 'Countersign'} <Time at={statusAt} />
        {statusReason && `: ${statusReason.replace(/^Dismissed: /, '')}`}
      </p>
    );
  }
  const commit = judgement?.commit;
  return (
    <div
      className={`grid gap-1.5 rounded-md border px-2.5 py-2 text-xs ${maybe ? 'border-warn/40 bg-warn-soft' : 'border-accent/30 bg-accent-soft'}`}
    >
      <p className="wrap-anywhere">
        <span className="font-medium">{maybe ? 'Possibly addressed' : 'Addressed'}</span>
        {commit && (
          <>
            {' '}
            in <code className="font-mono">{shortCommit(commit)}</code>
          </>
        )}
        {': '}
        <TextWithCode text={judgement?.reason ?? statusReason ?? ''} />
      </p>
      {judgement && judgement.hunks.length > 0 && onShowHunk && (
        <p className="flex flex-wrap gap-x-3 gap-y-1">
          {judgement.hunks.slice(0, 3).map(({ file, newStart }) => (
            <button
              key={`${file} ${newStart}`}
              type="button"
              onClick={() => onShowHunk(judgement.commit, file, newStart)}
              className="rounded font-mono wrap-anywhere text-accent underline underline-offset-2"
            >
              {file}:{newStart}
            </button>
          ))}
        </p>
      )}
      {maybe && discussion.allowedActions.includes('resolve') && (
        <p className="flex items-center gap-2">
          <Button size="small" onClick={onConfirm}>
            Confirm
            <Keys keys={['y']} />
          </Button>
          <span className="text-quiet">Resolves the discussion.</span>
        </p>
      )}
    </div>
  );
}
