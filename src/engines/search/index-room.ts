/** Keeps this node's indexes within their disk limit: the least recently used are deleted first. */
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** How much to free at once, so that indexes aren't deleted one by one. */
const FREE_SHARE = 0.1;

interface IndexFolder {
  folder: string;
  bytes: number;
  /** The newest mtime of its files, which is updated on use. */
  usedAtMs: number;
}

/** Deletes indexes of other repositories until there is room, and returns how large this one may become. */
export async function makeRoom(indexFolder: string, maxBytes: number): Promise<number> {
  const all = await listIndexes(dirname(dirname(indexFolder)), basename(indexFolder));
  const own = all.find(({ folder }) => folder === indexFolder)?.bytes ?? 0;
  const others = all
    .filter(({ folder }) => folder !== indexFolder)
    .sort((one, other) => one.usedAtMs - other.usedAtMs);
  let taken = others.reduce((sum, { bytes }) => sum + bytes, 0);
  const wanted = own + maxBytes * FREE_SHARE;
  for (const { bytes, folder } of others) {
    if (taken + wanted <= maxBytes) break;
    await rm(folder, { recursive: true, force: true });
    taken -= bytes;
  }
  return Math.max(0, maxBytes - taken);
}

async function listIndexes(root: string, name: string): Promise<IndexFolder[]> {
  const found: IndexFolder[] = [];
  for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory()) continue;
    const folder = join(root, entry.name, name);
    const files = await readdir(folder).catch(() => undefined);
    if (!files) continue;
    let [bytes, usedAtMs] = [0, 0];
    for (const file of files) {
      const known = await stat(join(folder, file)).catch(() => undefined);
      bytes += known?.size ?? 0;
      usedAtMs = Math.max(usedAtMs, known?.mtimeMs ?? 0);
    }
    found.push({ folder, bytes, usedAtMs });
  }
  return found;
}
