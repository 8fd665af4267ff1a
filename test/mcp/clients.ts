/** The official clients against a service under test: the current generation (2.x) and the previous one (1.x). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll } from 'vitest';

export const GENERATIONS = ['2025-11-25', '2026-07-28'] as const;
export type Generation = (typeof GENERATIONS)[number];

const INFO = { name: 'claude-code', version: '1.0.0' };

/** The client 2.x; it is closed with the test file. */
export async function connect(
  url: string,
  headers: Record<string, string>,
  generation: Generation = '2026-07-28',
): Promise<Client> {
  const mode = generation === '2026-07-28' ? { pin: generation } : 'legacy';
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  afterAll(() => client.close());
  return client;
}

/** The 1.x client, which supports only the older generation. */
export async function connectFirst(url: string, headers: Record<string, string>): Promise<Client1> {
  const client = new Client1(INFO);
  await client.connect(new Transport1(new URL(`${url}/mcp`), { requestInit: { headers } }));
  afterAll(() => client.close());
  return client;
}

/** The text of a resource with a single content item. */
export function textOf({ contents }: { contents: object[] }): string {
  return String((contents[0] as { text?: unknown }).text);
}
