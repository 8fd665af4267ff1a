/** Which suggestions a comment has. */
import { expect, it } from 'vitest';
import { readSuggestions, suggestionAt } from './suggestions.ts';

it('reads each suggestion block of a comment, also nested in longer fences and in lists', () => {
  const body =
    'Try\n```suggestion\na\nb\n```\nor\n````suggestion\n```\n````\n```ts\nno\n```\n- Also\n  ```suggestion\n  ```\n';
  expect(readSuggestions(body).map(({ lines }) => lines)).toEqual([['a', 'b'], ['```'], []]);
  expect(suggestionAt(body, body.indexOf('```suggestion'))).toBe(0);
  expect(suggestionAt(body, body.lastIndexOf('```suggestion'))).toBe(2);
  expect(suggestionAt(body, body.indexOf('```ts'))).toBe(-1);
});
