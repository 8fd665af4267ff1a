/** Whether what proves a finding is gone at a later commit: the quoted code, or every place of its evidence. */

import type { ReviewCode } from './code/review-code.ts';
import type { Candidate } from './contract/code-review.ts';

/** `later` has the later commit as its head. */
export async function isProofGone(
  later: Pick<ReviewCode, 'read' | 'find'>,
  { evidence, file, quote, side }: Candidate,
): Promise<boolean> {
  const isThere = await contains(later, file, quote);
  // A removed line that is back is as good as one that was never wrong.
  if (isThere !== (side === 'head')) return true;
  const places = evidence.filter((place) => place.side === 'head' && place.repository === undefined);
  for (const place of places) if (await contains(later, place.path, place.quote)) return false;
  return places.length > 0;
}

/** In the file; if that was moved or deleted, anywhere. */
async function contains(
  later: Pick<ReviewCode, 'read' | 'find'>,
  path: string,
  quote: string,
): Promise<boolean> {
  const line = quote.trim().split('\n')[0]!.trim();
  const text = await later.read('head', path);
  if (text !== null) return text.includes(line);
  return line !== '' && (await later.find('head', [line], { wholeWords: false })).lines.length > 0;
}
