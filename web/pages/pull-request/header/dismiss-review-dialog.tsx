/** Dismisses someone's approval or request for changes, with a reason. */
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextAreaField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';

type Verdict = PullRequest['verdicts'][number];

interface DismissReviewProps {
  pullRequestId: string;
  /** Null: the dialog is closed. */
  verdict: Verdict | null;
  onClose(): void;
}

export function DismissReviewDialog({ onClose, pullRequestId, verdict }: DismissReviewProps) {
  const what = verdict?.verdict === 'approved' ? 'approval' : 'request for changes';
  return (
    <Dialog
      open={verdict !== null}
      title={`Dismiss ${verdict?.author.name ?? ''}’s ${what}?`}
      description="It no longer counts for merging. They’ll be notified and can review again."
      onClose={onClose}
    >
      {verdict && <DismissForm pullRequestId={pullRequestId} verdict={verdict} onClose={onClose} />}
    </Dialog>
  );
}

function DismissForm({
  onClose,
  pullRequestId,
  verdict,
}: DismissReviewProps & { verdict: NonNullable<DismissReviewProps['verdict']> }) {
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const form = useForm(
    { reason: '' },
    async ({ reason }) => {
      showPullRequest(await call('dismiss-review', { pullRequestId, verdictId: verdict.id, reason }));
      toast('Review dismissed.');
      onClose();
    },
    `${verdict.id}:dismiss`,
  );
  return (
    <Form
      form={form}
      action="Dismiss review"
      aside={
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <TextAreaField
        label="Reason"
        hint="Stays on the pull request and in the audit log."
        autoFocus
        {...form.field('reason')}
      />
    </Form>
  );
}
