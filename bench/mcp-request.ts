/** Tool calls for the benchmarks, in both generations of the protocol. */
import type { Sent } from './send.ts';

export type Generation = '2025-11-25' | '2026-07-28';

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
