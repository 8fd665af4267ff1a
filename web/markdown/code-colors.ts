/** What the page and the worker that colors code tell each other. */
import type { Language } from './languages.ts';

/** The kinds of words that have a color; markdown.css has the colors. */
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

/** A stretch of code that has a color, by its place in the code. */
export type ColoredWord = [start: number, end: number, kind: Kind];

export interface ColorRequest {
  code: string;
  language: Language;
}
