/** Locks a pull request while it is changed, for operations and for background work. */
import type { Context } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import {
  type ChangeServices,
  type ChangeSource,
  changeSubject,
  changeSubjectAs,
} from '../../events/index.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { readPullRequest } from '../reading/read-pull-request.ts';
import { lockPullRequest } from '../store/pull-request-store.ts';
import { PullRequestChange } from './pull-request-change.ts';

/** For an operation: not found if the caller can't see the pull request. Waiting clients are notified after the commit. */
export function withPullRequest<T>(
  context: Context,
  pullRequestId: string,
  decide: (change: PullRequestChange) => Promise<T>,
): Promise<T> {
  const { actor, clock } = context;
  const lock = async (db: Db) => {
    await findPullRequest({ actor, db }, pullRequestId);
    const row = await lockPullRequest(db, actor.organizationId, pullRequestId);
    if (!row) throw notFound('The pull request');
    return new PullRequestChange(db, row, clock.now());
  };
  return changeSubject(context, lock, decide);
}

/** Like `withPullRequest`, but returns the pull request as it is right after this change, before any other change. */
export function changeAndReadPullRequest(
  context: Context,
  pullRequestId: string,
  decide: (change: PullRequestChange) => Promise<void>,
): ReturnType<typeof readPullRequest> {
  return inTransaction(context.db, async (db) => {
    await withPullRequest({ ...context, db }, pullRequestId, decide);
    return readPullRequest(db, context.actor, pullRequestId);
  });
}

/** For background work: undefined if the pull request was deleted. */
export function withPullRequestAs<T>(
  services: ChangeServices,
  source: ChangeSource & { organizationId: string },
  pullRequestId: string,
  now: Date,
  decide: (change: PullRequestChange) => Promise<T>,
): Promise<T | undefined> {
  const lock = async (db: Db) => {
    const row = await lockPullRequest(db, source.organizationId, pullRequestId);
    return row && new PullRequestChange(db, row, now);
  };
  return changeSubjectAs(services, source, lock, decide);
}
