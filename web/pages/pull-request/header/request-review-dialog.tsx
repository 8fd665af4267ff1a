/** Requests reviews of the pull request. */
import { call } from '../../../api/client.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { type Member, ReviewersForm } from '../../../components/reviewers-form.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';

const VERDICTS = { approved: 'approved', changes_requested: 'requested changes', commented: 'commented' };

export function RequestReviewDialog(props: { pullRequest: PullRequest; open: boolean; onClose(): void }) {
  const { onClose, open, pullRequest } = props;
  const toast = useToast();
  const showPullRequest = useShowPullRequest();
  return (
    <Dialog
      open={open}
      title="Request review"
      description="They'll be notified in their inbox. Earlier reviewers are notified again."
      onClose={onClose}
    >
      <ReviewersForm
        stateOf={(member) => stateOf(pullRequest, member)}
        request={async (userIds) => {
          showPullRequest(
            await call('request-pull-request-review', { pullRequestId: pullRequest.id, userIds }),
          );
          toast(userIds.length === 1 ? 'Review requested.' : `${userIds.length} reviews requested.`);
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}

function stateOf({ requestedReviewers, verdicts }: PullRequest, { userId }: Member): string | undefined {
  if (requestedReviewers.some(({ id }) => id === userId)) return 'requested';
  const last = verdicts.findLast(({ author, dismissedAt }) => author.id === userId && dismissedAt === null);
  return last && VERDICTS[last.verdict];
}
