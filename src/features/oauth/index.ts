/** The public interface of the OAuth 2.1 sign-in of agents. */
export { createAgentSignIn } from './agent-sign-in.ts';
export { deleteGrantsOf } from './agent-store.ts';
