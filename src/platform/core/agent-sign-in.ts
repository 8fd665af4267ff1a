/** What the transport asks of the sign-in of agents (OAuth 2.1): it answers requests as Node.js has them. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface AgentSignInRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Whether pages of any origin may call it: they get no cookie, and send none. */
  anyOrigin: boolean;
  /** Requests a minute from one network, where that is less than what strangers may send. */
  maxPerMinute?: number;
}

/** One request, of which the transport has read the body and knows the browser's session. */
export interface AgentSignInVisit {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  requestId: string;
  address: string;
  /** The living session of the person whose browser this is. */
  sessionId: string | undefined;
}

export interface AgentSignIn {
  readonly routes: readonly AgentSignInRoute[];
  handle(visit: AgentSignInVisit): Promise<void>;
}

/** Where the OAuth metadata of the protected resource `/mcp` is (RFC 9728): challenges name it. */
export function resourceMetadataUrl(baseUrl: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
}

/** The only scope there is: an agent may do what its person may, as far as agents may. */
export const AGENT_SCOPE = 'mcp';
