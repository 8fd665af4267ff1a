/** The public interface of the first steps. */
export { createAgentNotes } from './note-agents.ts';
