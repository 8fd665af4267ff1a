/**
 * An upgrade under load: a node of an older commit serves requests while a node of this checkout starts on the same database and
 * migrates it, then both serve, then the old one stops. Counts requests that failed.
 * Run it with `node bench/rolling-upgrade.ts <commit>`.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CHECKOUT, checkOut, setUp, startCluster } from './nodes.ts';

const CLIENTS = 4;
const PHASE_MS = 8_000;

const commit = process.argv[2];
if (!commit) throw new Error('Name the older commit: node bench/rolling-upgrade.ts v1.0.0');
const cluster = await startCluster();
const old = join(cluster.folder, 'old');
checkOut(old, commit);
symlinkSync(join(CHECKOUT, 'node_modules'), join(old, 'node_modules'));

try {
  const key = await setUp(cluster, old);
  const first = await cluster.start({ checkout: old });
  let targets = [first.url];
  const counts = new Map<string, number>();
  const failures: string[] = [];
  let loading = true;
  const request = async (path: string, body?: unknown): Promise<Record<string, string>> => {
    const url = targets[Math.floor(Math.random() * targets.length)]!;
    counts.set(url, (counts.get(url) ?? 0) + 1);
    try {
      const reply = await fetch(url + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await reply.text();
      if (!reply.ok) failures.push(`${url}${path}: ${reply.status} ${text.slice(0, 300)}`);
      return reply.ok ? JSON.parse(text) : {};
    } catch (error) {
      failures.push(`${url}${path}: ${(error as Error).message}`);
      return {};
    }
  };
  const client = async () => {
    while (loading) {
      const plan = { seriesKey: crypto.randomUUID(), content: '# Plan\n\nSome text.', agentVendor: 'codex' };
      const { seriesId, versionId } = await request('/api/v2/plans', plan);
      if (!seriesId) continue;
      await request(`/api/v2/plans/${seriesId}/comments`, { versionId, body: 'A comment.' });
      await request(`/api/v2/plans/${seriesId}/comments`);
      await request('/api/v2/reviewer/config?repository=acme/none');
      await request('/api/v2/reviewer/reviewers');
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await delay(PHASE_MS);
  const second = await cluster.start();
  const duringMigration = counts.get(first.url);
  targets = [first.url, second.url];
  await delay(PHASE_MS);
  targets = [second.url];
  await delay(1_000);
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
  await delay(PHASE_MS);
  loading = false;
  await Promise.all(clients);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  print(
    `requests: ${counts.get(first.url)} to the old node (${duringMigration} before the new one was ready), ${counts.get(second.url)} to the new one`,
  );
  print(`failed: ${failures.length}`);
  for (const failure of new Set(failures)) print(failure);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', old], { cwd: CHECKOUT });
  await cluster.stop();
}
