/**
 * The gate that every candidate passes, whatever its source. No model: the quoted code is where the candidate says, it is part
 * of the change, the scenario is concrete, every piece of evidence exists. A refusal says what to fix.
 */

import type { Change, ReviewedFile } from './code/read-change.ts';
import type { ReviewCode } from './code/review-code.ts';
import type { Candidate } from './contract/code-review.ts';
import { FINDING_LIMITS } from './contract/finding-limits.ts';
import { MASK, maskText } from './masking/mask-secrets.ts';

export type GateResult =
  | { kind: 'passed'; line: number /** Whole lines. */; quote: string }
  | {
      kind: 'refused';
      reason: string;
      /** Whether its place is right and something else is wrong. */
      isPlaced: boolean;
    };

/** A quote farther away than this from the stated line is another place. */
const MAX_DISTANCE_LINES = 200;

export async function passGate(code: ReviewCode, change: Change, candidate: Candidate): Promise<GateResult> {
  const file = change.files.find(
    (each) => (candidate.side === 'head' ? each.path : (each.oldPath ?? each.path)) === candidate.file,
  );
  if (!file) {
    const leftOut = change.notReviewed.find(({ path }) => path === candidate.file);
    return refused(
      leftOut
        ? `${candidate.file} is not reviewed: ${leftOut.reason}.`
        : `${candidate.file} is not a file that this change touches.`,
    );
  }
  if (candidate.quote.trim() === '') return refused('The quote is empty: quote the line that is wrong.');
  const text = await code.read(candidate.side, candidate.file);
  if (text === null) return refused(`${candidate.file} cannot be read at ${nameOf(code, candidate.side)}.`);
  const line = await findQuote(text, candidate.quote, candidate.line);
  if (line === null) {
    return refused(
      `The quote is not within ${MAX_DISTANCE_LINES} lines of line ${candidate.line} of ${candidate.file}: copy the line as it is there.`,
    );
  }
  const changed = await checkCause(code, change, file, candidate, line);
  if (changed) return refused(changed);
  if (candidate.scenario.trim().split(/\s+/).length < FINDING_LIMITS.scenarioWords) {
    return refused('The scenario says too little: say what input or event makes what go wrong.', true);
  }
  const missing = await findMissingEvidence(code, candidate);
  if (missing) return refused(missing, true);
  const quote = linesAt(text, line, candidate.quote);
  const useless = findUselessFix(candidate, quote);
  if (useless) return refused(useless, true);
  return { kind: 'passed', line, quote };
}

/** The whole lines that a quote covers, as they are in the file. */
function linesAt(text: string, line: number, quote: string): string {
  const count = quote.trim().split('\n').length;
  return text
    .split('\n')
    .slice(line - 1, line - 1 + count)
    .join('\n')
    .replace(/\r$/, '');
}

/** Why the finding is not about this change; undefined when its line, or the cause that it names, was changed. */
async function checkCause(
  code: ReviewCode,
  change: Change,
  file: ReviewedFile,
  candidate: Candidate,
  line: number,
): Promise<string | undefined> {
  if (isInHunk(file, candidate, line)) return undefined;
  const { cause } = candidate;
  const unchanged = `Line ${line} of ${candidate.file} was not changed`;
  if (!cause) return `${unchanged}: point to a changed line that causes it.`;
  const changed = change.files.find(({ path }) => path === cause.path);
  const text = changed && (await code.read('head', cause.path));
  const quote = cause.quote ?? text?.split('\n')[cause.line - 1] ?? '';
  const at = text ? await findQuote(text, quote, cause.line) : null;
  if (!changed || at === null)
    return `${unchanged}, and its cause is not at ${cause.path}:${cause.line} at ${nameOf(code, 'head')}.`;
  return isInHunk(changed, { quote, side: 'head' }, at)
    ? undefined
    : `Neither line ${line} of ${candidate.file} nor its cause at ${cause.path}:${at} was changed.`;
}

function findUselessFix({ fix, side }: Candidate, quote: string): string | undefined {
  if (fix === undefined) return undefined;
  if (side === 'base') return 'A fix can only replace lines at the head.';
  return fix.trim() === quote.trim() ? 'The fix is the same as the code that it replaces.' : undefined;
}

/** The line at which the quote begins. One that came from us can have masked tokens, which the code doesn't have. */
async function findQuote(text: string, quote: string, stated: number): Promise<number | null> {
  const line = nearestLine(text, quote, stated);
  return line === null && quote.includes(MASK) ? nearestLine(await maskText(text), quote, stated) : line;
}

/** Whether a line contains the quote, masked or not. */
export async function isAtLine(text: string, quote: string, line: number): Promise<boolean> {
  const isIn = (lines: string) => lines.split('\n')[line - 1]?.includes(quote.trim()) ?? false;
  return isIn(text) || (quote.includes(MASK) && isIn(await maskText(text)));
}

/** The line nearest to the stated one at which the quote begins; lines are compared without their indentation. */
export function nearestLine(text: string, quote: string, stated: number): number | null {
  const lines = text.split('\n');
  const wanted = quote
    .split('\n')
    .map((each) => each.trim())
    .filter((each, index, all) => each !== '' || (index > 0 && index < all.length - 1));
  if (wanted.length === 0) return null;
  const matches = (start: number) =>
    wanted.every((each, index) => {
      const line = lines[start + index]?.trim();
      return (
        line !== undefined &&
        (index === 0 && wanted.length === 1 ? line.includes(each) : line === each || line.includes(each))
      );
    });
  for (let distance = 0; distance <= MAX_DISTANCE_LINES; distance += 1) {
    for (const start of distance === 0 ? [stated - 1] : [stated - 1 - distance, stated - 1 + distance]) {
      if (start >= 0 && start < lines.length && matches(start)) return start + 1;
    }
  }
  return null;
}

/** Every line of a file that was deleted or renamed changed its place. */
function isInHunk(
  { change, hunks }: ReviewedFile,
  { quote, side }: Pick<Candidate, 'quote' | 'side'>,
  line: number,
): boolean {
  if (side === 'base' && (change === 'deleted' || change === 'renamed')) return true;
  const last = line + quote.trim().split('\n').length - 1;
  return hunks.some(({ newLines, newStart, oldLines, oldStart }) => {
    const [start, count] = side === 'head' ? [newStart, newLines] : [oldStart, oldLines];
    return count > 0 && line <= start + count - 1 && last >= start;
  });
}

async function findMissingEvidence(code: ReviewCode, { evidence }: Candidate): Promise<string | undefined> {
  if (evidence.length > FINDING_LIMITS.evidence)
    return `At most ${FINDING_LIMITS.evidence} places of evidence are taken.`;
  for (const { line, path, quote, repository, side } of evidence) {
    // Evidence in other repositories was read there.
    if (repository !== undefined) continue;
    const text = await code.read(side, path);
    if (text === null || !(await isAtLine(text, quote, line))) {
      return `The evidence at ${path}:${line} is not there at ${nameOf(code, side)}.`;
    }
  }
  return undefined;
}

function nameOf(code: ReviewCode, side: Candidate['side']): string {
  return `${side === 'head' ? 'head' : 'merge base'} ${code[side].slice(0, 12)}`;
}

function refused(reason: string, isPlaced = false): GateResult {
  return { kind: 'refused', reason, isPlaced };
}
