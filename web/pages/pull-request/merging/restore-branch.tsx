/** Says that the branch of a merged or closed pull request is gone, and restores it. */
import { useMutation } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export function RestoreBranch({ pullRequest }: { pullRequest: PullRequest }) {
  const { headBranch, headBranchRestorable, id: pullRequestId } = pullRequest;
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const restore = useMutation({
    mutationFn: () => call('restore-head-branch', { pullRequestId }),
    onSuccess(restored) {
      showPullRequest(restored);
      toast(`Restored ${headBranch}.`);
    },
    onError: (error) => toast(error.message, 'danger'),
  });
  if (!headBranchRestorable) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet">
      <GitBranch className="size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0 wrap-anywhere">The branch {headBranch} was deleted</span>
      <Button size="small" busy={restore.isPending} onClick={() => restore.mutate()}>
        Restore branch
      </Button>
    </p>
  );
}
