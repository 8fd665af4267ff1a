/** Narrows a long text down to the few windows that contain rare words of a sentence, using only native string search. */
import type { Range } from './range.ts';
import type { Word } from './words.ts';

/** How many words are searched for, the maximum number of hits, and how many windows are compared word by word. */
const PROBES = 8;
const MAX_PROBE_LENGTH = 64;
const MAX_HITS = 200;
const WINDOWS = 4;

export function likelyWindows(before: string, quote: readonly Word[], text: string, area: Range): Range[] {
  const length = quote.at(-1)!.end - quote[0]!.start;
  const size = Math.max(200, length);
  const scores = new Map<number, number>();
  for (const probe of probesOf(before, quote)) {
    const buckets = new Set<number>();
    let hits = 0;
    let at = text.indexOf(probe, area.start);
    while (at >= 0 && at < area.end && hits < MAX_HITS) {
      hits += 1;
      buckets.add(Math.floor(at / size));
      at = text.indexOf(probe, at + probe.length);
    }
    // A word that occurs everywhere says nothing about the position.
    if (hits === MAX_HITS) continue;
    for (const bucket of buckets) scores.set(bucket, (scores.get(bucket) ?? 0) + 1 / (1 + buckets.size));
  }
  return [...scores.keys()]
    .map((bucket) => ({ bucket, score: scores.get(bucket)! + (scores.get(bucket + 1) ?? 0) }))
    .sort((left, right) => right.score - left.score || left.bucket - right.bucket)
    .slice(0, WINDOWS)
    .map(({ bucket }) => ({
      start: Math.max(area.start, bucket * size - length),
      end: Math.min(area.end, (bucket + 2) * size + length),
    }));
}

/** The longest words; in scripts without spaces, where a word is one character, three in a row. */
function probesOf(before: string, quote: readonly Word[]): string[] {
  const words = quote.filter(({ key }) => key.length >= 4);
  const chosen =
    words.length >= 2
      ? words
      : quote.map((word, index) => ({ ...word, end: quote[index + 2]?.end ?? word.end }));
  const texts = new Set(
    chosen.map(({ start, end }) => before.slice(start, Math.min(end, start + MAX_PROBE_LENGTH))),
  );
  return [...texts].sort((left, right) => right.length - left.length).slice(0, PROBES);
}
