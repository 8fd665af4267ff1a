/** The order of two versions by the rules of their ecosystem; undefined where it can't be told. */
import type { Ecosystem } from '../../platform/core/code-review.ts';

const SEMANTIC: ReadonlySet<Ecosystem> = new Set<Ecosystem>(['npm', 'Go', 'crates.io']);
const NUMBERS = /^v?(\d+(?:\.\d+)*)(.*)$/s;
const BEFORE_RELEASE = /^[._-]?(dev|alpha|a|beta|b|c|rc|pre|preview)[._-]?(\d*)$/i;
const AFTER_RELEASE = /^(?:[._-]?(?:post|patch|pl|p|rev|r)[._-]?|-)(\d+)$/i;
/** Names of the same stage have the same number. */
const STAGES: Record<string, number> = {
  dev: 0,
  a: 1,
  alpha: 1,
  b: 2,
  beta: 2,
  c: 3,
  rc: 3,
  pre: 3,
  preview: 3,
};

export function compareVersions(ecosystem: Ecosystem, one: string, other: string): number | undefined {
  if (one === other) return 0;
  const [left, right] = [NUMBERS.exec(one), NUMBERS.exec(other)];
  if (!left || !right) return undefined;
  const byNumbers = compareNumbers(left[1]!.split('.'), right[1]!.split('.'));
  if (byNumbers !== 0) return byNumbers;
  const ends = [left[2]!, right[2]!] as const;
  return SEMANTIC.has(ecosystem) ? compareSemanticEnds(...ends) : compareEnds(...ends);
}

/** Missing numbers are zero. */
function compareNumbers(left: string[], right: string[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = compareNumber(left[index] ?? '0', right[index] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

/** Of any size. */
function compareNumber(left: string, right: string): number {
  const [one, other] = [left.replace(/^0+(?=\d)/, ''), right.replace(/^0+(?=\d)/, '')];
  if (one.length !== other.length) return one.length < other.length ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
}

/** `-rc.1+build`: what follows a plus doesn't count, and what follows a minus comes before the release. */
function compareSemanticEnds(left: string, right: string): number | undefined {
  const [one, other] = [left, right].map((end) => end.split('+')[0]!) as [string, string];
  if (one === other) return 0;
  if (one === '' || other === '') return one === '' ? 1 : -1;
  if (!one.startsWith('-') || !other.startsWith('-')) return undefined;
  const [parts, others] = [one.slice(1).split('.'), other.slice(1).split('.')];
  for (let index = 0; index < Math.max(parts.length, others.length); index += 1) {
    const [part, than] = [parts[index], others[index]];
    // What has more parts comes later.
    if (part === undefined || than === undefined) return part === undefined ? -1 : 1;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(than)];
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    const order = isNumber ? compareNumber(part, than) : part === than ? 0 : part < than ? -1 : 1;
    if (order !== 0) return order;
  }
  return 0;
}

function compareEnds(left: string, right: string): number | undefined {
  const [one, other] = [stageOf(left), stageOf(right)];
  if (!one || !other) return undefined;
  return one.stage === other.stage ? compareNumber(one.number, other.number) : one.stage - other.stage;
}

/** A release is 4, and what comes after it 5. */
function stageOf(end: string): { stage: number; number: string } | undefined {
  // The local part of Python says who built it.
  const text = end.split('+')[0]!;
  if (text === '') return { stage: 4, number: '0' };
  const before = BEFORE_RELEASE.exec(text);
  if (before) return { stage: STAGES[before[1]!.toLowerCase()]!, number: before[2] || '0' };
  const after = AFTER_RELEASE.exec(text);
  return after ? { stage: 5, number: after[1]! } : undefined;
}
