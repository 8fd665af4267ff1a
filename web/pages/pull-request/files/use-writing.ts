/** The comment that is being written on lines or on a file; it survives a reload. */
import { useState } from 'react';
import { hasDraft, keepDraft, readDraft } from '../../../components/drafts.ts';
import type { LineSelection } from '../diff/line-selection.ts';
import { newDiscussionDraft } from '../threads/new-discussion.tsx';

export function useWriting(
  pullRequestId: string,
  commit?: string,
): [LineSelection | undefined, (place: LineSelection | undefined) => void] {
  const name = `${pullRequestId}:${commit === undefined ? '' : `${commit}:`}place`;
  const [writing, setWriting] = useState(() => {
    const stored = readDraft(name);
    const place = stored === undefined ? undefined : (JSON.parse(stored) as LineSelection);
    return place && hasDraft(newDiscussionDraft(pullRequestId, place)) ? place : undefined;
  });
  const write = (place: LineSelection | undefined) => {
    setWriting(place);
    keepDraft(name, place && JSON.stringify(place));
  };
  return [writing, write];
}
