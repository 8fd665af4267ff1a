/** Remembers that this person looked at a head, so that later the page can show what changed since. */
import { useEffect } from 'react';
import { call } from '../../../api/client.ts';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export function useMarkHeadSeen(
  { headCommit, id, lastSeenHead }: PullRequest,
  shown: string | undefined,
): void {
  useEffect(() => {
    if (shown === undefined || shown !== headCommit || shown === lastSeenHead) return;
    // Nothing is lost if it fails: it is remembered the next time.
    call('mark-head-seen', { pullRequestId: id, head: shown }, { renewSession: false }).catch(
      () => undefined,
    );
  }, [headCommit, id, lastSeenHead, shown]);
}
