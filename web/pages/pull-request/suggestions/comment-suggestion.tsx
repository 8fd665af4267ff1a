/** Below a suggestion: what became of it, or the buttons that apply it. */
import { GitCommitHorizontal } from 'lucide-react';
import { suggestionAt } from '../../../../src/engines/text/index.ts';
import { Button } from '../../../components/button.tsx';
import { Keys } from '../../../components/kbd.tsx';
import { shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import type { Discussion, DiscussionComment } from '../../../parts/pull-request/threads/discussion-data.ts';
import { type SuggestionBatch, useSuggestionBatch } from './batch-context.ts';
import { areOverlapping, isSame, type SuggestionState, suggestionState } from './suggestion-state.ts';

interface CommentSuggestionProps {
  discussion: Discussion;
  comment: DiscussionComment;
  /** Where its block starts in the comment. */
  start: number;
  /** Shows the keys. */
  isActive: boolean;
}

export function CommentSuggestion(props: CommentSuggestionProps) {
  const { comment, discussion, start } = props;
  const batch = useSuggestionBatch();
  const index = suggestionAt(comment.body, start);
  if (!batch || index === -1) return null;
  const state = suggestionState(batch.pullRequest, discussion, comment, index);
  switch (state.kind) {
    case 'none':
      return null;
    case 'applied':
      return (
        <span className="inline-flex flex-wrap items-center gap-1.5 text-good">
          <GitCommitHorizontal className="size-4" aria-hidden="true" />
          Applied{state.by !== null && ` by ${state.by}`} in
          <span className="font-mono text-xs">{shortCommit(state.commit)}</span>
        </span>
      );
    case 'outdated':
      return <span className="text-quiet">Outdated: these lines changed after the suggestion.</span>;
    case 'waiting':
      return <span className="text-quiet">Finding these lines in the newest commit…</span>;
    case 'ready':
      return <ReadySuggestion {...props} batch={batch} index={index} state={state} />;
  }
}

function ReadySuggestion(
  props: CommentSuggestionProps & {
    batch: SuggestionBatch;
    index: number;
    state: Extract<SuggestionState, { kind: 'ready' }>;
  },
) {
  const { batch, comment, index, isActive, state } = props;
  const { blocked, chosen, pullRequest } = batch;
  if (blocked !== undefined) {
    // Who may only read, and whoever reads a closed pull request, needs no reason.
    const isShown = pullRequest.allowedActions.includes('comment') && isUnfinished(pullRequest.state);
    return isShown && blocked !== '' ? <span className="text-quiet">{blocked}</span> : null;
  }
  const suggestion = { commentId: comment.id, index, text: state.text };
  const isChosen = chosen.some((each) => isSame(each, suggestion));
  const overlaps = chosen.some(
    (each) =>
      !isSame(each, suggestion) &&
      each.state.kind === 'ready' &&
      areOverlapping(each.state.place, state.place),
  );
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Button size="small" data-action="apply" onClick={() => batch.apply([{ ...suggestion, state }])}>
        Apply…
        {isActive && <Keys keys={['a']} />}
      </Button>
      {isChosen ? (
        <Button size="small" look="quiet" data-action="batch" onClick={() => batch.remove(suggestion)}>
          Remove from batch
          {isActive && <Keys keys={['b']} />}
        </Button>
      ) : overlaps ? (
        <span className="text-quiet">Another one in the batch changes these lines.</span>
      ) : (
        <Button size="small" look="quiet" data-action="batch" onClick={() => batch.add(suggestion)}>
          Add to batch
          {isActive && <Keys keys={['b']} />}
        </Button>
      )}
    </span>
  );
}

function isUnfinished(state: string): boolean {
  return state === 'open' || state === 'draft';
}
