/** Evidence that names and words of the comment came into the code, or went out of it. */
import { countAll, pairsOf, partsOf, surplus, tokensOf, withoutFormat } from './code-words.ts';
import type { CommentContext, Evidence } from './comment-context.ts';
import { isCommonPair } from './common-words.ts';
import type { Change } from './compare-code.ts';
import { changesWith } from './tokens-in-lines.ts';

/** Certain if everything in backticks that wasn't there before is there now, in the commented lines. */
export function named({ request, region, here, file, near }: CommentContext): Evidence | undefined {
  const old = new Set(region.flatMap(tokensOf));
  const wanted = [...request.names].filter((name) => !old.has(name));
  const found = wanted.filter((name) => here.gained.has(name) && file.gained.has(name));
  if (found.length === 0) return undefined;
  const changes = changesWith(near, found);
  const marked = wanted.filter((name) => request.marked.has(name));
  const isCertain =
    marked.length > 0 &&
    marked.every((name) => found.includes(name)) &&
    changes.some(({ distance }) => distance <= 1);
  return { kind: 'named', found, share: found.length / wanted.length, isCertain, changes };
}

/** A name that went counts only where the comment is against it, because any edit may take a name out. */
export function vanished({ request, region, here, file, touching }: CommentContext): Evidence | undefined {
  const { asks } = request;
  if (!asks.has('remove') && !asks.has('rename') && !asks.has('avoid')) return undefined;
  const old = new Set(region.flatMap(tokensOf));
  const names = [...request.names].filter((name) => name.length > 1 && old.has(name));
  const found = names.filter((name) => here.lost.has(name) && file.lost.has(name));
  const changes = changesWith(touching, found);
  if (changes.length === 0) return undefined;
  return { kind: 'vanished', found, share: found.length / names.length, isCertain: false, changes };
}

/** A comment of few words says what the code should say: a name, a word, or a line of text. */
const MAX_STATED = 12;
/** Shorter text, without white space, may be in any line. */
const MIN_STATED = 8;

/** All the text of the comment is new in the commented lines or right beside them. */
export function stated({ request, region, near, here }: CommentContext): Evidence | undefined {
  if (request.length === 0 || request.length > MAX_STATED) return undefined;
  const wanted = withoutFormat([request.text]).toLowerCase();
  if (wanted.length < 2) return undefined;
  const isWord = request.length === 1 && [...request.names].every((name) => here.gained.has(name));
  const isIn = (lines: string[]) => withoutFormat(lines).toLowerCase().includes(wanted);
  const changes = near.filter(
    ({ added, removed, distance }) =>
      distance <= 1 && isIn(added) && !isIn(removed) && (isWord || wanted.length >= MIN_STATED),
  );
  if (changes.length === 0 || isIn(region)) return undefined;
  return { kind: 'stated', found: [], share: 1, isCertain: true, changes };
}

/** Two tokens in a row, of the comment and of new lines. */
export function phrased({ request, near, region, touching }: CommentContext): Evidence | undefined {
  const count = (lines: string[]) => countAll(lines.slice(0, 2_000).flatMap(pairsOf));
  const old = count(near.flatMap(({ removed }) => removed));
  const fresh = surplus(count(near.flatMap(({ added }) => added)), old);
  // Beside untouched lines, what they say already may be what the next ones say.
  const known = new Set(touching.length > 0 ? [] : region.flatMap(pairsOf));
  const found = [...request.pairs].filter(
    (pair) => fresh.has(pair) && !known.has(pair) && !isCommonPair(pair),
  );
  if (found.length === 0) return undefined;
  const changes = near.filter(({ added }) =>
    added.some((line) => pairsOf(line).some((pair) => found.includes(pair))),
  );
  return { kind: 'phrased', found, share: found.length / request.pairs.size, isCertain: false, changes };
}

/** One word of many may be there by chance. */
const MIN_SHARE = 1 / 3;

export function worded({ request, region, here, file, near }: CommentContext): Evidence | undefined {
  const old = new Set(region.flatMap(tokensOf).flatMap(partsOf));
  const wanted = [...request.words].filter((word) => !old.has(word));
  const found = wanted.filter((word) => here.gainedParts.has(word) && file.gainedParts.has(word));
  const share = found.length / wanted.length;
  if (found.length === 0 || (found.length === 1 && share < MIN_SHARE)) return undefined;
  const changes = near.filter((change) => hasPart(change, new Set(found)));
  return { kind: 'worded', found, share, isCertain: false, changes };
}

function hasPart({ added }: Change, parts: Set<string>): boolean {
  return added.some((line) => tokensOf(line).some((token) => partsOf(token).some((part) => parts.has(part))));
}
