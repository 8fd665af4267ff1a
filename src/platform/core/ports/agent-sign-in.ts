/** The interface between the HTTP transport and agent sign-in (OAuth 2.1), which handles raw Node.js requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface AgentSignInRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Whether pages from any origin may call it; no cookies are sent or set. */
  anyOrigin: boolean;
  /** Requests per minute from one network, where that is lower than the anonymous rate limit. */
  maxPerMinute?: number;
}

/** One request, with its body already read and the browser's session already looked up. */
export interface AgentSignInVisit {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
  requestId: string;
  address: string;
  /** The active session of the browser's user, if any. */
  sessionId: string | undefined;
}

export interface AgentSignIn {
  readonly routes: readonly AgentSignInRoute[];
  handle(visit: AgentSignInVisit): Promise<void>;
}

/** The URL of the OAuth metadata for the protected resource `/mcp` (RFC 9728), as named in challenges. */
export function resourceMetadataUrl(baseUrl: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
}

/** The only scope: an agent may do what its user may, limited to the operations open to agents. */
export const AGENT_SCOPE = 'mcp';
