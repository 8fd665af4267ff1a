/** How much a folder with many files takes up, counted for a limited time. */
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export async function countBytes(
  folder: string,
  withinMs: number,
): Promise<{ bytes: number; complete: boolean }> {
  const deadline = performance.now() + withinMs;
  let bytes = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    // Files come and go while mirrors are refreshed.
    const entries = await opendir(next).catch(() => undefined);
    if (!entries) continue;
    for await (const entry of entries) {
      if (performance.now() > deadline) return { bytes, complete: false };
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
    }
  }
  return { bytes, complete: true };
}
