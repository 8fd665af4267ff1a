/** Mistakes in structural rules are found where they are; nothing that is sent makes the check slow or throw. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRules } from './check-rules.ts';

const GOOD = `id: no-console
language: TypeScript
severity: warning
message: Use the log.
rule:
  all:
    - pattern: console.$METHOD($$$ARGS)
    - not:
        inside:
          kind: catch_clause
          stopBy: end
constraints:
  METHOD:
    regex: ^(log|debug)$
`;

it('accepts rules, also several documents, and rules with utilities', () => {
  expect(checkRules(GOOD)).toEqual([]);
  expect(checkRules(`${GOOD}---\n${GOOD.replace('no-console', 'other')}`)).toEqual([]);
  const withUtils =
    'id: a\nlanguage: go\nutils:\n  u: {kind: identifier}\nrule:\n  has: {matches: u, field: name}\n';
  expect(checkRules(withUtils)).toEqual([]);
  expect(
    checkRules('id: a\nlanguage: js\nrule:\n  pattern: {context: "{ a: 1 }", selector: pair}\n'),
  ).toEqual([]);
});

describe('reports', () => {
  it.each([
    ['', 1, 1, 'must contain at least one rule'],
    ['- a\n', 1, 1, 'must be a rule with `id`, `language` and `rule`'],
    [GOOD.replace('TypeScript', 'Typescrip'), 2, 11, 'Typescrip is not a language of ast-grep'],
    [GOOD.replace('warning', 'bad'), 3, 11, 'must be one of hint, info, warning, error, off'],
    [GOOD.replace('rule:', 'rules:'), 5, 1, 'rules is not a known key'],
    [GOOD.replace('- pattern:', '- patern:'), 7, 7, 'patern is not a known key'],
    [GOOD.replace('stopBy: end', 'stopBy: never'), 11, 19, '`stopBy` must be neighbor, end or a rule'],
    [GOOD.replace('kind: catch_clause', 'kind: 7'), 10, 17, '`kind` must be text'],
    [`${GOOD}---\n${GOOD}`, 16, 5, 'the id no-console is used twice'],
    [GOOD.replace('id: no-console', 'id:'), 1, 1, '`id` has no value'],
    ['id: a\nlanguage: go\nrule:\n  all: []\n', 4, 8, '`all` must be a list of rules'],
    ['id: a\nlanguage: go\nrule: {}\n', 3, 7, /^must have one of pattern, kind/],
    ['id: a\nlanguage: go\nrule: foo\n', 3, 7, /^must be a rule, such as/],
    ['id: a\nlanguage: &l go\nmessage: *l\nrule: {kind: x}\n', 3, 10, 'aliases can’t be used in rules'],
    ['id: a\n  language: go\n', 1, 5, /nested|Nested/i],
    ['id: a\nid: b\nlanguage: go\nrule: {kind: x}\n', 2, 1, /unique/i],
    ['id: [a\n', 2, 1, /./],
  ])('%j at line %i, column %i', (source, line, column, message) => {
    const [first] = checkRules(source);
    expect(first).toEqual({
      line,
      column,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });
});

it('refuses deep nesting instead of exhausting the stack', () => {
  const flow = `id: a\nlanguage: go\nrule: ${'[{a: '.repeat(5000)}`;
  expect(checkRules(flow)).toMatchObject([{ line: 3, message: 'is nested more than 50 levels deep' }]);
  const block = Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}not:`).join('\n');
  expect(checkRules(block).length).toBeGreaterThan(0);
  for (const sign of ['- ', '? '])
    expect(checkRules(`${sign.repeat(10_000)}a`)).toMatchObject([
      { message: 'is nested more than 50 levels deep' },
    ]);
});

it('never throws, and every problem is inside of the text', () => {
  const pieces = fc.constantFrom(
    ...[
      'id: a\n',
      'language: go\n',
      'rule:\n',
      '  ',
      '- ',
      'pattern: x\n',
      '{',
      '}',
      '[',
      ']',
      '&a ',
      '*a',
      '!!map ',
    ],
    ...[
      '---\n',
      '...\n',
      '? ',
      ': ',
      '"',
      "'",
      '|\n',
      '\t',
      '# c\n',
      'all:\n',
      'not:',
      '%YAML 9\n',
      '\u0000',
    ],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const source = parts.join('');
      const lines = source.split('\n').length;
      for (const { column, line } of checkRules(source)) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines);
        expect(column).toBeGreaterThanOrEqual(1);
      }
    }),
    { numRuns: 500 },
  );
});
