/** Arbitrary sets of reports: no report hides or confirms a finding with another cause, whatever its order. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Candidate } from '../../../engines/review/contract/code-review.ts';
import { findingKey } from '../../../engines/review/index.ts';
import { findRepeated, type ReportOutcome } from '../runs/answer-report.ts';
import { chooseFindings } from '../runs/choose-findings.ts';
import { judgeReports, type Verdict } from './confirm-findings.ts';

/** They share most of their words. */
const TEXTS = [
  'The result of this call is infinite when the list of items is empty.',
  'The result of this call is never used when the list of items is empty.',
  'A token that opens the list of items is in the result of this call.',
];
const OWNER = 'ada';
const report = fc.record({
  user: fc.constantFrom(OWNER, 'bob', 'cy'),
  claim: fc.constantFrom('other' as const, 'unused' as const, 'secret' as const),
  subject: fc.constantFrom('average', 'items'),
  line: fc.constantFrom(3, 4),
  text: fc.constantFrom(...TEXTS),
  isProven: fc.boolean(),
  verdict: fc.constantFrom('confirmed' as const, 'refuted' as const, null, null, null),
});
type Report = typeof report extends fc.Arbitrary<infer Value> ? Value : never;

function toCandidate({ claim, isProven, line, subject, text, user }: Report) {
  const candidate: Candidate = {
    ...{ reviewer: 'r', check: claim, claim, subject, line, title: 'The result', scenario: text },
    ...{ file: 'src/a.ts', side: 'head', quote: `line ${line}`, evidence: [] },
    // Nothing proves a claim that no check can tell.
    proof: isProven && claim !== 'other' ? 'proven' : 'unverified',
    producer: { kind: 'agent', userId: user, userName: user, vendor: null, model: null, sessionId: null },
  };
  return { ...candidate, key: findingKey(candidate) };
}

/** As the reports arrive, each is compared with the accepted ones before it. */
function finish(reports: readonly (Report & { id: string })[]) {
  const stored: {
    id: string;
    outcome: ReportOutcome['kind'];
    reason: null;
    candidate: ReturnType<typeof toCandidate>;
  }[] = [];
  for (const each of reports) {
    const candidate = toCandidate(each);
    const earlier = stored
      .filter(({ outcome }) => outcome === 'accepted')
      .map((row) => ({ ...row.candidate, id: row.id }));
    const proof = candidate.proof!;
    const { kind } = findRepeated(earlier, { kind: 'accepted', proof, note: null, candidate });
    stored.push({ id: each.id, outcome: kind, reason: null, candidate });
  }
  const verdicts = reports.flatMap(({ id, verdict }): Verdict[] =>
    verdict === null ? [] : [{ finding_id: id, verdict, reason: '', user_name: 'dan' }],
  );
  const isOwn = ({ candidate }: (typeof stored)[number]) => candidate.producer!.userId === OWNER;
  const judged = judgeReports(
    stored.filter(isOwn),
    stored.filter((each) => !isOwn(each)),
    verdicts,
  );
  const known = { raised: [], listed: new Set(''), decisions: [], paused: new Set(''), limitedCount: 0 };
  return chooseFindings(judged, known);
}

const isSameProblem = (one: Report, other: Report) =>
  one.claim === other.claim &&
  one.subject === other.subject &&
  (one.claim !== 'other' || one.text === other.text);
const isSameReport = (one: Report, other: Report) => isSameProblem(one, other) && one.line === other.line;
const named = (reports: Report[]) => reports.map((each, index) => ({ ...each, id: `${index}` }));

it('raises every proven finding, and no other that nobody confirmed', () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 12 }), (given) => {
      const reports = named(given);
      const chosen = finish(reports);
      const reportOf = (id: string) => reports.find((each) => each.id === id)!;
      for (const each of chosen) {
        const own = reportOf(each.id);
        if (each.proof === 'proven') {
          // By itself, or by one that is proven and names the same problem.
          const speaker = each.fate.kind === 'grouped' ? chosen[each.fate.with]! : each;
          const isRaised = chosen.some(
            (other) =>
              other.fate.kind === 'finding' &&
              other.proof === 'proven' &&
              isSameProblem(reportOf(other.id), reportOf(speaker.id)),
          );
          expect(isRaised).toBe(true);
        } else if (each.fate.kind === 'finding') {
          const same = reports.filter((other) => isSameReport(own, other));
          const isConfirmed = same.some(({ user, verdict }) => verdict === 'confirmed' || user !== OWNER);
          expect(
            isConfirmed &&
              same.every(
                ({ user, verdict, id }) => verdict !== 'refuted' || (user === OWNER && id !== own.id),
              ),
          ).toBe(true);
        }
      }
    }),
  );
});

it('raises the same in whatever order they arrive', () => {
  const shuffled = fc
    .array(report, { maxLength: 10 })
    .chain((given) =>
      fc.tuple(fc.constant(named(given)), fc.shuffledSubarray(named(given), { minLength: given.length })),
    );
  const fatesOf = (reports: Parameters<typeof finish>[0]) =>
    finish(reports)
      .map(({ fate, line, claim, scenario, subject }) =>
        JSON.stringify([claim, subject, line, scenario, fate.kind]),
      )
      .sort();
  fc.assert(
    fc.property(shuffled, ([one, other]) => {
      expect(fatesOf(other)).toEqual(fatesOf(one));
    }),
  );
});

it('raises the same findings when a false report of something else is added', () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 8 }), report, fc.nat(8), (given, extra, at) => {
      const lie = { ...extra, id: 'lie', isProven: false, verdict: null };
      fc.pre(!given.some((each) => isSameReport(each, lie)));
      const reports = named(given);
      const raisedOf = (all: typeof reports) =>
        finish(all)
          .flatMap(({ fate, id }) => (fate.kind === 'finding' ? [id] : []))
          .sort();
      expect(raisedOf(reports.toSpliced(at, 0, lie))).toEqual(raisedOf(reports));
    }),
  );
});
