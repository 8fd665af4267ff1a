/** Unsent drafts: they survive a page reload and are discarded when the tab is closed. */
import { useCallback, useState } from 'react';

const PREFIX = 'countersign-draft:';
const OWNER = 'countersign-draft-owner';
const keyOf = (name: string) => PREFIX + name;

/** The text of a draft; empty drafts aren't stored. */
export function useDraft(name: string, initial = ''): [string, (text: string) => void] {
  const [text, setText] = useState(() => readDraft(name) ?? initial);
  const write = useCallback(
    (next: string) => {
      setText(next);
      keepDraft(name, next === '' || next === initial ? undefined : next);
    },
    [name, initial],
  );
  return [text, write];
}

export function hasDraft(name: string): boolean {
  return readDraft(name) !== undefined;
}

export function readDraft(name: string): string | undefined {
  return read(keyOf(name));
}

export function keepDraft(name: string, value: string | undefined): void {
  keep(keyOf(name), value);
}

/** Removes the drafts of another user who was signed in in the same tab. */
export function forgetDraftsOfOthers(userId: string): void {
  if (read(OWNER) === userId) return;
  for (const key of storedKeys()) if (key.startsWith(PREFIX)) keep(key, undefined);
  keep(OWNER, userId);
}

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
