/** Estimates the height of a thread's card, so that the margin can be laid out before every card is measured. Pure. */
import { changedWords, type Thread } from '../threads/threads.ts';

const LINE_CHARACTERS = 36;
const LINE_PIXELS = 22;
/** A longer comment is clamped. */
const MAX_LINES = 10;
/** Name, actions and the space around them. */
const CARD_PIXELS = 100;
const REPLY_PIXELS = 44;
const CHANGED_WORDS_PIXELS = 100;
const MAX_REPLIES = 3;

export function estimateHeight({ replies, root }: Thread): number {
  const shown = replies.slice(-MAX_REPLIES);
  const words = changedWords(root) ? CHANGED_WORDS_PIXELS : 0;
  return [root, ...shown].reduce(
    (sum, { body }) => sum + linesIn(body) * LINE_PIXELS,
    CARD_PIXELS + words + shown.length * REPLY_PIXELS,
  );
}

function linesIn(body: string): number {
  const lines = body.split('\n').map((line) => Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)));
  return Math.min(
    MAX_LINES,
    lines.reduce((sum, count) => sum + count, 0),
  );
}
