/** Requests reviews of the pull request. */
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { useToast } from '../../../components/toast.tsx';
import {
  commitsQuery,
  type PullRequest,
  useShowPullRequest,
} from '../../../parts/pull-request/pull-request-data.ts';
import { ReviewersForm } from '../../../parts/reviewers/reviewers-form.tsx';

const VERDICTS = { approved: 'approved', changes_requested: 'requested changes', commented: 'commented' };

export function RequestReviewDialog(props: { pullRequest: PullRequest; open: boolean; onClose(): void }) {
  const { onClose, open, pullRequest } = props;
  const toast = useToast();
  const showPullRequest = useShowPullRequest();
  const { data: commits } = useQuery({ ...commitsQuery(pullRequest.id), enabled: open });
  return (
    <Dialog
      open={open}
      title="Request review"
      description="They'll be notified in their inbox. Earlier reviewers are notified again. One member answers for a team."
      onClose={onClose}
    >
      <ReviewersForm
        withTeams
        authorId={pullRequest.author.id}
        stateOf={(id) =>
          [commits?.authorIds.includes(id) && 'wrote commits', stateOf(pullRequest, id)]
            .filter(Boolean)
            .join(', ') || undefined
        }
        request={async (chosen) => {
          showPullRequest(
            await call('request-pull-request-review', { pullRequestId: pullRequest.id, ...chosen }),
          );
          const count = chosen.userIds.length + chosen.teamIds.length;
          toast(count === 1 ? 'Review requested.' : `${count} reviews requested.`);
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}

function stateOf({ requestedReviewers, verdicts }: PullRequest, asked: string): string | undefined {
  if (requestedReviewers.some(({ id, teamId }) => id === asked || teamId === asked)) return 'requested';
  const last = verdicts.findLast(
    ({ author, dismissalReason, dismissedAt }) =>
      author.id === asked && (dismissedAt === null || dismissalReason !== null),
  );
  return last && (last.dismissedAt === null ? VERDICTS[last.verdict] : 'review dismissed');
}
