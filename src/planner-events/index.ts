/** The planner events' door. */
export { recordSessionEvent } from './record-session-event.ts';
