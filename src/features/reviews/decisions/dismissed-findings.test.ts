/**
 * Generated histories of a pull request (rebases, renames, moves, reformatting, repeated runs): a dismissed finding is never raised
 * again, and a finding that is new is never swallowed by an old decision. Also which replies on a code host dismiss.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate, JudgedCandidate } from '../../../engines/review/contract/code-review.ts';
import { findingKey } from '../../../engines/review/index.ts';
import { DISMISSAL_SCOPES } from '../contract.ts';
import { chooseFindings } from '../runs/choose-findings.ts';
import { type DismissalScope, similarity } from './covering-decision.ts';
import { readWontFix } from './decide-on-host.ts';

/** Where a finding is, and how its line is formatted. */
interface Place {
  file: string;
  line: number;
  format: (code: string) => string;
}

interface Finding {
  check: string;
  subject: string;
  /** In the style of the first version. */
  code: string;
}

const FORMATS: ((code: string) => string)[] = [
  (code) => code,
  (code) => `    ${code}`,
  (code) => code.replaceAll(/\s+/g, ' ').replaceAll(' = ', '='),
  (code) => code.replaceAll("'", '"'),
  (code) => code.replace(/;$/, ''),
  (code) => code.replaceAll(/\((\w+)\) =>/g, '$1 =>'),
  (code) => code.replaceAll(/, ?\)/g, ')'),
];

const SECURITY_CHECK = 'unsafe_workflow';
const names = fc.constantFrom('load', 'save', 'format', 'parse', 'total');
const lines = fc.constantFrom(
  (name: string) => `const ${name} = (x) => call(x, '${name}');`,
  (name: string) => `it.only('${name}', () => check(a, b, ));`,
  (name: string) => `return a * (b + ${name}(c));`,
  (name: string) => `return a * b + ${name}(c);`,
  (name: string) => `const key = ${name};`,
  (name: string) => `const key = '${name}';`,
);
const finding: fc.Arbitrary<Finding> = fc.record({
  check: fc.constantFrom('focused_test', 'removed_but_used', SECURITY_CHECK),
  subject: names,
  code: fc.tuple(lines, names).map(([line, name]) => line(name)),
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('rebase' as const), by: fc.integer({ min: -50, max: 500 }) }),
  fc.record({
    kind: fc.constant('rename' as const),
    to: fc.constantFrom('src/a.ts', 'src/b.ts', 'lib/c.ts'),
  }),
  fc.record({ kind: fc.constant('reformat' as const), format: fc.nat(FORMATS.length - 1) }),
  fc.record({ kind: fc.constant('run again' as const) }),
);

function move(place: Place, taken: typeof step extends fc.Arbitrary<infer Step> ? Step : never): Place {
  switch (taken.kind) {
    case 'rebase':
      return { ...place, line: Math.max(1, place.line + taken.by) };
    case 'rename':
      return { ...place, file: taken.to };
    case 'reformat': {
      const format = FORMATS[taken.format]!;
      return { ...place, format: (code) => format(place.format(code)) };
    }
    case 'run again':
      return place;
  }
}

function candidateOf({ check, code, subject }: Finding, { file, format, line }: Place): JudgedCandidate {
  const found: Candidate = {
    reviewer: check === SECURITY_CHECK ? 'security' : 'r',
    check,
    claim: 'rule',
    subject,
    title: `About ${subject}`,
    scenario: 's',
    file,
    side: 'head',
    line,
    quote: format(code),
    evidence: [],
  };
  return { ...found, key: findingKey(found), fate: { kind: 'finding' } };
}

const isSame = (one: Finding, other: Finding) =>
  one.check === other.check && one.subject === other.subject && one.code === other.code;

/** The words of the quoted code, in any order: at least four, and four of five the same. */
function isNear(one: Finding, other: Finding): boolean {
  const [left, right] = [one, other].map(({ code }) => code.split(/[^a-z]+/).filter((word) => word !== ''));
  const rest = [...right!];
  for (const word of left!) if (rest.includes(word)) rest.splice(rest.indexOf(word), 1);
  const shared = right!.length - rest.length;
  return Math.min(left!.length, right!.length) >= 4 && shared * 2 >= 0.8 * (left!.length + right!.length);
}

/** Whether a dismissal of one at `src/a.ts` should cover the other at its place. */
function isCovered(scope: DismissalScope, one: Finding, other: Finding, file: string): boolean {
  if (isSame(one, other)) return true;
  if (other.check === SECURITY_CHECK || one.check !== other.check) return false;
  if (scope === 'path') return file === 'src/a.ts';
  if (scope === 'symbol') return one.subject === other.subject;
  return file === 'src/a.ts' && one.subject === other.subject && isNear(one, other);
}

describe('a dismissed finding', () => {
  it('stays silent through any history, and silences no other than its scope says', () => {
    const scopes = fc.constantFrom(...DISMISSAL_SCOPES);
    fc.assert(
      fc.property(
        finding,
        fc.array(step, { maxLength: 8 }),
        finding,
        scopes,
        (dismissed, history, other, scope) => {
          let place: Place = { file: 'src/a.ts', line: 10, format: (code) => code };
          const decided = candidateOf(dismissed, place);
          const decision = { key: decided.key, scope, finding: decided, said: 'Ada dismissed it.' };
          const known = {
            decisions: [decision],
            ...{ raised: [], listed: new Set(''), paused: new Set(''), limitedCount: 0 },
          };
          for (const taken of history) {
            place = move(place, taken);
            const [again] = chooseFindings([candidateOf(dismissed, place)], known);
            expect(again!.fate.kind).toBe('known');
            const [fresh] = chooseFindings([candidateOf(other, place)], known);
            expect(fresh!.fate.kind).toBe(
              isCovered(scope, dismissed, other, place.file) ? 'known' : 'finding',
            );
          }
        },
      ),
      { seed: 20260101, numRuns: 800 },
    );
  });

  it.each([
    ["logger.debug('user', user.id, request.path)", "logger.debug('user', user.id, request.url)", true],
    ["logger.debug('user', user.id)", "logger.debug('team', team.id)", false],
    ['console.log(a)', 'console.log(b)', false],
    ['uses: actions/checkout@v4', 'uses: actions/setup-node@v4', false],
  ])('counts %j and %j as nearly the same: %j', (one, other, expected) =>
    expect(similarity(one, other) >= 0.8).toBe(expected),
  );
});

const KNOWN = { raised: [], listed: new Set(''), decisions: [], limitedCount: 0, paused: new Set('') };
const PLACE: Place = { file: 'src/a.ts', line: 10, format: (code) => code };

describe('a paused check', () => {
  const fateOf = (check: string, paused: string, more: Partial<JudgedCandidate> = {}) =>
    chooseFindings(
      [{ ...candidateOf({ check, subject: 'load', code: 'x' }, PLACE), reviewer: 'tests_missing', ...more }],
      {
        ...KNOWN,
        paused: new Set([paused]),
      },
    )[0]!.fate.kind;
  const producer = { kind: 'tool', vendor: 'Lint' } as JudgedCandidate['producer'] & object;

  it('raises nothing; others go on, and so do rules and reports with its name', () => {
    expect(fateOf('focused_test', 'check focused_test')).toBe('held_back');
    expect(fateOf('skipped_test', 'check focused_test')).toBe('finding');
    expect(fateOf('focused_test', 'reported focused_test')).toBe('finding');
    expect(fateOf('focused_test', 'rule focused_test')).toBe('finding');
    expect(fateOf('focused_test', 'check focused_test', { producer })).toBe('finding');
    expect(fateOf('focused_test', 'tool focused_test', { producer })).toBe('held_back');
    expect(fateOf('focused_test', 'check focused_test', { reviewer: 'own' })).toBe('finding');
    expect(fateOf('focused_test', 'rule focused_test', { reviewer: 'own' })).toBe('held_back');
  });

  it('is never one that looks for secrets or security problems', () => {
    const secret = { reviewer: 'secrets', claim: 'secret' } as const;
    expect(fateOf('leaked_secret', 'check leaked_secret', secret)).toBe('finding');
    expect(fateOf('unsafe_workflow', 'check unsafe_workflow', { reviewer: 'security' })).toBe('finding');
  });
});

describe('findings that another one speaks for', () => {
  const at = (file: string) =>
    candidateOf({ check: 'focused_test', subject: 'it', code: file }, { ...PLACE, file });
  const [first, second, third] = [at('a'), at('b'), at('c')];
  const grouped = (one: JudgedCandidate) => ({ ...one, fate: { kind: 'grouped' as const, with: 0 } });
  const all = [first, grouped(second), grouped(third)];
  const decided = (scope: DismissalScope) => [
    { key: first.key, scope, finding: first, said: 'Ada dismissed it.' },
  ];
  const fates = (known: Partial<Parameters<typeof chooseFindings>[1]>) =>
    chooseFindings(all, { ...KNOWN, ...known }).map(({ fate }) => fate);

  it('are raised when it is dismissed, unless the dismissal covers them', () => {
    expect(fates({ decisions: decided('repository'), raised: [first] })).toEqual([
      { kind: 'known', reason: 'Ada dismissed it.' },
      { kind: 'finding' },
      { kind: 'grouped', with: 1 },
    ]);
    expect(fates({ decisions: decided('symbol') }).map(({ kind }) => kind)).toEqual([
      'known',
      'known',
      'known',
    ]);
  });

  it('stay with it otherwise; a place that it does not list is a new finding', () => {
    const kinds = (...listed: JudgedCandidate[]) =>
      fates({ raised: [first], listed: new Set(listed.map(({ key }) => key)) }).map(({ kind }) => kind);
    expect(kinds(second, third)).toEqual(['known', 'grouped', 'grouped']);
    expect(kinds(second)).toEqual(['known', 'grouped', 'finding']);
    expect(kinds()).toEqual(['known', 'finding', 'grouped']);
  });
});

describe('a reply on a code host', () => {
  it.each([
    ["won't fix", ''],
    ['Won’t fix: we drop this next week', 'we drop this next week'],
    ['wontfix', ''],
    ['WONTFIX - legacy', 'legacy'],
    ["I won't fix this today, but tomorrow", null],
    ["> won't fix\n\nWhy not?", null],
    ['won’t fixate on it', null],
    ['Fixed', null],
  ])('%j', (body, note) => expect(readWontFix(body)).toBe(note));
});
