/** A comment that is being written on lines or on a file, with a button that suggests other lines. */
import { Diff } from 'lucide-react';
import { Button } from '../../../components/button.tsx';
import { Composer } from '../../../components/composer.tsx';
import { MarkdownText, SuggestionBase } from '../../../markdown/index.ts';
import type { LineSelection } from '../diff/line-selection.ts';

export const newDiscussionDraft = (pullRequestId: string, place: LineSelection) =>
  `${pullRequestId}:${place.path}:${place.side}:${place.first}-${place.last}`;

interface NewDiscussionProps {
  pullRequestId: string;
  place: LineSelection;
  /** The text of the lines, where it can be replaced. */
  code: string | undefined;
  /** Whether comments are pending already. */
  hasReview: boolean;
  /** Sends it at once. */
  onSend(body: string, key: string): Promise<void>;
  /** Adds it to the review. */
  onPend(body: string): Promise<void>;
  onLeave(): void;
}

export function NewDiscussion(props: NewDiscussionProps) {
  const { code, hasReview, onLeave, onPend, onSend, place, pullRequestId } = props;
  const now = { action: 'Add single comment', onSend };
  const later = { action: hasReview ? 'Add to review' : 'Start a review', onSend: onPend };
  return (
    <div className="grid max-w-[56rem] grid-cols-1 gap-2 rounded-lg border border-accent/60 bg-raised p-3 shadow-md">
      <p className="text-xs text-quiet">{describePlace(place)}</p>
      <Composer
        draft={newDiscussionDraft(pullRequestId, place)}
        label={`Comment on ${describePlace(place).toLowerCase()}`}
        placeholder="Comment. Markdown is supported."
        {...(hasReview ? later : now)}
        other={hasReview ? now : later}
        onLeave={onLeave}
        preview={(text) => (
          <SuggestionBase value={code ?? ''}>
            <MarkdownText content={text} />
          </SuggestionBase>
        )}
        tools={
          code === undefined
            ? undefined
            : (insert) => (
                <Button
                  size="small"
                  look="quiet"
                  title="Suggest other lines"
                  onClick={() => insert(suggestion(code))}
                >
                  <Diff className="size-4" aria-hidden="true" />
                  Suggest a change
                </Button>
              )
        }
      />
    </div>
  );
}

function describePlace({ first, last, side }: LineSelection): string {
  if (last === 0) return 'Whole file';
  const old = side === 'old' ? ' of the old file' : '';
  return first === last ? `Line ${last}${old}` : `Lines ${first} to ${last}${old}`;
}

/** Fenced with more backticks than the code has. */
function suggestion(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}suggestion\n${code}\n${fence}\n`;
}
