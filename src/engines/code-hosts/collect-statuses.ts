/** Joins what a host says about a commit into one status for each name and account. Pure. */
import { MAX_STATUSES } from './limits.ts';
import type { CommitStatus, CommitStatuses } from './port.ts';

const ORDER: Record<CommitStatus['state'], number> = { failure: 0, error: 1, pending: 2, success: 3 };

/** If several have the same name and account, the worst counts. If there are too many, the worst stay. */
export function collectStatuses(found: Iterable<CommitStatus>): Omit<CommitStatuses, 'unreadable'> {
  const worst = new Map<string, CommitStatus>();
  for (const status of found) {
    const key = JSON.stringify([status.name, status.account]);
    const known = worst.get(key);
    if (!known || ORDER[status.state] < ORDER[known.state]) worst.set(key, status);
  }
  const statuses = [...worst.values()].sort((a, b) => ORDER[a.state] - ORDER[b.state]);
  return { statuses: statuses.slice(0, MAX_STATUSES), truncated: statuses.length > MAX_STATUSES };
}
