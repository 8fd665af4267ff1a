/** Whether a suggestion can be applied now, and where. Pure. */
import { readSuggestions } from '../../../../src/engines/text/index.ts';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import type { Discussion, DiscussionComment } from '../../../parts/pull-request/threads/discussion-data.ts';

/** One that was chosen, with its lines as they were shown. */
export interface ChosenSuggestion {
  commentId: string;
  index: number;
  text: string;
}

export interface SuggestionPlace {
  file: string;
  startLine: number;
  endLine: number;
}

export type SuggestionState =
  | { kind: 'ready'; text: string; place: SuggestionPlace }
  | { kind: 'applied'; commit: string; by: string | null; at: string }
  /** The lines are no longer what was commented on. */
  | { kind: 'outdated' }
  /** Its lines are being looked for at the newest commit. */
  | { kind: 'waiting' }
  /** It was edited or deleted since it was chosen, or is about no lines of the new version. */
  | { kind: 'none' };

export function suggestionState(
  pullRequest: Pick<PullRequest, 'headCommit'>,
  discussion: Discussion,
  comment: DiscussionComment,
  index: number,
): SuggestionState {
  const { commit, endLine, file, position, side, startLine } = discussion;
  const lines = readSuggestions(comment.body)[index]?.lines;
  if (!lines || side === 'old' || startLine === 0) return { kind: 'none' };
  const applied = comment.appliedSuggestions.find((each) => each.index === index);
  if (applied) return { kind: 'applied', commit: applied.commit, by: applied.by, at: applied.at };
  const text = lines.join('\n');
  if (commit === pullRequest.headCommit) return { kind: 'ready', text, place: { file, startLine, endLine } };
  if (position?.commit !== pullRequest.headCommit) return { kind: 'waiting' };
  if (position.outcome !== 'exact' && position.outcome !== 'moved') return { kind: 'outdated' };
  return { kind: 'ready', text, place: position };
}

/** The state of one that was chosen; `none` too if its text is another one now. */
export function chosenState(
  pullRequest: Pick<PullRequest, 'headCommit'>,
  discussions: readonly Discussion[],
  { commentId, index, text }: ChosenSuggestion,
): SuggestionState {
  for (const discussion of discussions) {
    const comment = discussion.comments.find(({ id }) => id === commentId);
    if (!comment) continue;
    const state = suggestionState(pullRequest, discussion, comment, index);
    return state.kind === 'ready' && state.text !== text ? { kind: 'none' } : state;
  }
  return { kind: 'none' };
}

export function areOverlapping(a: SuggestionPlace, b: SuggestionPlace): boolean {
  return a.file === b.file && a.startLine <= b.endLine && b.startLine <= a.endLine;
}

export function isSame(a: ChosenSuggestion, b: { commentId: string; index: number }): boolean {
  return a.commentId === b.commentId && a.index === b.index;
}

export function placeName({ endLine, file, startLine }: SuggestionPlace): string {
  return `${file}:${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
}
