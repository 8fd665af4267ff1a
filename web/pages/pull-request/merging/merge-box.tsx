/** Merging here: what waits, what is being pushed, what came of it, what to set first, and reverting. Nothing on a code host, where merging stays. */
import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { Time } from '../../../components/time.tsx';
import { type PullRequest, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import { DeleteBranch } from './delete-branch.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { PushProblem } from './push-problem.tsx';
import { RestoreBranch } from './restore-branch.tsx';
import { RevertNote } from './revert-note.tsx';
import { WaitingMerge } from './waiting-merge.tsx';

type Merge = NonNullable<PullRequest['merge']>;

export function MergeBox({ pullRequest }: { pullRequest: PullRequest }) {
  const [isOpen, setOpen] = useState(false);
  const { allowedActions, merge, mergeWhenReady, pushProblem, state } = pullRequest;
  const canMerge = allowedActions.includes('merge');
  if (merge?.state === 'pushing')
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-quiet">
        <Spinner />
        <span className="wrap-anywhere">
          {merge.person.name} is merging this into {pullRequest.baseBranch}…
        </span>
      </p>
    );
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2 empty:hidden has-[>:not(button)]:basis-full">
      {state === 'merged' && merge?.state === 'merged' && <Merged merge={merge} />}
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        <RevertNote pullRequest={pullRequest} />
        <DeleteBranch pullRequest={pullRequest} />
        <RestoreBranch pullRequest={pullRequest} />
      </div>
      {canMerge && merge?.state === 'failed' && <Failed merge={merge} />}
      {canMerge && pushProblem && <PushProblem pullRequest={pullRequest} problem={pushProblem} />}
      {mergeWhenReady && <WaitingMerge pullRequest={pullRequest} waiting={mergeWhenReady} />}
      {canMerge && (
        <Button
          size="small"
          look={pullRequest.mergeRequirements?.isMet ? 'primary' : undefined}
          onClick={() => setOpen(true)}
        >
          <GitMerge className="size-4" aria-hidden="true" />
          Merge…
        </Button>
      )}
      <MergeDialog pullRequest={pullRequest} open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}

const DONE: Record<Merge['method'], string> = {
  merge: 'merged this',
  squash: 'squashed and merged this',
  rebase: 'rebased and merged this',
};

function Merged({ merge }: { merge: Merge }) {
  const { bypassReason, bypassed, commit, finishedAt, method, person } = merge;
  return (
    <>
      <p className="text-sm text-quiet wrap-anywhere">
        {person.name} {DONE[method]} as <code className="font-mono text-xs">{shortCommit(commit)}</code>
        {finishedAt && (
          <>
            {' '}
            <Time at={finishedAt} />
          </>
        )}
      </p>
      {bypassed.length > 0 && (
        <Notice kind="warn">
          {person.name} bypassed the merge rule: {bypassReason}
        </Notice>
      )}
    </>
  );
}

const FAILURES: Record<NonNullable<Merge['failure']>, string> = {
  lease_lost: 'Someone pushed to the base branch at the same time.',
  rejected: 'The server refused the push.',
  no_permission: 'The server doesn’t let the repository’s credential push.',
  unreachable: 'The server couldn’t be reached.',
  interrupted: 'The service was interrupted before the push.',
};

function Failed({ merge }: { merge: Merge }) {
  const { failure, person, problem } = merge;
  return (
    <Notice kind="warn">
      <p>
        {person.name} tried to merge this. {failure && FAILURES[failure]} Nothing was merged.
      </p>
      {problem && <p className="mt-1 font-mono text-xs whitespace-pre-wrap wrap-anywhere">{problem}</p>}
    </Notice>
  );
}
