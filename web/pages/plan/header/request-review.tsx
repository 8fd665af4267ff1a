/** Requests reviews from people of the organization. */
import { call } from '../../../api/client.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { useToast } from '../../../components/toast.tsx';
import { ReviewersForm } from '../../../parts/reviewers/reviewers-form.tsx';
import { formatCount } from '../format.ts';
import { type Plan, useShowPlan } from '../plan-data.ts';

export function RequestReview(props: { plan: Plan; open: boolean; onClose(): void }) {
  const { onClose, open, plan } = props;
  const toast = useToast();
  const showPlan = useShowPlan();
  return (
    <Dialog
      open={open}
      title="Request review"
      description="They'll be notified in their inbox. Earlier reviewers are notified again."
      onClose={onClose}
    >
      <ReviewersForm
        stateOf={(id) => stateOf(plan, id)}
        request={async ({ userIds }) => {
          showPlan(await call('request-plan-review', { seriesId: plan.seriesId, userIds }));
          toast(`Review requested from ${formatCount(userIds.length, 'person', 'people')}.`);
        }}
        onClose={onClose}
      />
    </Dialog>
  );
}

function stateOf(plan: Plan, userId: string): string | undefined {
  if (plan.reviewRequests.some(({ reviewer }) => reviewer.id === userId)) return 'requested';
  const review = plan.reviews.find(({ reviewer, withdrawnAt }) => reviewer.id === userId && !withdrawnAt);
  if (!review) return undefined;
  return `${review.verdict === 'approved' ? 'approved' : 'requested changes to'} v${review.version}`;
}
