/** Restores a backup into an empty database: the whole file is checked first, and everything is written in one transaction. */
import { type Connection, loadRows } from '../db/index.ts';
import { damaged } from './backup-file.ts';
import { type BackupTotals, readBackup } from './read-backup.ts';

export interface RestoreResult extends BackupTotals {
  /** Tables of the backup that are not Countersign's. */
  skipped: string[];
}

/** `verified` is what checkBackup or verifyBackup found in the file. */
export async function restoreBackup(options: {
  connection: Connection;
  file: string;
  verified: BackupTotals;
  signal: AbortSignal;
  onProgress(progress: { step: 'loading' | 'indexing' | 'migrating'; bytes: number }): void;
  beforeCommit(): Promise<void>;
}): Promise<RestoreResult> {
  const { beforeCommit, connection, file, onProgress, signal, verified } = options;
  const { migrations, tables } = verified.header;
  let bytes = 0;
  const observed = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      bytes += piece.length;
      onProgress({ step: 'loading', bytes });
      yield piece;
    }
  };
  const skipped = await loadRows(connection, {
    migrations,
    tables,
    // The rows are checked now that they are decompressed, and the whole file once more: it may have changed since it was verified.
    async fill(load) {
      const totals = await readBackup(file, ({ pieces, ...table }) =>
        load({ ...table, pieces: observed(pieces) }),
      );
      if (JSON.stringify(totals) !== JSON.stringify(verified))
        throw damaged(file, 'it was changed meanwhile');
    },
    onStep: (step) => onProgress({ step, bytes }),
    beforeCommit,
  });
  return { ...verified, skipped };
}
