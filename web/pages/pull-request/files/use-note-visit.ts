/** Remembers that this person looked at a head, so that later the page can show what changed since. */
import { useEffect } from 'react';
import { call } from '../../../api/client.ts';
import type { PullRequest } from '../pull-request-data.ts';

export function useNoteVisit({ headCommit, id, lastSeenHead }: PullRequest, shown: string | undefined): void {
  useEffect(() => {
    if (shown === undefined || shown !== headCommit || shown === lastSeenHead) return;
    // Nothing is lost if it fails: the next visit is noted again.
    call('note-pull-request-visit', { pullRequestId: id, head: shown }, { renewSession: false }).catch(
      () => undefined,
    );
  }, [headCommit, id, lastSeenHead, shown]);
}
