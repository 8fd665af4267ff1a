/** Finds the text that a comment quotes: an anchor written by the web app, or free text found in the version. */
import { type Block, plainText, splitBlocks } from '../text/index.ts';
import { headingsAbove, headingText } from './headings.ts';
import { CONTEXT_LENGTH, occurrences } from './literal.ts';
import type { Range } from './range.ts';
import { cutsCharacter } from './words.ts';

export interface Anchor {
  /** A part of the Markdown source. */
  quote: string;
  /** The text before and after it, up to 64 characters each. */
  prefix: string;
  suffix: string;
  /** The text of the nearest heading above it. */
  heading: string | null;
}

/** The most characters that a search ignoring white space visits, because adversarial text is full of near misses. */
const MAX_COMPARED = 500_000;

/** `blocks` returns the blocks of the content, so that a caller who reads many anchors of one text splits it once. */
export function readAnchor(
  text: string,
  content: string,
  blocks = () => splitBlocks(content),
): { anchor: Anchor; start: number; end: number } | undefined {
  const written = readJson(text);
  const place = written ? findQuote(written, content, blocks) : findFreeText(text, content);
  return place && { anchor: anchorAt(place, content, blocks), ...place };
}

/** The anchor that the web app would write for a range. */
export function anchorAt(
  { start, end }: Range,
  content: string,
  blocks = () => splitBlocks(content),
): Anchor {
  const from = Math.max(0, start - CONTEXT_LENGTH);
  const to = Math.min(content.length, end + CONTEXT_LENGTH);
  return {
    quote: content.slice(start, end),
    prefix: content.slice(cutsCharacter(content, from) ? from + 1 : from, start),
    suffix: content.slice(end, cutsCharacter(content, to) ? to - 1 : to),
    heading: headingAt(content, start, blocks()),
  };
}

/** The range of the quote; of several copies, the one whose context and heading match best. */
export function findQuote(
  { quote, prefix, suffix, heading }: Anchor,
  content: string,
  blocksOf = () => splitBlocks(content),
): Range | undefined {
  if (quote.trim() === '') return undefined;
  // With its full context, the quote is usually unique, even if the quote alone occurs many times.
  const whole = occurrences(content, prefix + quote + suffix).map(({ start }) => ({
    start: start + prefix.length,
    end: start + prefix.length + quote.length,
  }));
  if (whole.length === 1) return whole[0];
  const places = [whole, occurrences(content, quote), looselyPlacesOf(quote, content)].find(
    ({ length }) => length > 0,
  );
  if (!places) return undefined;
  const blocks = heading !== null && places.length > 1 ? blocksOf() : [];
  const named = plainText(heading ?? '');
  const score = ({ start, end }: Range) => {
    const above = blocks.length > 0 ? headingsAbove(blocks, start)[0] : undefined;
    const sameHeading = above !== undefined && headingText(content, above) === named;
    return agreement(prefix, suffix, content, start, end) + (sameHeading ? CONTEXT_LENGTH / 2 : 0);
  };
  return mostOf(places, score);
}

function readJson(text: string): Anchor | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text);
  } catch {
    // Free text can also start with a brace.
    return undefined;
  }
  const { quote, prefix, suffix, heading } = value;
  if (typeof quote !== 'string') return undefined;
  const asText = (part: unknown) => (typeof part === 'string' ? part : '');
  return {
    quote,
    prefix: asText(prefix).slice(-4 * CONTEXT_LENGTH),
    suffix: asText(suffix).slice(0, 4 * CONTEXT_LENGTH),
    heading: typeof heading === 'string' ? heading : null,
  };
}

/** Searches literally, then ignoring white space, then without quotation marks and `>`. */
function findFreeText(text: string, content: string): Range | undefined {
  const bare = text.trim();
  const unquoted = bare.replace(/^[ \t]*>[ \t]?/gm, '').trim();
  const inner = /^(?:"(.*)"|'(.*)'|“(.*)”|‘(.*)’|«(.*)»|„(.*)[“”]|「(.*)」|`(.*)`)$/s.exec(unquoted);
  const within = inner
    ?.slice(1)
    .find((part) => part !== undefined)
    ?.trim();
  for (const quote of new Set([bare, unquoted, within])) {
    if (quote === undefined || quote === '') continue;
    const place = occurrences(content, quote)[0] ?? looselyPlacesOf(quote, content)[0];
    if (place) return place;
  }
  return undefined;
}

/** The ranges where the words follow each other with any white space in between. */
function looselyPlacesOf(quote: string, content: string): Range[] {
  const words = quote.trim().split(/\s+/);
  const places: Range[] = [];
  let compared = 0;
  for (const { start } of occurrences(content, words[0]!)) {
    if (compared > MAX_COMPARED) break;
    let at = start + words[0]!.length;
    let index = 1;
    for (; index < words.length; index += 1) {
      const from = at;
      while (at < content.length && WHITE_SPACE.test(content[at]!)) at += 1;
      if (at === from || !content.startsWith(words[index]!, at)) break;
      at += words[index]!.length;
    }
    compared += at - start;
    if (index === words.length && !cutsCharacter(content, at)) places.push({ start, end: at });
  }
  return places;
}

const WHITE_SPACE = /\s/;

/** How many characters around a range match the recorded context. */
function agreement(prefix: string, suffix: string, content: string, start: number, end: number): number {
  let behind = 0;
  while (behind < prefix.length && behind < start && prefix.at(-1 - behind) === content[start - 1 - behind]) {
    behind += 1;
  }
  let ahead = 0;
  while (ahead < suffix.length && suffix[ahead] === content[end + ahead]) ahead += 1;
  return behind + ahead;
}

function mostOf(places: readonly Range[], score: (place: Range) => number): Range | undefined {
  let best: { place: Range; score: number } | undefined;
  for (const place of places) {
    const reached = score(place);
    if (!best || reached > best.score) best = { place, score: reached };
  }
  return best?.place;
}

function headingAt(content: string, place: number, blocks: Block[]): string | null {
  const above = headingsAbove(blocks, place)[0];
  return above ? headingText(content, above) : null;
}
