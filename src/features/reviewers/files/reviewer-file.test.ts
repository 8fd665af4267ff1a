/** Reviewers as Markdown files: what is written is read back exactly, and mistakes are found where they are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../test/helpers/text/any-character.ts';
import { compileGlob } from '../../../engines/search/index.ts';
import { type ReviewerFile, readReviewerFile, writeReviewerFile } from './reviewer-file.ts';

const isText = (value: string) => value.isWellFormed() && !value.includes('\0');
const pieces = fc.constantFrom(
  ...[
    'a',
    ' ',
    '\n',
    '---',
    '---\n',
    '```',
    '```yaml\n',
    ': ',
    '#',
    '"',
    "'",
    '\r\n',
    '\t',
    'é',
    '😀',
    '- ',
    '{',
    '*',
  ],
);
const free = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.array(pieces, { maxLength: 12 }).map((some) => some.join('')),
);
const required = free.filter((value) => isText(value) && /[^\s\u0085]/.test(value));
const globs = required.filter((value) => compileGlob(value).ok);
const scopes = fc.array(
  fc.record({ repository: fc.option(required, { nil: null }), paths: fc.array(globs, { maxLength: 3 }) }),
  { maxLength: 3 },
);
const rules = fc
  .record({ id: required, message: free.filter(isText), pattern: required })
  .map(({ id, message, pattern }) =>
    [
      `id: ${JSON.stringify(`x${id}`)}`,
      'language: go',
      `message: ${JSON.stringify(message)}`,
      `rule: {pattern: ${JSON.stringify(`x${pattern}`.replaceAll(/[[\]{}]/g, ''))}}`,
    ].join('\n'),
  );
const files: fc.Arbitrary<ReviewerFile> = fc
  .record({ title: required, description: free.filter(isText), enabled: fc.boolean(), scopes })
  .chain((facts) =>
    fc.oneof(
      required.map((body) => ({ ...facts, kind: 'instructions' as const, body })),
      rules.map((body) => ({ ...facts, kind: 'rules' as const, body })),
    ),
  );

it('what is written is read back exactly', () => {
  fc.assert(
    fc.property(files, (file) => {
      expect(readReviewerFile(writeReviewerFile(file))).toEqual({ ok: true, file });
    }),
    { numRuns: 500 },
  );
});

it('reads what people write: Windows line ends, no blank line, only a title', () => {
  expect(readReviewerFile('---\r\ntitle: A\r\n---\r\nLook.\r\n')).toEqual({
    ok: true,
    file: {
      title: 'A',
      description: '',
      enabled: true,
      kind: 'instructions',
      scopes: [{ repository: null, paths: [] }],
      body: 'Look.',
    },
  });
  const rulesFile = '---\ntitle: R\nkind: rules\n---\n\n```yaml\nid: a\nlanguage: go\nrule: {kind: x}\n```\n';
  expect(readReviewerFile(rulesFile)).toMatchObject({ ok: true, file: { kind: 'rules' } });
});

describe('mistakes', () => {
  it.each([
    ['Look.', 1, 1, /must start with front matter/],
    ['---\ntitle: A\n', 1, 1, /must start with front matter/],
    ['---\ntitle: A\ntitel: B\n---\nx', 2, 1, /titel/],
    ['---\ndescription: A\n---\nx', 2, 1, /^title: /],
    ['---\ntitle: [A\n---\nx', 3, 1, /./],
    ['---\ntitle: A\nenabled: maybe\n---\nx', 3, 10, /^enabled: /],
    ['---\ntitle: A\nscopes:\n  - paths: ["[b-a]"]\n---\nx', 4, 13, /not a valid glob/],
    ['---\ntitle: A\n---\n\n', 5, 1, /blank/],
    ['---\ntitle: A\nkind: rules\n---\nid: a\n', 5, 1, /fenced block/],
    ['---\ntitle: A\nkind: rules\n---\n```yaml\nid: a\nlanguage: nope\nrule: {kind: x}\n```', 7, 11, /nope/],
    ['---\na: &a [x]\ntitle: *a\n---\nx', 3, 8, /aliases/],
    ['---\ntitle: A\ntitle: B\n---\nx', 3, 1, /unique/],
    [`---\ntitle: ${'['.repeat(1000)}\n---\nx`, 2, 58, /nested more than 50/],
    [`---\ntitle: ${'a'.repeat(131_072)}\n---\nx`, 1, 1, /more than 131,072 characters/],
  ])('%j at line %i, column %i', (source, line, column, message) => {
    const read = readReviewerFile(source);
    expect(read).toMatchObject({ ok: false });
    if (!read.ok) expect(read.problems[0]).toEqual({ line, column, message: expect.stringMatching(message) });
  });
});

it('front matter and rules with many keys are read in no time', () => {
  const keys = Array.from({ length: 6000 }, (_, at) => `k${at}:`).join('\n');
  // CPU time, because a busy machine makes no difference to it.
  const start = process.cpuUsage();
  expect(readReviewerFile(`---\n${keys}\n---\nx`)).toMatchObject({ ok: false });
  const rules = `id: a\nlanguage: go\nrule: {kind: x}\nmetadata:\n${keys.replaceAll('k', '  k').slice(0, 29_000)}`;
  readReviewerFile(`---\ntitle: R\nkind: rules\n---\n\`\`\`yaml\n${rules}\n\`\`\`\n`);
  const { system, user } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(2000);
});
