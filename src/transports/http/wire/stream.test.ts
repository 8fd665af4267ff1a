/** Streamed replies: a slow client slows the source down, and a disconnect ends it. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { openRaw } from '../../../../test/helpers/service/raw-http.ts';
import { defineOperation } from '../../../context.ts';
import { streamedArray } from '../../../platform/core/operations/shapes.ts';

const BATCHES = 1_000;
const BATCH = Array.from({ length: 16 }, () => ({ text: 'x'.repeat(4096) }));

/** How many batches each stream has sent, and when it ended. */
const streams: { batches: number; ended: Promise<void> }[] = [];

async function* batches(failAfter: number): AsyncGenerator<typeof BATCH> {
  const end = Promise.withResolvers<void>();
  const stream = { batches: 0, ended: end.promise };
  streams.push(stream);
  try {
    for (let index = 0; index < BATCHES; index += 1) {
      if (index === failAfter) throw new Error('The source broke.');
      stream.batches += 1;
      yield BATCH;
    }
  } finally {
    end.resolve();
  }
}

const service = await startTestService({
  operations: [
    defineOperation({
      name: 'list-much',
      group: 'Test',
      summary: 'List much',
      http: { method: 'GET', path: '/api/v2/test/much', status: 200 },
      accepts: ['key'],
      role: 'viewer',
      input: z.object({ failAfter: z.int().optional() }),
      output: z.object({ list: streamedArray(z.object({ text: z.string() }), 'Much.') }),
      problems: [],
      run: async (_context, { failAfter = -1 }) => ({ list: batches(failAfter) as never }),
    }),
  ],
});
const path = '/api/v2/test/much';
const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${service.acme.member.key}\r\n\r\n`;

describe('a streamed reply', () => {
  it('waits for a client that does not read, and ends when the client disconnects', async () => {
    const client = await openRaw(service.url);
    client.socket.pause();
    await client.write(request);
    // Another request gives the server enough time to fill every buffer.
    for (let index = 0; index < 20; index += 1) await service.request('GET', '/healthz');
    const stream = streams.at(-1)!;
    expect(stream.batches).toBeGreaterThan(0);
    expect(stream.batches).toBeLessThan(BATCHES / 10);
    client.socket.destroy();
    await stream.ended;
    expect(stream.batches).toBeLessThan(BATCHES / 10);
  });

  it('is aborted when its source fails midway, so that it is not mistaken for complete', async () => {
    const answer = fetch(`${service.url}${path}?failAfter=100`, {
      headers: { 'x-api-key': service.acme.member.key },
    });
    await expect(answer.then((response) => response.text())).rejects.toThrow();
    await streams.at(-1)!.ended;
    await service.request('GET', '/healthz');
    expect(service.logLines.some((line) => line.includes('The source broke.'))).toBe(true);
  });

  it('is compressed if the client accepts it, and complete', async () => {
    const response = await fetch(service.url + path, {
      headers: { 'accept-encoding': 'gzip', 'x-api-key': service.acme.member.key },
    });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const body = (await response.json()) as { list: unknown[] };
    expect(body.list).toHaveLength(BATCHES * BATCH.length);
  });
});
