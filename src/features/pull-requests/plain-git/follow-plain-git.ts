/**
 * Keeps plain-git pull requests in sync with their branches, after every fetch. It compares what is recorded with the
 * branches, so a fetch that nobody noticed is caught up with, and two nodes can do it at the same time.
 */
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import { type Db, isOutage } from '../../../platform/db/index.ts';
import { BY_SERVICE } from '../../events/index.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import { isBeingMerged } from '../store/merge-store.ts';
import { markSuggestionsApplied } from '../store/suggestion-commit-store.ts';
import { attributePush } from './attribute-push.ts';
import { type Followed, followBranches } from './follow-branches.ts';
import { type MovedRow, selectMoved } from './plain-git-store.ts';

/** How many are compared with their branches by one query. */
const AT_ONCE = 1000;
const MAX_MS = 5 * 60_000;
/** How long to back off from a pull request whose commits could not be compared. */
const RETRY_AFTER_MS = 30_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface PlainGitFollower {
  run(db: Db, now: Date): Promise<void>;
}

export function createPlainGitFollower(services: {
  code: Pick<CodeReader, 'compare'>;
  announce(topic: string): void;
  log: Log;
}): PlainGitFollower {
  const { announce, code, log } = services;
  const retryAt = new Map<string, number>();

  const follow = async (db: Db, row: MovedRow, now: Date): Promise<void> => {
    const { id, organization_id: organizationId, repository_id: repositoryId } = row;
    const caller = { organizationId, userId: 'service', credentialId: 'service' };
    const call = { caller, signal: AbortSignal.timeout(MAX_MS) };
    try {
      const found = await followBranches({ code, call }, row);
      const branch = row.head_branch;
      const push = found.head && (await attributePush(db, { repositoryId, branch }, found.head));
      const followed = push ? { ...found, head: push.head } : found;
      const source = { ...BY_SERVICE, organizationId };
      await withPullRequestAs({ db, announce }, source, id, now, async (change) => {
        await apply(change, followed);
        if (push?.suggestionCommitId) await markSuggestionsApplied(change.db, push.suggestionCommitId, now);
      });
      retryAt.delete(id);
    } catch (error) {
      if (isOutage(error)) throw error;
      retryAt.set(id, performance.now() + RETRY_AFTER_MS);
      log.warn(
        { err: error, pullRequestId: id, repositoryId },
        'the branches of a pull request could not be compared',
      );
    }
  };

  return {
    async run(db, now) {
      for (let after = BEFORE_ALL; ; ) {
        const rows = await selectMoved(db, { after, limit: AT_ONCE });
        const last = rows.at(-1);
        if (!last) return;
        for (const row of rows) {
          if (row.moved && (retryAt.get(row.id) ?? 0) <= performance.now()) await follow(db, row, now);
        }
        after = last.id;
      }
    },
  };
}

/** Nothing, if someone changed it since git was asked: it will be found again. */
async function apply(change: PullRequestChange, followed: Followed): Promise<void> {
  const { base_branch, base_commit, head_commit, state } = change.pullRequest;
  const isSame =
    head_commit === followed.headBefore &&
    base_commit === followed.baseBefore &&
    // Two branches can be at the same commit.
    base_branch === followed.baseBranch;
  if (!isSame || (state !== 'open' && state !== 'draft')) return;
  // Whoever pushes it records it; if they can't, the attempt is looked at later.
  if (await isBeingMerged(change.db, change.pullRequest.id)) return;
  if (followed.head) await change.recordHead(followed.head);
  if (followed.base) await change.setBase(followed.base);
  if (followed.state) change.setState(followed.state, followed.data);
}
