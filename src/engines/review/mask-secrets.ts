/**
 * Hides tokens in everything that a review quotes: a line that is wrong for another reason can contain one too. What PostgreSQL
 * can't hold is replaced, because git takes files with zero bytes far from their beginning for text.
 */

import type { Candidate, JudgedCandidate } from '../../platform/core/code-review.ts';
import { findSecretValues, SHOWN_CHARACTERS } from './checks/secrets.ts';
import type { ReviewCode } from './review-code.ts';

/** Lines of the longest private key. */
const MAX_KEY_LINES = 200;

export async function maskSecrets(
  candidates: JudgedCandidate[],
  code: Pick<ReviewCode, 'read'>,
): Promise<void> {
  const texts = candidates.flatMap(({ cause, command, evidence, fix, quote, scenario, subject, title }) => [
    ...[quote, title, scenario, subject, command ?? '', fix ?? '', cause?.quote ?? ''],
    ...evidence.map((place) => place.quote),
  ]);
  const values = [...new Set(await findSecretValues(texts.join('\n')))];
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
    if (candidate.fix !== undefined) candidate.fix = mask(candidate.fix);
    if (candidate.cause?.quote) candidate.cause = { ...candidate.cause, quote: mask(candidate.cause.quote) };
    if ('reason' in fate) fate.reason = mask(fate.reason);
    for (const place of evidence) place.quote = mask(place.quote);
  }
}

/** Hides tokens in other texts, such as lines of other code or what an agent wrote. */
export async function maskLines(lines: string[]): Promise<string[]> {
  const values = [...new Set(await findSecretValues(lines.join('\n')))];
  return lines.map((line) => hide(values, line));
}

/**
 * Masks tokens in texts that leave the service: those in the text itself and those found in the given texts. Lines keep their place; a
 * multi-line key is masked line by line, so that parts of it are masked too.
 */
export async function createMasker(texts: Iterable<string>): Promise<(text: string) => Promise<string>> {
  const known = new Set<string>();
  for (const text of texts) for (const value of await findSecretValues(text)) addLines(known, value);
  return async (text) => {
    const values = new Set(known);
    for (const value of await findSecretValues(text)) addLines(values, value);
    return hide([...values], text);
  };
}

function addLines(values: Set<string>, value: string): void {
  for (const line of value.split(/\r?\n/)) {
    const part = line.trim();
    // The first and last line of a key say only what it is.
    if (part.length > SHOWN_CHARACTERS && !part.startsWith('-----')) values.add(part);
  }
}

function hide(values: string[], text: string): string {
  return values
    .reduce((masked, value) => masked.replaceAll(value, shorten(value)), text)
    .replaceAll('\0', '\uFFFD')
    .toWellFormed();
}

function shorten(value: string): string {
  return `${value.slice(0, SHOWN_CHARACTERS)}…`;
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
