/** A member as shown to callers. */
import type { MemberRow } from '../store/account-store.ts';

export function presentMember(row: MemberRow) {
  return {
    userId: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    createdAt: row.created_at.toISOString(),
    deactivatedAt: row.deactivated_at?.toISOString() ?? null,
    suspendedAt: row.suspended_at?.toISOString() ?? null,
  };
}
