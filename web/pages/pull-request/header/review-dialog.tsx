/** Approves, requests changes or comments, with a note. It names the head that was reviewed. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { MarkdownField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useToast } from '../../../components/toast.tsx';
import { Choice } from '../../../parts/fields/choice.tsx';
import {
  commitsQuery,
  type PullRequest,
  shortCommit,
  useShowPullRequest,
} from '../../../parts/pull-request/pull-request-data.ts';
import { discussionsQuery } from '../../../parts/pull-request/threads/discussion-data.ts';
import { pendingQuery, usePending } from '../../../parts/pull-request/threads/pending-data.ts';
import { OpenDiscussionsNote } from './open-discussions-note.tsx';
import { PendingList } from './pending-list.tsx';

const VERDICTS = {
  approved: { name: 'Approve', hint: 'The changes look good.', said: 'You approved the pull request.' },
  changes_requested: {
    name: 'Request changes',
    hint: 'Something has to change first.',
    said: 'Changes requested.',
  },
  commented: { name: 'Comment', hint: 'A note without a verdict.', said: 'Review posted.' },
};
type Verdict = keyof typeof VERDICTS;

interface ReviewDialogProps {
  pullRequest: PullRequest;
  /** The head on the page: what a review is about. */
  shown: string | null;
  onClose(): void;
}

export function ReviewDialog({ open, ...props }: ReviewDialogProps & { open: boolean }) {
  const { onClose, pullRequest, shown } = props;
  const { headCommit, origin } = pullRequest;
  const facts = [
    shown && `You’re reviewing commit ${shortCommit(shown)}.`,
    shown && shown !== headCommit && 'It isn’t the newest.',
    origin === 'host' && 'The review is posted to the code host in your name.',
  ];
  return (
    <Dialog
      open={open}
      title="Review the changes"
      description={facts.filter(Boolean).join(' ')}
      onClose={onClose}
    >
      <ReviewForm {...props} />
    </Dialog>
  );
}

function ReviewForm({ pullRequest, shown, onClose }: ReviewDialogProps) {
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  // A push while the page is read or the note is written is a conflict, not a silent approval.
  const [commit] = useState(shown);
  const client = useQueryClient();
  const pending = usePending(pullRequest.id);
  const isEarlier = commit !== null && commit !== pullRequest.headCommit;
  const mayNot = !pullRequest.allowedVerdicts.includes('approved');
  const blocked =
    useQuery(commitsQuery(pullRequest.id)).data?.approvalBlocked ??
    (mayNot && 'You opened or pushed to this pull request; someone else has to approve it.');
  const allowedVerdicts = pullRequest.allowedVerdicts.filter((each) => each !== 'approved' || !blocked);
  const offered = (verdict: string): Verdict =>
    allowedVerdicts.find((each) => each === verdict) ?? 'commented';
  const form = useForm(
    // Nobody approves by accident what they wrote comments on, and who can't approve requests no changes by accident.
    { verdict: pending.length > 0 || mayNot ? 'commented' : 'approved', note: '' },
    async ({ note, verdict }) => {
      const chosen = offered(verdict);
      const review = {
        pullRequestId: pullRequest.id,
        verdict: chosen,
        ...(note.trim() && { note: note.trim() }),
        ...(commit && { commit }),
      };
      if (pending.length > 0 && commit) {
        const commentIds = pending.map(({ id }) => id);
        const earlierHead = isEarlier && chosen !== 'approved';
        const submission = { ...review, commit, commentIds, earlierHead };
        try {
          showPullRequest(await call('submit-pending-review', submission));
        } finally {
          // After a conflict too: the comments may have been submitted or deleted on another device.
          void client.invalidateQueries(pendingQuery(pullRequest.id));
          void client.invalidateQueries(discussionsQuery(pullRequest.id));
        }
      } else showPullRequest(await call('review-pull-request', review));
      toast(VERDICTS[chosen].said);
      onClose();
    },
    `${pullRequest.id}:review`,
  );
  const cancel = () => {
    form.discard();
    onClose();
  };
  const verdict = offered(form.values.verdict);
  const isMoved = form.problem instanceof ApiProblem && form.problem.status === 409 && commit !== null;
  const newest = pullRequest.headCommit === commit ? null : pullRequest.headCommit;
  return (
    <Form
      form={form}
      action={
        pending.length > 0
          ? `Submit review (${pending.length})`
          : verdict === 'commented'
            ? 'Post review'
            : VERDICTS[verdict].name
      }
      aside={
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
      }
    >
      <fieldset className="grid gap-2">
        <legend className="sr-only">Verdict</legend>
        {allowedVerdicts.map((each) => (
          <Choice
            key={each}
            type="radio"
            name="verdict"
            checked={verdict === each}
            onChange={() => form.set('verdict', each)}
          >
            <span className="font-medium">{VERDICTS[each].name}</span>{' '}
            <span className="text-quiet">{VERDICTS[each].hint}</span>
          </Choice>
        ))}
      </fieldset>
      {verdict === 'approved' && <OpenDiscussionsNote pullRequest={pullRequest} onLeave={onClose} />}
      {pending.length > 0 && (
        <PendingList pullRequestId={pullRequest.id} comments={pending} onLeave={onClose} />
      )}
      {pending.length > 0 && isEarlier && (
        <Notice kind="warn">
          New commits were pushed. This review is about {shortCommit(commit)}, and says so. To approve, look
          at the newest commit first.
        </Notice>
      )}
      {blocked && <p className="text-sm text-quiet">{blocked}</p>}
      {isMoved && (
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: pullRequest.id }}
          search={{ view: 'files', from: commit, ...(newest && { to: newest }) }}
          onClick={onClose}
          className="justify-self-start rounded text-sm text-accent hover:underline"
        >
          View changes
        </Link>
      )}
      <MarkdownField
        label={verdict === 'approved' || pending.length > 0 ? 'Note (optional)' : 'Note'}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void form.submit(event);
        }}
        {...form.field('note')}
      />
    </Form>
  );
}
