/** Splits a line of code exactly where colors and matches begin and end. */
import type { ColoredWord, Kind } from '../../markdown/color/code-colors.ts';

export interface LinePart {
  start: number;
  text: string;
  kind: Kind | undefined;
  /** The start of the match that it is part of. */
  match: number | undefined;
}

interface Range {
  start: number;
  end: number;
}

/** Both are sorted, don't overlap, and use offsets from the start of the line. */
export function cutLine(text: string, words: readonly ColoredWord[], matches: readonly Range[]): LinePart[] {
  const cuts = new Set([0, text.length]);
  for (const [start, end] of words) cuts.add(start).add(end);
  for (const { start, end } of matches) cuts.add(start).add(end);
  const places = [...cuts].filter((place) => place >= 0 && place <= text.length).sort((a, b) => a - b);
  const parts: LinePart[] = [];
  let [word, match] = [0, 0];
  for (let index = 0; index + 1 < places.length; index++) {
    const [start, end] = [places[index]!, places[index + 1]!];
    while (word < words.length && words[word]![1] <= start) word += 1;
    while (match < matches.length && matches[match]!.end <= start) match += 1;
    const kind = words[word] && words[word]![0] <= start ? words[word]![2] : undefined;
    const found = matches[match];
    parts.push({
      start,
      text: text.slice(start, end),
      kind,
      match: found && found.start <= start ? found.start : undefined,
    });
  }
  return parts;
}

const NO_WORDS: readonly ColoredWord[] = [];

/** The words of each line, with offsets from the start of the line; a word that spans lines is in each of them. */
export function wordsOfLines(
  lines: readonly string[],
  words: readonly ColoredWord[],
): readonly (readonly ColoredWord[])[] {
  if (words.length === 0) return [];
  let offset = 0;
  let first = 0;
  return lines.map((line) => {
    const end = offset + line.length;
    while (first < words.length && words[first]![1] <= offset) first += 1;
    const own: ColoredWord[] = [];
    for (let index = first; index < words.length && words[index]![0] < end; index++) {
      const [from, to, kind] = words[index]!;
      own.push([Math.max(from, offset) - offset, Math.min(to, end) - offset, kind]);
    }
    offset = end + 1;
    return own.length === 0 ? NO_WORDS : own;
  });
}
