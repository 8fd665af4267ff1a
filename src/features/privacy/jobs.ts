/** Background work of privacy: what is deleted after its time, and tokens that are masked in stored texts. */
import type { Retention } from '../../platform/core/ports/retention.ts';
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import { deleteOld, type TimedJob } from '../../platform/queue/index.ts';
import { maskStoredTexts } from './mask-stored-texts.ts';
import { deleteOldAuditEvents, deleteOldEvents, deleteOldPlannerSessions } from './old-row-store.ts';

export const privacyJobs: TimedJob<{ retention: Retention }>[] = [
  deleteOld('delete-old-events', 'events', deleteOldEvents),
  deleteOld('delete-old-planner-sessions', 'plannerSessions', deleteOldPlannerSessions),
  deleteOld('delete-old-audit-events', 'auditEvents', deleteOldAuditEvents),
  { name: 'mask-stored-texts', everyMs: 10 * SECOND_MS, run: maskStoredTexts },
];
