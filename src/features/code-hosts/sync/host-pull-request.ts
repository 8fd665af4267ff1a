/** Changes the row of a pull request of a code host, which is created when the host first shows it. */
import type { PullRequest } from '../../../engines/code-hosts/index.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import {
  BY_SERVICE,
  type ChangeServices,
  insertPullRequest,
  type PullRequestChange,
  withPullRequestAs,
} from '../../pull-requests/index.ts';
import { type Accounts, forkOf, nameOf } from './apply-pull-request.ts';
import { selectPullRequestId } from './stored-state-store.ts';

export interface HostPullRequest {
  organizationId: string;
  repositoryId: string;
  fullName: string;
  /** Everything read now happened before the repository was connected: nothing of it is recorded as an event. */
  isPast: boolean;
}

/** Nothing is kept if `apply` throws. False if the pull request was deleted meanwhile. */
export async function withHostPullRequest(
  services: ChangeServices & { now(): Date },
  place: HostPullRequest,
  theirs: PullRequest,
  accounts: Accounts,
  apply: (change: PullRequestChange) => Promise<void>,
): Promise<boolean> {
  const { isPast, organizationId, repositoryId } = place;
  const at = services.now();
  const run = async (change: PullRequestChange) => {
    change.silent = isPast;
    await apply(change);
    return true;
  };
  const known = await selectPullRequestId(services.db, repositoryId, theirs.number);
  if (known !== undefined) {
    const source = { ...BY_SERVICE, organizationId };
    return (await withPullRequestAs(services, source, known, at, run)) ?? false;
  }
  const topics = await inTransaction(services.db, async (db) => {
    const change = await insertPullRequest(db, newRow(place, theirs, accounts), at);
    if (!change) return undefined;
    change.silent = isPast;
    change.record('pull_request_opened', { headCommit: theirs.head.commit });
    await apply(change);
    change.set({ created_at: theirs.createdAt, ...(isPast && { updated_at: theirs.updatedAt }) });
    return change.write(BY_SERVICE);
  });
  // It was created at the same time, by a list or by another node.
  if (!topics) return withHostPullRequest(services, place, theirs, accounts, apply);
  for (const topic of topics) services.announce(topic);
  return true;
}

function newRow(
  { fullName, organizationId, repositoryId }: HostPullRequest,
  theirs: PullRequest,
  accounts: Accounts,
) {
  const { author } = theirs;
  return {
    id: uuidv7(),
    organizationId,
    repositoryId,
    number: theirs.number,
    origin: 'host' as const,
    title: storable(theirs.title),
    description: storable(theirs.body),
    state: theirs.state,
    author: {
      kind: author?.bot ? ('bot' as const) : ('person' as const),
      userId: null,
      accountId: (author && accounts.get(author.id)?.id) ?? null,
      name: nameOf(author),
    },
    headRepository: forkOf(theirs, fullName),
    headBranch: theirs.head.branch,
    baseBranch: theirs.base.branch,
    labels: theirs.labels.map(storable),
    url: theirs.url,
    createdAt: theirs.createdAt,
    updatedAt: theirs.updatedAt,
    mergedAt: theirs.mergedAt,
    closedAt: theirs.closedAt,
  };
}
