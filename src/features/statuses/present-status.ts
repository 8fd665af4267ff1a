/** Turns rows of statuses into their API shape. */
import type { z } from 'zod';
import type { CommitStatus } from './contract.ts';
import type { StatusRow } from './status-store.ts';

export function presentStatus(row: StatusRow): z.input<typeof CommitStatus> {
  return {
    name: row.name,
    state: row.state,
    description: row.description,
    url: row.url,
    setBy: {
      with: row.set_with,
      id: row.user_id,
      name: row.user_name ?? row.account_login,
      keyName: row.key_name,
    },
    updatedAt: row.updated_at.toISOString(),
  };
}
