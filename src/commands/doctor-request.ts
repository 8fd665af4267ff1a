/** How the doctor asks a service: as an agent does, in both generations of the protocol, and never where it was not sent to. */
import { packageVersion } from '../platform/core/package-version.ts';

/** Where the service is, and what to show it. */
export interface McpPlace {
  baseUrl: string;
  key: string | undefined;
}

/** The last generation of the protocol that begins with a handshake, and the first without. */
export const WITH_HANDSHAKE = '2025-11-25';
export const WITHOUT_HANDSHAKE = '2026-07-28';

const ANSWER_WITHIN_MS = 10_000;

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
  version?: string,
): Promise<unknown> {
  const headers = version && { 'mcp-protocol-version': version, 'mcp-method': method };
  const response = await post(place, { jsonrpc: '2.0', id: 1, method, params }, headers || {});
  const body = (await readJson(response)) as {
    result?: unknown;
    error?: { message?: string };
    detail?: string;
  };
  if (body?.result !== undefined) return body.result;
  throw new Error(
    `${response.status}: ${body?.error?.message ?? body?.detail ?? 'no reply of the protocol'}`,
  );
}

export function post(
  place: McpPlace,
  message: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return ask(place, '/mcp', {
    method: 'POST',
    body: JSON.stringify(message),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
}

/** A redirect is not followed: the key would go wherever it points. */
export async function ask(place: McpPlace, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(place.key && { 'x-api-key': place.key }),
  };
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const response = await fetch(place.baseUrl + path, { ...init, headers, signal, redirect: 'manual' });
  if (response.status < 300 || response.status >= 400) return response;
  throw new Error(`it redirects to ${response.headers.get('location') ?? 'nowhere'}: use that address`);
}

/** The body as JSON, also where it comes as the first server-sent event; undefined when it is none. */
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
