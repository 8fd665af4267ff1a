/** The rule that a plan is linked only to pull requests that exist, as far as that can be known. */
import type { Context } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { selectRepositoriesById } from '../../repositories/index.ts';
import { isPullRequest, selectNearNumbers } from '../store/pull-request-store.ts';

const MAX_NEAR = 4;

/**
 * Refuses a number that the repository doesn't have, with near ones. The code host is asked once, because its webhook may be late; if it
 * can't answer, the link is accepted: an outage must not stop work. A repository without a code host is asked about only if pull requests
 * were opened here: otherwise they may be anywhere.
 */
export async function requirePullRequest(
  context: Context,
  repositoryId: string,
  number: number,
): Promise<void> {
  const { actor, db } = context;
  const [repository] = await selectRepositoriesById(db, actor, [repositoryId]);
  // Nothing is said about a repository that the caller can't see.
  if (!repository || (await isPullRequest(db, repositoryId, number))) return;
  const onHost = await context.isOnHost({ repositoryId, number });
  if (onHost === 'yes' || onHost === 'unknown') return;
  const near = (await selectNearNumbers(db, repositoryId, number, MAX_NEAR))
    .sort((one, other) => Math.abs(one - number) - Math.abs(other - number))
    .slice(0, MAX_NEAR)
    .sort((one, other) => one - other);
  if (near.length === 0 && onHost === 'no_host') return;
  const named = near.map((each) => `#${each}`).join(', ');
  const hint =
    near.length === 0 ? 'which has none' : `the nearest ${near.length === 1 ? 'is' : 'are'} ${named}`;
  throw invalidRequest([
    { path: 'prNumber', message: `is not a pull request of ${repository.name}; ${hint}` },
  ]);
}
