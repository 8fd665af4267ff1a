/** Tool calls for the benchmarks, over keep-alive connections, in both generations of the protocol. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';

export type Generation = '2025-11-25' | '2026-07-28';

export interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

const agent = new Agent({ keepAlive: true });

/** Returns the whole reply. */
export async function send({ body, headers, method, url }: Sent): Promise<string> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = request(url, { method, agent, headers: { ...headers, ...length } });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let received = '';
  for await (const chunk of response.setEncoding('utf8')) received += chunk;
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${received}`);
  if (received.includes('"isError":true')) throw new Error(received);
  return received;
}

export function toolCall(
  server: { url: string; key: string },
  generation: Generation,
  name: string,
  given: Record<string, unknown>,
): Sent {
  const isNew = generation === '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': generation,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: given, ...(isNew && { _meta }) };
  return {
    method: 'POST',
    url: `${server.url}/mcp`,
    headers: {
      'x-api-key': server.key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': generation,
      ...(isNew && { 'mcp-method': 'tools/call', 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

/** Milliseconds per call, run one after another. */
export async function timePerCall(sent: Sent, count: number): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < count; index += 1) await send(sent);
  return (performance.now() - started) / count;
}
