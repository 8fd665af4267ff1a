/** A comment that is being written: on selected text, or on the plan as a whole. */
import { Composer } from '../../../components/composer.tsx';
import { MarkdownText } from '../../../markdown/index.ts';
import { newCommentDraft } from './new-comment-draft.ts';

export function NewComment(props: {
  seriesId: string;
  quote?: string;
  onFocus?(): void;
  send(body: string, key: string): Promise<void>;
  onLeave(): void;
}) {
  const { onFocus, onLeave, quote, send, seriesId } = props;
  return (
    <div className="grid grid-cols-1 gap-2.5 rounded-xl border border-accent/60 bg-raised p-3 shadow-lg shadow-black/10">
      {quote !== undefined && (
        <blockquote className="line-clamp-3 border-l-2 border-warn/60 pl-2.5 text-[0.8125rem] wrap-anywhere text-quiet">
          {quote}
        </blockquote>
      )}
      <Composer
        draft={newCommentDraft(seriesId)}
        label={quote === undefined ? 'General comment' : 'Comment on the selection'}
        placeholder={quote === undefined ? 'Comment on the plan as a whole' : 'Comment on this'}
        action="Comment"
        onFocus={onFocus}
        onSend={send}
        preview={(text) => <MarkdownText content={text} />}
        onLeave={onLeave}
      />
    </div>
  );
}
