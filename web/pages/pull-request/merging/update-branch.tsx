/** Says that the base branch has newer commits, and merges them into the head branch. */
import { useMutation } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { useToast } from '../../../components/toast.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

interface UpdateBranchProps {
  pullRequest: PullRequest;
  onUpdated(commit: string): void;
}

export function UpdateBranch({ onUpdated, pullRequest }: UpdateBranchProps) {
  const { allowedActions, baseBranch, baseCommit, headBranch, headCommit, id, mergeability, mergeBase } =
    pullRequest;
  const toast = useToast();
  const update = useMutation({
    mutationFn: (expectedHead: string) => call('update-head-branch', { pullRequestId: id, expectedHead }),
    onSuccess({ commit }) {
      onUpdated(commit);
      toast(`${baseBranch} was merged into ${headBranch}.`);
    },
    onError: (error) => toast(error.message, 'danger'),
  });
  const isBehind = mergeBase !== null && baseCommit !== null && mergeBase !== baseCommit;
  if (!isBehind || headCommit === null || mergeability !== 'clean' || !allowedActions.includes('merge'))
    return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet">
      <GitBranch className="size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">{baseBranch} has newer commits</span>
      <Button size="small" busy={update.isPending} onClick={() => update.mutate(headCommit)}>
        Update branch
      </Button>
    </p>
  );
}
