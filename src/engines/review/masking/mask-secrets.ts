/**
 * The one rule for text that is stored or derived from code: tokens are masked, all but their first characters. Lines keep their
 * place, and masking twice changes nothing. What PostgreSQL can't hold is replaced, because git takes files with zero bytes far
 * from their beginning for text.
 */

import { SHOWN_CHARACTERS } from '../checks/secrets.ts';
import type { ReviewCode } from '../code/review-code.ts';
import type { Candidate, JudgedCandidate } from '../contract/code-review.ts';
import { findTokens, longestFirst } from './find-tokens.ts';

/** Lines of the longest private key. */
const MAX_KEY_LINES = 200;

export async function maskSecrets(
  candidates: JudgedCandidate[],
  code: Pick<ReviewCode, 'read'>,
): Promise<void> {
  const texts = candidates.flatMap(({ cause, command, evidence, fate, fix, quote, ...said }) => [
    ...[said.title, said.scenario, said.subject, 'reason' in fate ? fate.reason : ''],
    ...[quote, command ?? '', fix ?? '', cause?.quote ?? '', ...evidence.map((place) => place.quote)],
  ]);
  const values = await findTokens(texts.join('\n'));
  const mask = (text: string) => hide(values, text);
  for (const candidate of candidates) {
    const { evidence, fate, file: path, line, side } = candidate;
    for (const place of [{ side, path, line }, ...evidence]) {
      if (!(await isInPrivateKey(code, place))) continue;
      if ('quote' in place) place.quote = shorten(place.quote.trim());
      else candidate.quote = shorten(candidate.quote.trim());
    }
    candidate.quote = mask(candidate.quote);
    candidate.title = mask(candidate.title);
    candidate.scenario = mask(candidate.scenario);
    candidate.subject = mask(candidate.subject);
    if (candidate.command !== undefined) candidate.command = mask(candidate.command);
    // Whoever applied it would write the mask into the code.
    if (candidate.fix !== undefined && hasMask(values, mask(candidate.fix))) delete candidate.fix;
    if (candidate.cause?.quote) candidate.cause = { ...candidate.cause, quote: mask(candidate.cause.quote) };
    if ('reason' in fate) fate.reason = mask(fate.reason);
    for (const place of evidence) place.quote = mask(place.quote);
  }
}

/** Masks tokens in texts that belong together: what is a token in one is masked in all of them. */
export async function maskTexts(texts: readonly string[]): Promise<string[]> {
  return texts.map(await createHider(texts));
}

export async function maskText(text: string): Promise<string> {
  return hide(await findTokens(text), text);
}

/** Masks tokens in every text within a value, such as the data of an event. Names of fields stay. */
export async function maskValue<Value>(value: Value): Promise<Value> {
  const texts: string[] = [];
  mapTexts(value, (text) => texts.push(text));
  const masked = await maskTexts(texts);
  let next = 0;
  return mapTexts(value, () => {
    next += 1;
    return masked[next - 1];
  }) as Value;
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]));
}

/** Masks tokens that are in a text itself, and those found in the given texts, such as the whole file that it is a part of. */
export async function createMasker(texts: Iterable<string>): Promise<(text: string) => Promise<string>> {
  const known = await findTokens([...texts].join('\n'));
  return async (text) => hide(longestFirst(new Set([...known, ...(await findTokens(text))])), text);
}

/** Masks those found in the given texts alone: for many short texts that are known together. */
export async function createHider(texts: Iterable<string>): Promise<(text: string) => string> {
  const values = await findTokens([...texts].join('\n'));
  return (text) => hide(values, text);
}

/** Stands for the rest of a token. */
export const MASK = '…';

function hide(values: readonly string[], text: string): string {
  return values
    .reduce((masked, value) => masked.replaceAll(value, () => shorten(value)), text)
    .replaceAll('\0', '\uFFFD')
    .toWellFormed();
}

function hasMask(values: readonly string[], masked: string): boolean {
  return values.some((value) => masked.includes(shorten(value)));
}

function shorten(value: string): string {
  return `${value.slice(0, SHOWN_CHARACTERS)}${MASK}`;
}

/** A line in the middle of a key isn't recognized as a token on its own. */
async function isInPrivateKey(
  code: Pick<ReviewCode, 'read'>,
  { line, path, side }: Pick<Candidate, 'side' | 'line'> & { path: string },
): Promise<boolean> {
  const text = await code.read(side, path);
  if (!text?.includes('PRIVATE KEY-----')) return false;
  const before = text.split('\n').slice(Math.max(0, line - 1 - MAX_KEY_LINES), line - 1);
  const start = before.findLastIndex((each) => /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(each));
  return start !== -1 && !before.slice(start).some((each) => each.includes('-----END '));
}
