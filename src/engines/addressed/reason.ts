/** Says in one sentence what answers the comment. */

import type { Evidence } from './comment-context.ts';
import type { Change } from './compare-code.ts';

const MAX_NAME = 60;

/** The found names are as the code has them; found words are stems, which nobody should read. */
export function describe(evidence: Evidence): string {
  const where = describeLines(evidence.changes);
  const [first, second] = evidence.found.map((name) => `\`${name.slice(0, MAX_NAME)}\``);
  switch (evidence.kind) {
    case 'suggestion':
      return `The suggestion was applied in ${where}.`;
    case 'replaced':
      return `${first} was replaced by ${second} in ${where}.`;
    case 'renamed':
      return `${first} was renamed to ${second}.`;
    case 'spelled':
      return `${first} was corrected to ${second} in ${where}.`;
    case 'removed':
      return first ? `${first} was removed.` : `${sentenceCase(describeRemoved(evidence.changes))} removed.`;
    case 'deleted':
      return 'The commented code was removed.';
    case 'rewritten':
      return `The commented code was rewritten in ${where}.`;
    case 'shortened':
      return `Part of the commented code was removed in ${where}.`;
    case 'stated':
      return `The words of the comment are in ${where}.`;
    case 'vanished':
      return `${first} is gone from the commented code.`;
    case 'named':
      return `${first} is new in ${where}.`;
    case 'explained':
      return `A comment was added in ${where}.`;
    case 'tested':
      return `A test was added in ${where}.`;
    default:
      return `${sentenceCase(where)} changed with words of the comment.`;
  }
}

export function sentenceCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** "line 4", "lines 4 to 7": lines of the new file, or of the old one where nothing is left. */
export function describeLines(changes: readonly Change[]): string {
  const first = changes[0];
  if (!first) return 'the file';
  return first.afterEnd > first.afterStart
    ? lines(first.afterStart, first.afterEnd)
    : lines(first.beforeStart, first.beforeEnd);
}

function describeRemoved(changes: readonly Change[]): string {
  const { beforeStart, beforeEnd } = changes[0]!;
  return `${lines(beforeStart, beforeEnd)} ${beforeEnd - beforeStart > 1 ? 'were' : 'was'}`;
}

function lines(start: number, end: number): string {
  return end - start > 1 ? `lines ${start + 1} to ${end}` : `line ${start + 1}`;
}
