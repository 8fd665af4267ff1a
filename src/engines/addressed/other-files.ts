/** Whether a change in another file answers the comment: it must contain what the comment names. */
import { isName, tokensOf, withoutFormat } from './code-words.ts';
import type { Request } from './read-comment.ts';
import { isTestLine } from './requested-text.ts';
import type { OtherHunk } from './thread.ts';
import { type WordChanges, wordChanges } from './word-changes.ts';

/** Further hunks, and longer ones, aren't read. */
const MAX_HUNKS = 500;
const MAX_LINES = 1_000;

export interface AnswerElsewhere {
  hunk: OtherHunk;
  what: string;
  isCertain: boolean;
}

export function findElsewhere(
  request: Request,
  commented: readonly string[],
  hunks: readonly OtherHunk[],
): AnswerElsewhere | undefined {
  const read = hunks.slice(0, MAX_HUNKS).map((hunk) => ({
    hunk,
    removed: hunk.before.slice(0, MAX_LINES),
    added: hunk.after.slice(0, MAX_LINES),
  }));
  const all = wordChanges(read);
  const about = new Set(commented.flatMap(tokensOf).filter((token) => isName(token) && token.length > 3));
  let likely: AnswerElsewhere | undefined;
  for (const { hunk, removed, added } of read) {
    if (withoutFormat(removed) === withoutFormat(added)) continue;
    const words = wordChanges([{ removed, added }]);
    const certain = certainAnswer(request, words, all, added);
    if (certain) return { hunk, what: certain, isCertain: true };
    likely ??= likelyAnswer(request, words, all, added, about, hunk);
  }
  return likely;
}

function certainAnswer(
  { suggestions, replacements, marked }: Request,
  words: WordChanges,
  all: WordChanges,
  added: readonly string[],
): string | undefined {
  const now = withoutFormat(added);
  const isSuggested = suggestions.some((lines) => {
    const text = withoutFormat(lines);
    return text.length > 2 && now.includes(text);
  });
  if (isSuggested) return 'The suggestion was applied';
  const isNew = (token: string) => words.gained.has(token) && all.gained.has(token);
  for (const { from, to } of replacements) {
    const [old, fresh] = [tokensOf(from), tokensOf(to)];
    if (
      old.some((token) => words.lost.has(token)) &&
      fresh.every((token) => old.includes(token) || isNew(token))
    ) {
      return `\`${from}\` was replaced by \`${to}\``;
    }
  }
  const names = [...marked].filter((name) => isName(name) && name.length > 2);
  const found = names.filter(isNew);
  return found.length > 0 && found.length === names.length ? `\`${found[0]}\` was added` : undefined;
}

function likelyAnswer(
  request: Request,
  words: WordChanges,
  all: WordChanges,
  added: readonly string[],
  about: Set<string>,
  hunk: OtherHunk,
): AnswerElsewhere | undefined {
  if (
    request.asks.has('test') &&
    added.some(isTestLine) &&
    added.some((line) => tokensOf(line).some((t) => about.has(t)))
  ) {
    return { hunk, what: 'A test was added', isCertain: false };
  }
  const name = [...request.names].find(
    (token) => isName(token) && token.length > 2 && words.gained.has(token) && all.gained.has(token),
  );
  return name === undefined ? undefined : { hunk, what: `\`${name}\` was added`, isCertain: false };
}
