/** Generated changes that answer no comment: reformatting, moves, and unrelated edits of the commented lines. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeAddressed } from './index.ts';
import { ADDRESSED, MAYBE } from './weights.ts';

const NAMES = ['order', 'total', 'client', 'limit', 'reply', 'price', 'index', 'result', 'parser', 'buffer'];
/** Names of unrelated edits; no comment contains a part of them. */
const OTHERS = ['zebra', 'quartz', 'walrus', 'jigsaw', 'oxbow'];

const COMMENTS = [
  'Please remove this.',
  'nit: unused',
  'Is this still needed? Please drop it.',
  'Rename this to `maximumRetries`.',
  'nit: rename `order` to `purchase`',
  'total -> sum',
  'Use `Promise.all` instead.',
  'nit: use a constant here',
  'Should this be `readonly`?',
  'Handle the error case, please.',
  'Missing null check.',
  'Could you add a unit test?',
  'Please document what happens on failure.',
  'Why 3?',
  'What does this do?',
  'How is the client closed?',
  'typo',
  'nit: capitalize',
  'This leaks memory when the request is aborted. We should release it in a finally block instead.',
  'nit: formatting',
  'Move this above the loop.',
  'Extract a helper.',
  '```suggestion\n  return await fetchEverything();\n```',
  'nit:\n```suggestion\n  const answer = 42;\n```',
  'Avoid `any`.',
  'Same here.',
];

const name = fc.constantFrom(...NAMES);
const other = fc.constantFrom(...OTHERS);
const line = fc.oneof(
  fc.tuple(name, name, fc.nat(9)).map(([a, b, n]) => `  const ${a} = ${b}.get('${n}', ${n});`),
  fc.tuple(name, name).map(([a, b]) => `  if (${a}.length > ${b}) return ${a};`),
  fc.tuple(name, name, name).map(([a, b, c]) => `  ${a}.push(${b}, ${c}, { size: ${a}.size });`),
  fc.tuple(name, name).map(([a, b]) => `  // the ${a} of the ${b}`),
  fc.constant('  }'),
);
const file = fc.array(line, { minLength: 12, maxLength: 40 });

type Mutation = (lines: string[], start: number, end: number) => string[];

const reformats: Mutation[] = [
  (lines) => lines.map((text) => `  ${text}`),
  (lines, start, end) => lines.map((text, at) => (at >= start && at < end ? `\t${text.trim()}` : text)),
  (lines) =>
    lines.flatMap((text) => text.split(/(?<=, )/).map((part, at) => (at > 0 ? `      ${part}` : part))),
  (lines) => lines.map((text) => text.replaceAll("'", '"').replace(/;$/, '')),
  (lines, start) => [...lines.slice(0, start), '', ...lines.slice(start)],
];

const moves: Mutation[] = [
  (lines, start, end) => [...lines.slice(0, start), ...lines.slice(end), ...lines.slice(start, end)],
  (lines, start, end) => [...lines.slice(start, end), ...lines.slice(0, start), ...lines.slice(end)],
  (lines, start, end) => [
    ...lines.slice(0, start),
    ...lines.slice(end),
    '',
    ...lines.slice(start, end).map((text) => `    ${text}`),
  ],
];

const edits = (word: string): Mutation[] => [
  (lines, start) => lines.map((text, at) => (at === start ? `${text} ${word}();` : text)),
  (lines, start) => lines.map((text, at) => (at === start ? text.replace(/\w+(?=\W*$)/, word) : text)),
  (lines, start) => lines.map((text, at) => (at === start ? text.replace('(', `(${word}, `) : text)),
  (lines, start) => [...lines.slice(0, start), `  ${word}(1);`, ...lines.slice(start)],
  (lines, start) => [...lines.slice(0, start), `  // ${word} ${word}`, ...lines.slice(start)],
  (lines, start, end) => [...lines.slice(0, start), `  ${word} = new ${word}();`, ...lines.slice(end)],
  (lines) => lines.map((text) => text.replaceAll('buffer', word)),
];

const edit = other.chain((word) => fc.constantFrom(...edits(word)));
const rearrangement = fc.constantFrom(...reformats, ...moves);
/** At most one edit, and last: a move of what was put in place of the lines would remove them. */
const change = fc.oneof(
  rearrangement.map((mutation) => [mutation]),
  edit.map((mutation) => [mutation]),
  fc.tuple(rearrangement, fc.oneof(rearrangement, edit)),
);

it('takes none of 3,000 for an answer', () => {
  fc.assert(
    fc.property(
      file,
      fc.nat(),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(...COMMENTS),
      change,
      (lines, at, length, comment, mutations) => {
        const start = at % lines.length;
        const end = Math.min(lines.length, start + length);
        const after = mutations.reduce((text, mutate) => mutate(text, start, end), lines);
        const judgment = judgeAddressed({
          ...{ comment, replies: [], otherHunks: [], file: 'a.ts' },
          ...{ startLine: start + 1, endLine: end, commentedCode: lines.slice(start, end).join('\n') },
          ...{ before: lines.join('\n'), after: after.join('\n') },
        });
        expect(judgment.verdict).not.toBe('addressed');
        expect(judgment.confidence < ADDRESSED).toBe(true);
        expect(judgment.confidence >= MAYBE).toBe(judgment.verdict === 'maybe');
      },
    ),
    { numRuns: 3_000 },
  );
});
