/** Facts that were extracted before, for a process that reads the files itself: most files of a change's repository have them. */
import type { FileFacts } from '../../platform/core/ports/code-facts.ts';
import type { CommitFiles } from '../search/index.ts';
import { keyOf, type OpenFacts, openFacts } from './store/shard-set.ts';

export interface StoredFacts {
  /** Undefined when the file has none yet, or is no text in a known language. */
  read(files: CommitFiles, file: number): FileFacts | undefined;
}

export interface OpenStoredFacts {
  of(factsFolder: string): StoredFacts;
}

/** Keeps the files of at most `maxOpen` repositories open. */
export function openStoredFacts(maxOpen: number): OpenStoredFacts {
  const open = new Map<string, OpenFacts>();
  const factsIn = (folder: string, idBytes: number) => {
    const facts = open.get(folder) ?? openFacts(folder, idBytes);
    open.delete(folder);
    open.set(folder, facts);
    if (open.size > maxOpen) {
      const [oldest, unused] = open.entries().next().value!;
      unused.close();
      open.delete(oldest);
    }
    return facts;
  };
  return {
    of: (factsFolder) => ({
      // Shards can be closed by the next call, so nothing may be awaited here.
      read(files, file) {
        const set = factsIn(factsFolder, files.idBytes).present();
        const number = set.find(keyOf(files, file));
        if (number === -1) return undefined;
        const { local, shard } = set.shardOf(number);
        const summary = shard.summary(local);
        if (summary.language === null) return undefined;
        return { ...summary, ...shard.symbols(local), facts: shard.facts(local), uses: shard.uses(local) };
      },
    }),
  };
}
