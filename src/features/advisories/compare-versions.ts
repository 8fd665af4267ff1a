/** The order of two versions by the rules of their ecosystem; undefined where it can't be told. */
import type { Ecosystem } from '../../engines/review/contract/code-review.ts';

const NUMBERS = /^v?(\d+(?:\.\d+)*)(.*)$/s;
const SEMANTIC_END = /^(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/s;
const PYTHON_END = /^[._-]?(dev|alpha|a|beta|b|c|rc|pre|preview|post|r|rev)[._-]?(\d*)(?:\+.*)?$/i;
const PHP_END = /^[._-]?(dev|alpha|a|beta|b|rc|p|pl|patch)[._-]?(\d*)$/i;
const RUBY_END = /^[.-]([a-z]+)\.?(\d*)$/i;
const RELEASE = 4;
/** Names of the same stage have the same number. */
const STAGES: Record<string, number> = {
  ...{ dev: 0, a: 1, alpha: 1, b: 2, beta: 2, c: 3, rc: 3, pre: 3, preview: 3 },
  ...{ post: 5, r: 5, rev: 5, p: 5, pl: 5, patch: 5 },
};

type CompareEnds = (left: string, right: string) => number | undefined;

const COMPARE_ENDS: Record<Ecosystem, CompareEnds> = {
  npm: compareSemanticEnds,
  Go: compareSemanticEnds,
  'crates.io': compareSemanticEnds,
  PyPI: (left, right) => compareStages(PYTHON_END, left, right),
  Packagist: (left, right) => compareStages(PHP_END, left, right),
  RubyGems: compareRubyEnds,
};

export function compareVersions(ecosystem: Ecosystem, one: string, other: string): number | undefined {
  const [left, right] = [NUMBERS.exec(one), NUMBERS.exec(other)];
  if (!left || !right) return undefined;
  // Both must be of a known form, even if their numbers differ: `2.x-dev` comes after `2.3`.
  const byEnds = COMPARE_ENDS[ecosystem](left[2]!, right[2]!);
  if (byEnds === undefined) return undefined;
  return compareNumbers(left[1]!.split('.'), right[1]!.split('.')) || byEnds;
}

/** Missing numbers are zero. */
function compareNumbers(left: string[], right: string[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = compareNumber(left[index] ?? '0', right[index] ?? '0');
    if (order !== 0) return order;
  }
  return 0;
}

/** As texts, because numbers of any size occur. */
function compareNumber(left: string, right: string): number {
  const [one, other] = [left.replace(/^0+(?=\d)/, ''), right.replace(/^0+(?=\d)/, '')];
  return one.length === other.length ? compareTexts(one, other) : one.length < other.length ? -1 : 1;
}

function compareTexts(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

/** `-rc.1+build`: what follows a plus doesn't count, and what follows a minus comes before the release. */
function compareSemanticEnds(left: string, right: string): number | undefined {
  const [one, other] = [SEMANTIC_END.exec(left), SEMANTIC_END.exec(right)];
  if (!one || !other) return undefined;
  if (one[1] === undefined || other[1] === undefined)
    return Number(one[1] === undefined) - Number(other[1] === undefined);
  const [parts, others] = [one[1].split('.'), other[1].split('.')];
  for (let index = 0; index < Math.max(parts.length, others.length); index += 1) {
    const [part, than] = [parts[index], others[index]];
    // The version with more parts is later.
    if (part === undefined || than === undefined) return part === undefined ? -1 : 1;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(than)];
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    const order = isNumber ? compareNumber(part, than) : compareTexts(part, than);
    if (order !== 0) return order;
  }
  return 0;
}

function compareStages(form: RegExp, left: string, right: string): number | undefined {
  const [one, other] = [stageOf(form, left), stageOf(form, right)];
  if (!one || !other) return undefined;
  return one.stage - other.stage || compareNumber(one.number, other.number);
}

function stageOf(form: RegExp, end: string): { stage: number; number: string } | undefined {
  // The local part of Python says who built it.
  if (end === '' || end.startsWith('+')) return { stage: RELEASE, number: '0' };
  const match = form.exec(end);
  return match ? { stage: STAGES[match[1]!.toLowerCase()]!, number: match[2] || '0' } : undefined;
}

/** Any letters come before the release, in the order of the alphabet. */
function compareRubyEnds(left: string, right: string): number | undefined {
  const [one, other] = [RUBY_END.exec(left), RUBY_END.exec(right)];
  if ((!one && left !== '') || (!other && right !== '')) return undefined;
  if (!one || !other) return Number(!one) - Number(!other);
  return compareTexts(one[1]!, other[1]!) || compareNumber(one[2] || '0', other[2] || '0');
}
