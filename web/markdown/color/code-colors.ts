/** The messages between the page and the syntax highlighting worker. */
import type { Language } from './languages.ts';

/** The kinds of tokens that have a color; markdown.css defines the colors. */
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

/** A colored range of the code. */
export type ColoredWord = [start: number, end: number, kind: Kind];

export interface ColorRequest {
  code: string;
  language: Language;
}
