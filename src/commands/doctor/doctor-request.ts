/** The doctor's requests: like an agent's, in both protocol generations, and only to the given address. */
import { type CheckedFetchInit, checkedFetch } from '../../platform/core/network/checked-fetch.ts';
import { packageVersion } from '../../platform/core/text/package-version.ts';

/** Where the service is, and the key to send. */
export interface McpPlace {
  /** The address that agents are configured with, exactly as given. */
  mcpUrl: string;
  baseUrl: string;
  key: string | undefined;
}

/** The last protocol version with a handshake, and the first without. */
export const WITH_HANDSHAKE = '2025-11-25';
export const WITHOUT_HANDSHAKE = '2026-07-28';

export const ANSWER_WITHIN_MS = 10_000;
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

export const clientInfo = () => ({ name: 'countersign-doctor', version: packageVersion() });

export function envelope() {
  return {
    'io.modelcontextprotocol/protocolVersion': WITHOUT_HANDSHAKE,
    'io.modelcontextprotocol/clientInfo': clientInfo(),
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

export async function call(
  place: McpPlace,
  method: string,
  params: object,
  { version, withinMs }: { version?: string; withinMs?: number } = {},
): Promise<unknown> {
  const headers = version && { 'mcp-protocol-version': version, 'mcp-method': method, ...nameHeader(params) };
  const response = await post(place, { jsonrpc: '2.0', id: 1, method, params }, headers || {}, withinMs);
  const body = (await readJson(response)) as {
    result?: unknown;
    error?: { message?: string };
    detail?: string;
  };
  if (body?.result !== undefined) return body.result;
  throw new Error(
    `${response.status}: ${body?.error?.message ?? body?.detail ?? 'this is not an MCP server'}`,
  );
}

/** The tool that is called, which servers of the newer generation expect in a header too. */
function nameHeader(params: { name?: unknown }): Record<string, string> {
  return typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
}

export function post(
  place: McpPlace,
  message: object,
  headers: Record<string, string> = {},
  withinMs?: number,
): Promise<Response> {
  const init = {
    method: 'POST',
    body: JSON.stringify(message),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  };
  return send(place, place.mcpUrl, init, withinMs);
}

export function ask(place: McpPlace, path: string): Promise<Response> {
  return send(place, place.baseUrl + path);
}

/** Redirects are not followed, because the key would be sent to their target. */
async function send(
  place: McpPlace,
  url: string,
  init: CheckedFetchInit = {},
  withinMs = ANSWER_WITHIN_MS,
): Promise<Response> {
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(place.key && { 'x-api-key': place.key }),
  };
  const limits = { allowPrivateAddresses: true, maxBytes: MAX_REPLY_BYTES, timeoutMs: withinMs };
  const response = await checkedFetch(url, { ...init, headers }, limits);
  if (response.status < 300 || response.status >= 400) return response;
  throw new Error(
    `it redirects to ${response.headers.get('location') ?? 'nowhere'}: use that address instead`,
  );
}

/** The body as JSON, including from the first server-sent event; undefined if it isn't JSON. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream');
  const json = streamed ? /^data: ?(\{.*)$/m.exec(text)?.[1] : text;
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}
