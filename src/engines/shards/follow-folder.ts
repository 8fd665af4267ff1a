/** Keeps a set of shards open, and opens it again whenever its folder changes: shards are only ever added or removed. */
import { statSync } from 'node:fs';

export function followFolder<Set extends { close(): void }>(
  folder: string,
  open: (earlier: Set | undefined) => Set,
): { present(): Set; close(): void } {
  let set: Set | undefined;
  let seen = '';
  return {
    present() {
      const stat = statSync(folder, { throwIfNoEntry: false, bigint: true });
      const now = stat ? `${stat.ino} ${stat.mtimeNs}` : '';
      if (!set || now !== seen) {
        set = open(set);
        // Opening the set created the folder.
        seen = now === '' ? 'new' : now;
      }
      return set;
    },
    close() {
      set?.close();
      set = undefined;
    },
  };
}
