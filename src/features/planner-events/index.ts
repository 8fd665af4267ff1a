/** The planner events' door. */
export { getPlannerSession } from './get-planner-session.ts';
export { type PlannerSessionSummary, readPlannerSession } from './read-planner-session.ts';
export { recordSessionEvent } from './record-session-event.ts';
