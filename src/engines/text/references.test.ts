/** References in texts, and what only looks like one. */
import { expect, it } from 'vitest';
import { findReferences, mentionedIn } from './references.ts';

const valuesIn = (text: string) => findReferences(text).map(({ kind, value }) => `${kind} ${value}`);

it('finds people, teams, pull requests and commits where they stand', () => {
  const text = 'Ask @ada, @ada@acme.com or @team-x. See #12, acme/api#7 and 1f0c7a9b; (@Grace).';
  expect(valuesIn(text)).toEqual([
    ...['mention ada', 'mention ada@acme.com', 'mention team-x', 'pull_request #12'],
    ...['pull_request acme/api#7', 'commit 1f0c7a9b', 'mention Grace'],
  ]);
  for (const { end, kind, start, value } of findReferences(text))
    expect(text.slice(start, end)).toBe(kind === 'mention' ? `@${value}` : value);
});

it('finds nothing in addresses, words and numbers that only look like it', () => {
  for (const text of [
    ...[
      'mail ada@acme.com',
      'a@@b',
      'npm i @types/node',
      '1234567',
      'defaced',
      'C#12',
      'x#1',
      '##12',
      '#12a',
      '&#39;',
    ],
    ...['https://x.test/a#12', 'https://x.test/1f0c7a9b', '@', '# 12', '1f0c7a9b-2', 'api#12'],
  ])
    expect(valuesIn(text), text).toEqual([]);
});

it('mentions nobody from code and quotes', () => {
  const text = [
    '> @quoted said so',
    '',
    'Hi @ada and `@code`, ``@more` code``.',
    '',
    '```',
    '@fenced',
    '```',
    '',
    '    @indented',
    '',
    '- @Grace too',
  ].join('\n');
  expect(mentionedIn(text)).toEqual(['ada', 'grace']);
});

it('takes linear time', () => {
  for (const piece of ['@a', '@a.', 'a/', 'a/#', '#1', 'f', '@a@a.a.', '`@a'])
    expect(findReferences(piece.repeat(50_000)).length).toBeLessThanOrEqual(1000);
});
