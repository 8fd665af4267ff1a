/** Deletes the branch of a merged or closed pull request, which can be restored. */
import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export function DeleteBranch({ pullRequest }: { pullRequest: PullRequest }) {
  const { headBranch, headBranchDeletable, id: pullRequestId, state } = pullRequest;
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call('delete-head-branch', { pullRequestId }),
    onSuccess(changed) {
      showPullRequest(changed);
      toast(`Deleted ${headBranch}.`);
    },
    onError: (error) => toast(error.message, 'danger'),
  });
  if (!headBranchDeletable || (state !== 'merged' && state !== 'closed')) return null;
  return (
    <Button size="small" busy={remove.isPending} onClick={() => remove.mutate()}>
      <Trash2 className="size-4" aria-hidden="true" />
      Delete branch
    </Button>
  );
}
