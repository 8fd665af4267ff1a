/** The text of plans: what a plan consists of, how two versions differ, and where quoted words are in another version. */
export { wordQuery } from './plan-words.ts';
export { createTextThreads, type TextThreads } from './run-text-work.ts';
export type { PlacedQuote, TextWork } from './text-work.ts';
