/**
 * Judges a finding that an agent, a model or a tool reported: the gate, whether this change introduces it, and its claim. Says
 * why it is refused, so that the producer can fix it.
 */

import { checkClaim } from './check-claim.ts';
import { addedLines, type Change, removedLines } from './code/read-change.ts';
import type { ReviewCode } from './code/review-code.ts';
import type {
  BuiltInReviewer,
  Candidate,
  Claim,
  JudgedReport,
  Place,
  Producer,
  ReportedFinding,
  Side,
} from './contract/code-review.ts';
import { findingKey } from './finding-key.ts';
import { type GateResult, isAtLine, passGate } from './gate.ts';
import { maskSecrets } from './masking/mask-secrets.ts';

/** Whose finding it is when the producer doesn't say. */
const REVIEWER_OF: Record<Claim, BuiltInReviewer> = {
  removed_but_used: 'breaking_changes',
  unused: 'logic_errors',
  missing: 'logic_errors',
  duplicate: 'logic_errors',
  signature: 'breaking_changes',
  contract: 'breaking_changes',
  secret: 'secrets',
  dependency: 'dependency_risk',
  plan: 'plan_conformance',
  rule: 'logic_errors',
  other: 'logic_errors',
};
/** Shorter quotes are common code, and tell nothing about what was moved. */
const MIN_MOVED_CHARACTERS = 12;

export async function judgeReport(
  change: Change,
  code: ReviewCode,
  finding: ReportedFinding,
  producer: Producer,
): Promise<JudgedReport> {
  const { candidate, gate } = await place(change, code, finding, producer);
  const refuse = (reason: string) => conclude(code, { kind: 'refused', reason, candidate: keyed(candidate) });
  if (gate.kind === 'refused') return refuse(gate.reason);
  const placed: Candidate = { ...candidate, line: gate.line, quote: gate.quote };
  if (!placed.cause && placed.side === 'head' && isMoved(change, placed.quote)) {
    return refuse(
      'The quoted code was only moved: it is at the merge base too. If the move breaks it, name a changed line as `cause`.',
    );
  }
  // A tool proves what its rules find.
  if (producer.kind === 'tool')
    return conclude(code, {
      ...{ kind: 'passed', proof: 'proven', note: null },
      candidate: keyed({ ...placed, proof: 'proven' }),
    });
  const claim = await checkClaim(change, code, placed);
  if (claim.kind === 'refuted') return refuse(claim.reason);
  if (claim.kind === 'unverified') {
    return conclude(code, {
      ...{ kind: 'passed', proof: 'unverified', note: claim.reason },
      candidate: keyed({ ...placed, proof: 'unverified' }),
    });
  }
  // A finding that a check finds too gets the check's place, subject and words: only that was proven.
  const { by } = claim;
  const proven = by
    ? {
        ...{ ...placed, check: by.check, subject: by.subject, side: by.side, file: by.file, line: by.line },
        ...{ title: by.title, scenario: by.scenario, quote: by.quote },
        ...{ evidence: placed.evidence.length > 0 ? placed.evidence : by.evidence },
        ...(by.command !== undefined && { command: by.command }),
      }
    : { ...placed, proof: 'proven' as const };
  return conclude(code, { kind: 'passed', proof: 'proven', note: null, candidate: keyed(proven) });
}

/** At the head, else as a removed line at the base. */
async function place(
  change: Change,
  code: ReviewCode,
  finding: ReportedFinding,
  producer: Producer,
): Promise<{ candidate: Candidate; gate: GateResult }> {
  const atHead = await candidateAt('head', code, finding, producer);
  const head = await passGate(code, change, atHead);
  if (head.kind === 'passed') return { candidate: atHead, gate: head };
  const atBase = await candidateAt('base', code, finding, producer);
  const base = await passGate(code, change, atBase);
  if (base.kind === 'passed') return { candidate: atBase, gate: base };
  const isOfBase = base.isPlaced ? !head.isPlaced : (await code.read('head', finding.file)) === null;
  return isOfBase ? { candidate: atBase, gate: base } : { candidate: atHead, gate: head };
}

async function candidateAt(
  side: Side,
  code: ReviewCode,
  finding: ReportedFinding,
  producer: Producer,
): Promise<Candidate> {
  const { cause, check, claim, evidence, file, fix, line, reviewer, scenario, subject, title } = finding;
  // A tool says where, and the code says what is there.
  const quote = finding.quote ?? (await code.read(side, file))?.split('\n')[line - 1] ?? '';
  return {
    ...{ claim, subject, title, scenario, file, line, side, quote, producer },
    reviewer: reviewer ?? REVIEWER_OF[claim],
    check: check ?? claim,
    evidence: await Promise.all(
      evidence.map(async ({ side: said, ...each }) => ({
        ...each,
        side: said ?? (await sideOf(code, each)),
      })),
    ),
    ...(fix !== undefined && side === 'head' && { fix }),
    ...(cause && { cause }),
  };
}

/** Evidence that is only at the base was removed. */
async function sideOf(code: ReviewCode, { line, path, quote }: Place): Promise<Side> {
  const isAt = async (side: Side) => {
    const text = await code.read(side, path);
    return text !== null && (await isAtLine(text, quote, line));
  };
  return !(await isAt('head')) && (await isAt('base')) ? 'base' : 'head';
}

/** Whether the change removes the same lines as often as it adds them. */
function isMoved({ files }: Change, quote: string): boolean {
  if (quote.replaceAll(/\s/g, '').length < MIN_MOVED_CHARACTERS) return false;
  const wanted = quote.split('\n').map((line) => line.trim());
  const count = (lines: string[]) => {
    let found = 0;
    for (let at = 0; at + wanted.length <= lines.length; at += 1) {
      if (wanted.every((line, index) => lines[at + index] === line)) found += 1;
    }
    return found;
  };
  const trimmed = (lines: { text: string }[]) => lines.map(({ text }) => text.trim());
  const removed = count(files.flatMap((file) => trimmed(removedLines(file))));
  return removed > 0 && count(files.flatMap((file) => trimmed(addedLines(file)))) <= removed;
}

function keyed(candidate: Candidate): Candidate & { key: string } {
  return { ...candidate, key: findingKey(candidate) };
}

/** Nothing that leaves the process quotes a secret. */
async function conclude(code: ReviewCode, judged: JudgedReport): Promise<JudgedReport> {
  const fate =
    judged.kind === 'refused'
      ? { kind: 'refused' as const, reason: judged.reason }
      : { kind: 'finding' as const };
  const masked = { ...judged.candidate, fate };
  await maskSecrets([masked], code);
  const { fate: said, ...candidate } = masked;
  if (judged.kind === 'passed') return { ...judged, candidate };
  return { kind: 'refused', reason: said.reason ?? judged.reason, candidate };
}
