/** FLOOD: reads of another organization while 20 connections send bodies of 1.8 MB, compared with the same while they flood a bare server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Measurement } from './measure.ts';
import { startServer } from './processes.ts';
import { send } from './send.ts';

const KINDS = ['signed nested JSON', 'forged signature', 'random host id', 'unknown path'];
const SECRET = randomBytes(16).toString('hex');
const READERS = 4;
const WARM_UP_MS = 1_000;
const SECONDS = 5;

function startFlood(kind: string, url: string): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'flood-generator.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, FLOOD_KIND: kind, FLOOD_URL: url, FLOOD_SECRET: SECRET },
  });
}

/** The 99th percentile in milliseconds, of reads that follow each other on a few connections. */
async function readSlowest(url: string, key: string): Promise<number> {
  const took: number[] = [];
  const until = performance.now() + SECONDS * 1000;
  const reader = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await send({ method: 'GET', url: `${url}/api/v2/sample`, headers: { 'x-api-key': key } });
      took.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  took.sort((one, other) => one - other);
  return took[Math.floor(took.length * 0.99)]!;
}

function startService() {
  return startServer('code-host.ts', {
    HOST_KIND: 'github',
    HOST_URL: 'http://127.0.0.1:9',
    HOST_TOKEN: 'none',
    HOST_PAUSED: 'yes',
    WEBHOOK_SECRET: SECRET,
    REPOSITORIES: '[]',
  });
}

const floodOf = (kind: string): Measurement => ({
  id: 'FLOOD',
  what: `p99 of reads during a flood: ${kind}`,
  unit: 'ms',
  referenceName: 'flood of a bare server',
  target: { most: 3 },
  rounds: 5,
  async prepare() {
    const [bare, service] = [await startServer('bare-discard.ts'), await startService()];
    const { codeHostId, otherKey, url } = service.ready as Record<string, string>;
    const path = kind === 'unknown path' ? '/api/v2/nothing' : `/api/v2/code-hosts/${codeHostId}/webhook`;
    const during = async (flooded: string) => {
      const generator = startFlood(kind, flooded + path);
      await setTimeout(WARM_UP_MS);
      try {
        return await readSlowest(url!, otherKey!);
      } finally {
        generator.kill();
        await once(generator, 'exit');
      }
    };
    await readSlowest(url!, otherKey!);
    return {
      ours: () => during(url!),
      reference: () => during(bare.ready.url!),
      async end() {
        await bare.stop();
        await service.stop();
      },
    };
  },
});

export const flood: Measurement[] = KINDS.map(floodOf);
