/** The public interface of planner events. */
export { type PlannerSessionSummary, readPlannerSession } from './read-planner-session.ts';
