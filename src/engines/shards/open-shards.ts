/** Opens the shards of a folder, and tells leftovers of killed writers. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';

/** A running writer keeps writing. */
const LEFT_BEHIND_MS = 60 * 60_000;

interface OpenShard {
  name: string;
  close(): void;
}

/** Their names, in order of creation. */
export function listShards(folder: string, ending: string): string[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

/** Reuses open shards of an earlier set and closes those that are gone. `damaged` names those that `open` could not open. */
export function openShards<Shard extends OpenShard>(
  folder: string,
  ending: string,
  open: (name: string) => Shard | undefined,
  earlier: readonly Shard[] = [],
): { shards: Shard[]; damaged: string[] } {
  const known = new Map(earlier.map((shard) => [shard.name, shard]));
  const shards: Shard[] = [];
  const damaged: string[] = [];
  for (const name of listShards(folder, ending)) {
    const shard = known.get(name) ?? open(name);
    known.delete(name);
    if (shard) shards.push(shard);
    else damaged.push(name);
  }
  for (const gone of known.values()) gone.close();
  return { shards, damaged };
}

export function isLeftBehind(path: string): boolean {
  const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs > LEFT_BEHIND_MS;
}
