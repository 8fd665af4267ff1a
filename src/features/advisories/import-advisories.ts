/** Reads a folder of advisories in the OSV format, such as a clone of the GitHub Advisory Database, in place of those from before. */
import { opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import { createIncoming, finishImport, tryLockImports, writeAdvisories } from './advisory-store.ts';
import { type Advisory, readAdvisory } from './read-advisory.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const FILES_AT_ONCE = 64;

export type ImportedAdvisories =
  | { kind: 'imported'; total: number; changed: number; removed: number; notRead: string[] }
  /** Nothing was changed: a mirror that lost its files must not take the advisories along. */
  | { kind: 'empty'; notRead: string[] }
  /** Another import is running. */
  | { kind: 'busy' };

export async function importAdvisories(
  db: Db,
  folder: string,
  { at, onProgress }: { at: Date; onProgress(files: number): void },
): Promise<ImportedAdvisories> {
  return inTransaction(db, async (transaction) => {
    if (!(await tryLockImports(transaction))) return { kind: 'busy' };
    await createIncoming(transaction);
    const notRead: string[] = [];
    const changed = new Set<string>();
    let [files, found] = [0, 0];
    let batch: string[] = [];
    const flush = async () => {
      const read = await Promise.all(batch.map(readOne));
      notRead.push(...batch.filter((_, index) => read[index] === undefined));
      const advisories = read.flatMap((each) => each ?? []);
      if (advisories.length > 0)
        for (const id of await writeAdvisories(transaction, advisories)) changed.add(id);
      files += batch.length;
      found += advisories.length;
      batch = [];
      onProgress(files);
    };
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
      batch.push(join(entry.parentPath, entry.name));
      if (batch.length === FILES_AT_ONCE) await flush();
    }
    if (batch.length > 0) await flush();
    if (found === 0) return { kind: 'empty', notRead };
    const finished = await finishImport(transaction, at);
    for (const id of finished.changed) changed.add(id);
    const { removed, total } = finished;
    return { kind: 'imported', total, changed: changed.size, removed: removed.length, notRead };
  });
}

/** Undefined if it is no advisory, or can't be read. */
async function readOne(path: string): Promise<Advisory[] | undefined> {
  try {
    const { size } = await stat(path);
    return size > MAX_FILE_BYTES ? undefined : readAdvisory(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}
