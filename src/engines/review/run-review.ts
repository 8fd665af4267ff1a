/**
 * One review of a change: every check reports candidates, and every candidate keeps its fate and the reason. Pure apart from what
 * it reads: no database, no model, nothing is posted.
 */

import type { Check } from './check.ts';
import { removedMethods } from './checks/members/member-checks.ts';
import { listMembersElsewhere } from './checks/members/members-elsewhere.ts';
import { listRemovedNames } from './checks/removed/removed-names.ts';
import { listAddedPackages } from './code/locked-packages.ts';
import { type Change, readChange } from './code/read-change.ts';
import type { ReviewCode } from './code/review-code.ts';
import type { Candidate, CheckRun, JudgedCandidate, ReviewResult } from './contract/code-review.ts';
import { FINDING_LIMITS, WITHOUT_LIMIT } from './contract/finding-limits.ts';
import { findingKey } from './finding-key.ts';
import { passGate } from './gate.ts';
import { maskSecrets } from './masking/mask-secrets.ts';
import { isSameCause } from './same-cause.ts';

export interface ReviewRules {
  checks: readonly Check[];
  isExcluded(path: string): boolean;
  /** Findings of one run; the rest is held back. */
  maxFindings: number;
  /** Whether to list what other repositories may miss. */
  listsRemoved?: boolean;
  /** Whether checks list more than they report, for the page of a review. */
  listsPlaces?: boolean;
  /** Whether to list what lock files have now, for a look into a database of advisories. */
  listsPackages?: boolean;
  /** Whether the proof of a finding is gone at a later commit. */
  isGoneLater?(candidate: Candidate): Promise<boolean>;
}

export async function runReview(code: ReviewCode, rules: ReviewRules): Promise<ReviewResult> {
  const change = await readChange(code, rules.isExcluded);
  const checks: CheckRun[] = [];
  const candidates: JudgedCandidate[] = [];
  for (const check of rules.checks) {
    const { looksFor, name, reviewer } = check;
    const run: CheckRun = { name, reviewer, looksFor, candidates: 0, failure: null };
    checks.push(run);
    let found: Candidate[];
    try {
      found = (await check.run(change, code)).map((each) => ({ ...each, reviewer, check: name }));
      const note = await check.note?.(change, code);
      if (note) run.note = note;
      const places = rules.listsPlaces ? await check.places?.(change, code) : undefined;
      if (places?.length) run.places = places;
    } catch (error) {
      // One check that fails must not take the others with it; the result says that it did not run.
      run.failure = error instanceof Error ? error.message : String(error);
      continue;
    }
    run.candidates = found.length;
    if (found.length > FINDING_LIMITS.candidatesPerCheck) {
      run.failure = `Only the first ${FINDING_LIMITS.candidatesPerCheck} of ${found.length} candidates were looked at.`;
    }
    for (const candidate of found.slice(0, FINDING_LIMITS.candidatesPerCheck)) {
      candidates.push(await judge(code, change, candidate));
    }
  }
  if (rules.isGoneLater) await lookLater(candidates, rules.isGoneLater);
  await maskSecrets(candidates, code);
  group(candidates);
  applyLimit(candidates, rules.maxFindings);
  const { addedLines, base, files, head, moreFiles, notReviewed } = change;
  return {
    change: { base, head, addedLines, moreFiles, files: files.length },
    candidates,
    notReviewed,
    checks,
    removedNames: rules.listsRemoved
      ? [
          ...(await listRemovedNames(change, code)),
          ...(rules.checks.includes(removedMethods) ? await listMembersElsewhere(change, code) : []),
        ]
      : [],
    addedPackages: rules.listsPackages
      ? await listAddedPackages(change, code)
      : { packages: [], leftOut: [] },
  };
}

/** Before quotes are masked. */
async function lookLater(
  candidates: JudgedCandidate[],
  isGoneLater: NonNullable<ReviewRules['isGoneLater']>,
): Promise<void> {
  for (const candidate of candidates)
    if (candidate.fate.kind === 'finding') candidate.isGoneLater = await isGoneLater(candidate);
}

async function judge(code: ReviewCode, change: Change, candidate: Candidate): Promise<JudgedCandidate> {
  const key = findingKey(candidate);
  const gate = await passGate(code, change, candidate);
  if (gate.kind === 'refused') return { ...candidate, key, fate: { kind: 'refused', reason: gate.reason } };
  return { ...candidate, line: gate.line, key, fate: { kind: 'finding' } };
}

/** Findings with the same cause are one; the first speaks for the others. */
function group(candidates: JudgedCandidate[]): void {
  const speakers = new Map<string, number[]>();
  for (const [index, candidate] of candidates.entries()) {
    if (candidate.fate.kind !== 'finding') continue;
    const about = `${candidate.claim}\0${candidate.check}\0${candidate.subject}`;
    const known = speakers.get(about) ?? [];
    const speaker = known.find((each) => isSameCause(candidates[each]!, candidate));
    if (speaker !== undefined) candidate.fate = { kind: 'grouped', with: speaker };
    else speakers.set(about, [...known, index]);
  }
}

function applyLimit(candidates: JudgedCandidate[], maxFindings: number): void {
  let count = 0;
  for (const candidate of candidates) {
    if (candidate.fate.kind !== 'finding' || WITHOUT_LIMIT.has(candidate.claim)) continue;
    count += 1;
    if (count > maxFindings) {
      candidate.fate = { kind: 'held_back', reason: `More than ${maxFindings} findings in one review.` };
    }
  }
}
