/** What the transport asks of the sign-in of agents (OAuth 2.1): it answers requests as Node.js has them. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface AgentSignIn {
  /** Every path that it answers; `*` at the end stands for anything. */
  readonly paths: readonly string[];
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Where the OAuth metadata of the protected resource `/mcp` is (RFC 9728): challenges name it. */
export function resourceMetadataUrl(baseUrl: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
}

/** The only scope there is: an agent may do what its person may, as far as agents may. */
export const AGENT_SCOPE = 'mcp';
