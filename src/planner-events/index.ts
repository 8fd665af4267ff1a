/** The planner events' door. */
export { type PlannerSessionSummary, readPlannerSession } from './read-planner-session.ts';
export { recordSessionEvent } from './record-session-event.ts';
