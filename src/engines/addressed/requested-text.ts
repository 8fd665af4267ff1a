/** Evidence that text was written as asked: comments that explain the code, and tests. */
import { isCommentLine, isName, partsOf, tokensOf } from './code-words.ts';
import type { CommentContext, Evidence } from './comment-context.ts';
import { isCommonWord } from './common-words.ts';

/** A comment this many lines away may explain the commented lines. */
const EXPLAINS = 5;

/** A comment with this many words of a question, and this share of them, answers it. */
const MIN_ANSWERED = 2;
const MIN_ANSWERED_SHARE = 0.3;

function isAnswer(words: Set<string>, said: Set<string>): boolean {
  const shared = [...words].filter((word) => said.has(word)).length;
  return shared >= MIN_ANSWERED && shared >= MIN_ANSWERED_SHARE * words.size;
}

/** A new comment in the code, where one was asked for or that answers a question, about the same words. */
export function explained({ request, near, region }: CommentContext): Evidence | undefined {
  if (!request.asks.has('document') && !request.asks.has('question')) return undefined;
  const words = new Set([...request.words, ...region.flatMap(tokensOf).filter(isName).flatMap(partsOf)]);
  const said = new Set<string>();
  const changes = near.filter(({ added, removed, distance }) => {
    const old = new Set(removed.flatMap(tokensOf).flatMap(partsOf));
    const parts = added.filter(isCommentLine).flatMap(tokensOf).flatMap(partsOf);
    const fresh = parts.filter((part) => part.length >= 3 && !old.has(part) && !isCommonWord(part));
    const isAbout = distance <= EXPLAINS && fresh.length >= 2 && fresh.some((part) => words.has(part));
    if (isAbout) for (const part of fresh) said.add(part);
    return isAbout;
  });
  const isCertain = request.asks.has('question') && isAnswer(request.words, said);
  return changes.length > 0 ? { kind: 'explained', found: [], share: 1, isCertain, changes } : undefined;
}

const TEST_LINE = /@Test\b|\b(?:it|test|describe|suite)\(|\bdef test_|\bfunc Test|#\[test\]/;

export function isTestLine(line: string): boolean {
  return TEST_LINE.test(line.slice(0, 500));
}

export function tested({ request, code }: CommentContext): Evidence | undefined {
  if (!request.asks.has('test')) return undefined;
  const changes = code.changes.filter(({ kind, added }) => kind === 'edit' && added.some(isTestLine));
  return changes.length > 0 ? { kind: 'tested', found: [], share: 1, isCertain: false, changes } : undefined;
}
