/** Background work of planner events. */
import { deleteOld } from '../../platform/queue/index.ts';
import { deleteOldPlannerSessions } from './planner-event-store.ts';

export const plannerEventJobs = [
  deleteOld('delete-old-planner-sessions', 'plannerSessions', deleteOldPlannerSessions),
];
