/** Unsent drafts: they survive a page reload and are discarded when the tab is closed. */
import { useCallback, useState } from 'react';
import type { SourceRange } from '../../../markdown/index.ts';

/** What a new comment is about: a range in a version, or the whole plan. */
export interface NewComment {
  version: number;
  place?: SourceRange;
}

const PREFIX = 'countersign-draft:';
const OWNER = 'countersign-draft-owner';
const keyOf = (name: string) => PREFIX + name;

/** The text of a draft; empty drafts aren't stored. */
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

/** Removes the drafts of another user who was signed in in the same tab. */
export function forgetDraftsOfOthers(userId: string): void {
  if (read(OWNER) === userId) return;
  for (const key of storedKeys()) if (key.startsWith(PREFIX)) keep(key, undefined);
  keep(OWNER, userId);
}

export const newCommentDraft = (seriesId: string) => `${seriesId}:new`;
export const replyDraft = (threadId: string) => `reply:${threadId}`;
export const editDraft = (commentId: string) => `edit:${commentId}`;

/** Writing also works when the browser's storage is unavailable. */
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
    // Storage is full or forbidden: the text is still on the page.
  }
}
