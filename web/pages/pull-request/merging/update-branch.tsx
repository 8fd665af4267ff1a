/** Says that the base branch has newer commits, and merges them into the head branch. */
import { useMutation } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/dialog.tsx';
import { useToast } from '../../../components/toast.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

interface UpdateBranchProps {
  pullRequest: PullRequest;
  onUpdated(commit: string): void;
}

export function UpdateBranch({ onUpdated, pullRequest }: UpdateBranchProps) {
  const { allowedActions, allowedVerdicts, baseBranch, baseCommit, headBranch, headCommit } = pullRequest;
  const { id, mergeability, mergeBase } = pullRequest;
  const [isAsking, setAsking] = useState(false);
  const toast = useToast();
  const update = useMutation({
    mutationFn: (expectedHead: string) => call('update-head-branch', { pullRequestId: id, expectedHead }),
    onSuccess({ commit }) {
      onUpdated(commit);
      setAsking(false);
      toast(`${baseBranch} was merged into ${headBranch}.`);
    },
    onError: (error) => toast(error.message, 'danger'),
  });
  const isBehind = mergeBase !== null && baseCommit !== null && mergeBase !== baseCommit;
  // Under most rules, a person who pushed can't approve any more.
  const canApprove = allowedVerdicts.includes('approved');
  if (!isBehind || headCommit === null || mergeability !== 'clean' || !allowedActions.includes('merge'))
    return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet">
      <GitBranch className="size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">{baseBranch} has newer commits</span>
      <Button
        size="small"
        busy={update.isPending && !isAsking}
        onClick={() => (canApprove ? setAsking(true) : update.mutate(headCommit))}
      >
        Update branch
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={`Update ${headBranch}?`}
        description={`${baseBranch} is merged into ${headBranch} as your commit. Your approval doesn’t count then, now or later: somebody else has to approve this pull request.`}
        action="Update branch"
        busy={update.isPending}
        onConfirm={() => update.mutate(headCommit)}
        onClose={() => setAsking(false)}
      />
    </p>
  );
}
