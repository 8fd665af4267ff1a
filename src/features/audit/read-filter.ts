/** The filters shared by the list and the export. */
import type { z } from 'zod';
import type { AuditFilter } from './audit-store.ts';
import type { ExportAuditEventsInput } from './contract.ts';

export function readFilter(input: z.output<typeof ExportAuditEventsInput>): Omit<AuditFilter, 'limit'> {
  const { action, from, until, userId } = input;
  return {
    action,
    userId,
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
  };
}
