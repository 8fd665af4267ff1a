/** Excerpts of comments are plain text. */
import { expect, it } from 'vitest';
import { EXCERPT_CHARACTERS } from './contract.ts';
import { excerptOf } from './excerpt.ts';

it.each([
  ['Use `retry()` in **send**, see [the docs](https://x.example)', 'Use retry() in send, see the docs'],
  ['# Title\n\n> quoted\n> more\n\n- [x] done\n- `open`\n1. first', 'Title quoted more done open first'],
  ['```ts\nconst a = b * c;\n```\nwhy?', 'const a = b * c; why?'],
  ['**Focused test**\n\nThe others do not run.', 'Focused test · The others do not run.'],
  ['**Wrong.**\n\nReally', 'Wrong. Really'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
])('of %j is %j', (markdown, text) => {
  expect(excerptOf(markdown)).toBe(text);
});

it('is cut, and null if nothing is visible', () => {
  expect([...excerptOf('word '.repeat(500))!].length).toBeLessThanOrEqual(EXCERPT_CHARACTERS);
  expect(excerptOf('<!-- hidden -->')).toBeNull();
});
