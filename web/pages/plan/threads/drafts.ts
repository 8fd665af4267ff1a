/** What is being written and not sent yet: it survives a reload of the page, and goes with the browser's tab. */
import { useCallback, useState } from 'react';
import type { SourceRange } from '../../../markdown/index.ts';

/** What a new comment is about: a place in a version, or the whole plan. */
export interface NewComment {
  version: number;
  place?: SourceRange;
}

const PREFIX = 'countersign-draft:';
const OWNER = 'countersign-draft-owner';
const keyOf = (name: string) => PREFIX + name;

/** The text of one draft; an empty one is not kept. */
export function useDraft(name: string, initial = ''): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(keyOf(name)) ?? initial);
  const write = useCallback(
    (next: string) => {
      setText(next);
      keep(keyOf(name), next === '' || next === initial ? undefined : next);
    },
    [name, initial],
  );
  return [text, write];
}

export function hasDraft(name: string): boolean {
  return read(keyOf(name)) !== undefined;
}

/** The new comment that is being written on a plan. */
export function readNewComment(seriesId: string): NewComment | undefined {
  const written = read(keyOf(`${seriesId}:place`));
  return written && hasDraft(newCommentDraft(seriesId)) ? (JSON.parse(written) as NewComment) : undefined;
}

export function keepNewComment(seriesId: string, comment: NewComment | undefined): void {
  keep(keyOf(`${seriesId}:place`), comment && JSON.stringify(comment));
}

/** Drafts of another person who was signed in in the same tab are removed. */
export function forgetDraftsOfOthers(userId: string): void {
  if (read(OWNER) === userId) return;
  for (const key of storedKeys()) if (key.startsWith(PREFIX)) keep(key, undefined);
  keep(OWNER, userId);
}

export const newCommentDraft = (seriesId: string) => `${seriesId}:new`;
export const replyDraft = (threadId: string) => `reply:${threadId}`;
export const editDraft = (commentId: string) => `edit:${commentId}`;

/** A browser that keeps nothing still lets people write. */
function read(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function storedKeys(): string[] {
  try {
    return Object.keys(sessionStorage);
  } catch {
    return [];
  }
}

function keep(key: string, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, value);
  } catch {
    // Full, or forbidden: the text is still in the page.
  }
}
