/** A reply that is being written: sent at once, or collected for the review. */
import { Composer } from '../../../components/composer.tsx';
import { replyDraft } from '../../../components/drafts.ts';
import { MarkdownText } from '../../../markdown/index.ts';
import type { Discussion } from '../../../parts/pull-request/threads/discussion-data.ts';
import { type PendingActions, usePending } from '../../../parts/pull-request/threads/pending-data.ts';
import type { DiscussionActions } from './use-discussion-actions.ts';

interface ReplyComposerProps {
  discussion: Discussion;
  actions: DiscussionActions;
  pendingActions: PendingActions;
  quote: { text: string; number: number } | undefined;
  onLeave(): void;
}

export function ReplyComposer(props: ReplyComposerProps) {
  const { actions, discussion, onLeave, pendingActions, quote } = props;
  const { author, id } = discussion;
  const hasReview = usePending(actions.pullRequestId).length > 0;
  const now = {
    action: 'Reply',
    async onSend(body: string, key: string) {
      await actions.reply(discussion, body, key);
      onLeave();
    },
  };
  const later = {
    action: hasReview ? 'Add to review' : 'Start a review',
    async onSend(body: string) {
      await pendingActions.add({ discussionId: id }, body);
      onLeave();
    },
  };
  return (
    <Composer
      draft={replyDraft(id)}
      label={`Reply to ${author.name}`}
      placeholder="Reply"
      {...(hasReview ? later : now)}
      other={hasReview ? { ...now, action: 'Reply now' } : later}
      onLeave={onLeave}
      added={quote}
      preview={(text) => <MarkdownText content={text} />}
    />
  );
}
