/** Tells admins of a secret that is neither removed nor dismissed an hour after a review found it. */
import { HOUR_MS } from '../../../platform/core/text/durations.ts';
import type { Db } from '../../../platform/db/index.ts';
import { BY_SERVICE, withPullRequestAs } from '../../pull-requests/index.ts';
import { markAdminsTold, selectLeftSecrets } from './left-secret-store.ts';

export async function tellOfLeftSecrets(
  db: Db,
  now: Date,
  { announce }: { announce(topic: string): void },
): Promise<void> {
  for (const secret of await selectLeftSecrets(db, new Date(now.getTime() - HOUR_MS))) {
    const { commentId, discussionId, organizationId, pullRequestId } = secret;
    await withPullRequestAs(
      { db, announce },
      { ...BY_SERVICE, organizationId },
      pullRequestId,
      now,
      async (change) => {
        if (await markAdminsTold(change.db, discussionId, now))
          change.record('pull_request_secret_left', { discussionId, ...(commentId && { commentId }) });
      },
    );
  }
}
