/** Calls Countersign's MCP tools over HTTP, with the user's API key. */
import { setTimeout as pause } from 'node:timers/promises';

const PROTOCOL = '2026-07-28';
const REPLY_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3000;
/** Long enough for a restart of the service. */
const RETRY_AFTER_MS = [500, 1000, 2000, 4000];

/** A message for the user about why the review ended without a decision. */
export class ReviewProblem extends Error {}

export async function isReachable({ url }) {
  try {
    const reply = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
      redirect: 'manual',
    });
    return reply.status === 200;
  } catch {
    return false;
  }
}

/** The structured reply of a tool. Retries after a lost connection: every tool used here is safe to retry. */
export async function callTool(settings, tool, input, waitMs = 0) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await callOnce(settings, tool, input, waitMs);
    } catch (error) {
      if (error instanceof ReviewProblem) throw error;
      const delay = RETRY_AFTER_MS[attempt];
      if (delay === undefined) {
        throw new ReviewProblem(`Countersign at ${settings.url} cannot be reached.`, { cause: error });
      }
      await pause(delay);
    }
  }
}

async function callOnce({ key, url }, tool, input, waitMs) {
  const params = {
    name: tool,
    arguments: input,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': PROTOCOL,
      'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: 'hook' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const reply = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL,
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: AbortSignal.timeout(REPLY_TIMEOUT_MS + waitMs),
    // The key must not follow a redirect.
    redirect: 'manual',
  });
  const body = await reply.text();
  if (reply.status === 429 || reply.status >= 500) throw new Error(`${reply.status}`);
  if (reply.status === 401) {
    throw new ReviewProblem('Countersign does not accept the key in COUNTERSIGN_API_KEY.');
  }
  const result = resultIn(reply, body);
  if (!result) {
    throw new ReviewProblem(
      `${url}/mcp answered ${reply.status}. Is COUNTERSIGN_URL the address of Countersign?`,
    );
  }
  if (result.isError || !result.structuredContent) {
    throw new ReviewProblem(`Countersign refused ${tool}: ${result.content?.[0]?.text ?? 'no reason given'}`);
  }
  return result.structuredContent;
}

/** The result, from JSON or from a server-sent event. */
function resultIn(reply, body) {
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream');
  const messages = isStream ? [...body.matchAll(/^data: ?(\{.*)$/gm)].map((match) => match[1]) : [body];
  for (const message of messages) {
    try {
      const { result } = JSON.parse(message);
      if (result) return result;
    } catch {}
  }
  return undefined;
}
