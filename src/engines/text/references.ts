/** Finds what a text refers to: people and teams (`@ada`), pull requests (`#12`, `acme/api#12`) and commits (`1f0c7a9`). */
import { findCodeSpans } from './inline-text.ts';
import { splitBlocks } from './markdown-blocks.ts';

export interface Reference {
  kind: 'mention' | 'pull_request' | 'commit';
  start: number;
  end: number;
  /** A name without the at sign, `#12` or `acme/api#12` as written, or the digits of a commit. */
  value: string;
}

const MAX_REFERENCES = 1000;

/** An email address after the at sign is a name too: `@ada@acme.com`. */
const MENTION =
  /(?<![\p{L}\p{N}_@/.+-])@([\p{L}\p{N}](?:[\p{L}\p{N}._+-]{0,98}[\p{L}\p{N}_])?(?:@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})?)(?![\p{L}\p{N}_/@])/giu;
const PULL_REQUEST =
  /(?<![\p{L}\p{N}_/.#&-])((?:[\w.-]{1,100}\/){0,10}[\w.-]{0,100})#(\d{1,9})(?![\p{L}\p{N}_-])/gu;
const COMMIT = /(?<![\p{L}\p{N}_/.#@-])[0-9a-f]{7,64}(?![\p{L}\p{N}_-])/gu;

/** In plain text: code and other markup were taken out before. In order, without overlaps. */
export function findReferences(text: string): Reference[] {
  const found: Reference[] = [];
  const add = (kind: Reference['kind'], match: RegExpExecArray, value: string) =>
    found.push({ kind, start: match.index, end: match.index + match[0].length, value });
  if (text.includes('@')) for (const match of text.matchAll(MENTION)) add('mention', match, match[1]!);
  if (text.includes('#'))
    // `api#12` could be anything: a name needs its owner.
    for (const match of text.matchAll(PULL_REQUEST))
      if (match[1] === '' || match[1]!.includes('/')) add('pull_request', match, match[0]);
  for (const match of text.matchAll(COMMIT)) if (isCommit(match[0])) add('commit', match, match[0]);
  found.sort((left, right) => left.start - right.start);
  let end = 0;
  const apart: Reference[] = [];
  for (const reference of found) {
    if (reference.start < end) continue;
    apart.push(reference);
    end = reference.end;
    if (apart.length === MAX_REFERENCES) break;
  }
  return apart;
}

/** Words such as `defaced` and numbers such as `1234567` are no commits, unless they are as long as a whole ID. */
function isCommit(digits: string): boolean {
  return digits.length >= 40 || (/\d/.test(digits) && /[a-f]/.test(digits));
}

const CODE = new Set(['code', 'html', 'front-matter']);

/** The names that a Markdown text mentions, in lower case: not those in code, and not those in what it quotes. */
export function mentionedIn(markdown: string): string[] {
  if (!markdown.includes('@')) return [];
  const names = new Set<string>();
  for (const block of splitBlocks(markdown)) {
    if (CODE.has(block.kind) || block.kind === 'quote') continue;
    const text = markdown.slice(block.start, block.end);
    for (const { kind, value } of findReferences(withoutCode(text)))
      if (kind === 'mention') names.add(value.toLowerCase());
  }
  return [...names];
}

/** As long as before, so that what stood around a code span is not joined. */
function withoutCode(text: string): string {
  let [rest, from] = ['', 0];
  for (const { end, start } of findCodeSpans(text)) {
    rest += `${text.slice(from, start)}${'`'.repeat(end - start)}`;
    from = end;
  }
  return rest + text.slice(from);
}
