/** The door of the sign-in of agents (OAuth 2.1). */
export { createAgentSignIn } from './agent-sign-in.ts';
export { deleteGrantsOf } from './agent-store.ts';
export { answerAgentSignIn } from './answer-agent-sign-in.ts';
export { deleteOldRecords } from './delete-old-records.ts';
export { getAgentSignIn } from './get-agent-sign-in.ts';
export { listAgents } from './list-agents.ts';
export { revokeAgent } from './revoke-agent.ts';
