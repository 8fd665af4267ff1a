/** P11: a tool call at `/mcp` compared with the same call over REST; and a thousand agents that wait for one approval. */

import { type Generation, toolCall } from './mcp-request.ts';
import type { Measurement } from './measure.ts';
import { type ServerProcess, startServer } from './processes.ts';
import { type Sent, send, timePerCall } from './send.ts';

const CALLS = 200;
const WAITERS = 1_000;
/** Long enough for all of them to be waiting. */
const SETTLE_MS = 5_000;
/** The memory that a thousand open requests may take. */
const MAX_MEGABYTES = 100;

/** One server for all measurements: starting it takes longer than measuring. */
export function mcpMeasurements(): { measurements: Measurement[]; end(): Promise<void> } {
  let server: Promise<ServerProcess> | undefined;
  const start = async () => {
    server ??= startServer('mcp.ts');
    return (await server).ready as Record<
      'url' | 'key' | 'keys' | 'seriesId' | 'versionId' | 'session',
      string
    >;
  };
  return {
    measurements: [
      ...(['2025-11-25', '2026-07-28'] as const).flatMap((generation) => [
        compareCalls(start, generation, 'remote_file_search', () => ({
          given: { repository: 'acme/service', pattern: '*.test.ts' },
          path: '/api/v2/remote-fs/file-search?repository=acme%2Fservice&pattern=*.test.ts',
        })),
        compareCalls(start, generation, 'get_plan_comments', (seriesId) => ({
          given: { planId: seriesId },
          path: `/api/v2/plans/${seriesId}/comments`,
        })),
      ]),
      waiting(start),
    ],
    async end() {
      await (await server)?.stop();
    },
  };
}

type Start = () => Promise<Record<'url' | 'key' | 'keys' | 'seriesId' | 'versionId' | 'session', string>>;

function compareCalls(
  start: Start,
  generation: Generation,
  tool: string,
  callOf: (seriesId: string) => { given: Record<string, unknown>; path: string },
): Measurement {
  return {
    id: 'P11',
    what: `${tool}, ${generation}`,
    unit: 'ms',
    referenceName: 'REST',
    target: { most: 2 },
    rounds: 7,
    async prepare() {
      const ready = await start();
      const { given, path } = callOf(ready.seriesId);
      const rest: Sent = { method: 'GET', url: ready.url + path, headers: { 'x-api-key': ready.key } };
      const mcp = toolCall(ready, generation, tool, given);
      await timePerCall(rest, CALLS);
      await timePerCall(mcp, CALLS);
      return {
        reference: () => timePerCall(rest, CALLS),
        ours: () => timePerCall(mcp, CALLS),
        end: async () => undefined,
      };
    },
  };
}

/** All get their reply within a second of the approval; memory is measured while they wait. */
function waiting(start: Start): Measurement {
  return {
    id: 'WAIT',
    what: `${WAITERS.toLocaleString('en-US')} agents notified of an approval`,
    unit: 'ms',
    referenceName: 'one second',
    target: { most: 1 },
    rounds: 5,
    async prepare() {
      const ready = await start();
      const headers = { cookie: `countersign=${ready.session}`, 'content-type': 'application/json' };
      const decide = (action: string, body: object) =>
        send({
          method: 'POST',
          url: `${ready.url}/api/v2/plans/${ready.seriesId}/${action}`,
          headers,
          body: JSON.stringify(body),
        });
      return {
        reference: async () => 1_000,
        async ours() {
          const before = await megabytesOf(ready.url);
          const waiters = waitAll(ready);
          await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
          const grown = (await megabytesOf(ready.url)) - before;
          process.stderr.write(`WAIT: ${before} MB before, ${grown} MB more while all wait\n`);
          if (grown > MAX_MEGABYTES) throw new Error(`Waiting took ${grown} MB.`);
          await decide('approve', { versionId: ready.versionId });
          const approved = performance.now();
          for (const text of await waiters) {
            if (!text.includes('approved')) throw new Error(`An agent was not notified: ${text}`);
          }
          const took = performance.now() - approved;
          await decide('withdraw-approval', {});
          return took;
        },
        end: async () => undefined,
      };
    },
  };
}

function waitAll({
  keys,
  seriesId,
  url,
}: {
  keys: string;
  seriesId: string;
  url: string;
}): Promise<string[]> {
  const all = keys.split(' ');
  return Promise.all(
    Array.from({ length: WAITERS }, (_, index) =>
      send(
        toolCall({ url, key: all[index % all.length]! }, '2025-11-25', 'wait_for_review', {
          planId: seriesId,
          timeoutSeconds: 55,
        }),
      ),
    ),
  );
}

async function megabytesOf(url: string): Promise<number> {
  const text = await send({ method: 'GET', url: `${url}/metrics`, headers: {} });
  return Math.round(Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1]) / 1e6);
}
