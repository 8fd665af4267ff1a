/** The door of the sign-in of agents (OAuth 2.1). */
export { createAgentSignIn } from './agent-sign-in.ts';
