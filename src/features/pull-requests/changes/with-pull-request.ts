/** Locks a pull request while it is changed, for operations and for background work. */
import type { Context } from '../../../context.ts';
import { notFound } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { findPullRequest } from '../reading/find-pull-request.ts';
import { readPullRequest } from '../reading/read-pull-request.ts';
import { lockPullRequest } from '../store/pull-request-store.ts';
import { type ChangeSource, PullRequestChange } from './pull-request-change.ts';

/** For an operation: not found if the caller can't see the pull request. Waiting clients are notified after the commit. */
export function withPullRequest<T>(
  context: Context,
  pullRequestId: string,
  decide: (change: PullRequestChange) => Promise<T>,
): Promise<T> {
  const { actor, clock } = context;
  return inTransaction(context.db, async (db) => {
    await findPullRequest({ actor, db }, pullRequestId);
    const row = await lockPullRequest(db, actor.organizationId, pullRequestId);
    if (!row) throw notFound('The pull request');
    const change = new PullRequestChange(db, row, clock.now());
    const result = await decide(change);
    for (const topic of await change.write(actor)) context.afterCommit(() => context.feed.announce(topic));
    return result;
  });
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

export interface ChangeServices {
  db: Db;
  /** Called after the commit. */
  announce(topic: string): void;
}

/** For background work: undefined if the pull request was deleted. */
export async function withPullRequestAs<T>(
  services: ChangeServices,
  source: ChangeSource & { organizationId: string },
  pullRequestId: string,
  now: Date,
  decide: (change: PullRequestChange) => Promise<T>,
): Promise<T | undefined> {
  const outcome = await inTransaction(services.db, async (db) => {
    const row = await lockPullRequest(db, source.organizationId, pullRequestId);
    if (!row) return undefined;
    const change = new PullRequestChange(db, row, now);
    const result = await decide(change);
    return { result, topics: await change.write(source) };
  });
  for (const topic of outcome?.topics ?? []) services.announce(topic);
  return outcome?.result;
}
