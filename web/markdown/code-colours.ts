/** What the page and the worker that colours code tell each other. */
import type { Language } from './languages.ts';

/** The kinds of words that have a colour; markdown.css has the colours. */
export const KINDS = [
  'comment',
  'constant',
  'deleted',
  'function',
  'inserted',
  'keyword',
  'parameter',
  'string',
] as const;

export type Kind = (typeof KINDS)[number];

/** A stretch of code that has a colour, by its place in the code. */
export type ColouredWord = [start: number, end: number, kind: Kind];

export interface ColourQuestion {
  code: string;
  language: Language;
}
