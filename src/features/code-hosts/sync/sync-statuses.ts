/** Reads what a code host says about the newest head of a pull request, and records it. Doing it twice changes nothing more. */
import type { CodeHost, PullRequestState } from '../../../engines/code-hosts/index.ts';
import { type ChangeServices, recordHostStatuses } from '../../pull-requests/index.ts';
import { statusesOfHost } from './host-statuses.ts';
import { selectHead, selectPullRequestId, writeStatusesProblem } from './stored-state-store.ts';
import type { SyncKey, SyncRow } from './sync-store.ts';

const MINUTE_MS = 60_000;
/** A head that was pushed this recently can have its first statuses still to come. */
const YOUNG_MS = 30 * MINUTE_MS;

type Services = ChangeServices & { now(): Date };

interface Head {
  commit: string | null;
  state: PullRequestState;
  seenAt: Date | null;
  /** Known before anybody here could be told. */
  isPast: boolean;
}

/** Returns in how many milliseconds to read them again; null: only when something happens. */
export async function syncStatuses(
  services: Services,
  host: CodeHost,
  { repositoryId }: SyncKey,
  row: SyncRow,
  head: Head,
): Promise<number | null> {
  const { commit, isPast, seenAt, state } = head;
  if (commit === null || (state !== 'open' && state !== 'draft')) return null;
  const { db } = services;
  const now = services.now();
  const read = await host.statuses(row.full_name, commit);
  await writeStatusesProblem(
    db,
    repositoryId,
    read.unreadable && `The credential can't read ${read.unreadable}.`,
  );
  const statuses = await statusesOfHost(read.statuses, now);
  const place = { organizationId: row.organization_id, repositoryId, commit };
  await recordHostStatuses(services, place, statuses, { at: now, isPast });
  const isPending = statuses.some((status) => status.state === 'pending');
  // Gitea sends such webhooks only in newer versions, and Forgejo none.
  if (row.webhooks && row.host_kind !== 'gitea') return isPending ? 10 * MINUTE_MS : null;
  const ageMs = seenAt === null ? 0 : now.getTime() - seenAt.getTime();
  return (isPending || ageMs < YOUNG_MS ? 2 : 15) * MINUTE_MS;
}

/** For the head that is known here; null also if the pull request is not. */
export async function syncStatusesOfKnownHead(
  services: Services,
  host: CodeHost,
  key: SyncKey,
  row: SyncRow,
): Promise<number | null> {
  const id = await selectPullRequestId(services.db, key.repositoryId, key.number);
  const known = id === undefined ? undefined : await selectHead(services.db, id);
  if (!known) return null;
  const { head_commit: commit, seen_at: seenAt, state } = known;
  return syncStatuses(services, host, key, row, { commit, state, seenAt, isPast: false });
}
