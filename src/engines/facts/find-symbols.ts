/** Finds the definitions and uses of a name in the files of a commit. */
import type { FactRequests, FoundSymbols } from '../../platform/core/code-facts.ts';
import { showPath } from '../../platform/core/path-text.ts';
import { pathOf } from '../search/index.ts';
import type { JoinedFiles } from './open-commits.ts';
import { isTestPath } from './path-kinds.ts';
import type { FactShard, NamePosting } from './store/read-shard.ts';

interface Occurrence extends NamePosting {
  shard: FactShard;
  /** The number of the name in the shard. */
  name: number;
  path: string;
  /** The number of the file in the commit, in path order. */
  place: number;
  /** Tests and then generated files come last. */
  rank: number;
}

export function findSymbols(
  joined: JoinedFiles,
  { maxDefinitions, maxReferences, name }: FactRequests['findSymbols']['params'],
): FoundSymbols {
  const found = findOccurrences(joined, name);
  const definitions: FoundSymbols['definitions'] = [];
  const references: FoundSymbols['references'] = [];
  let [allDefinitions, allReferences] = [0, 0];
  for (const occurrence of found) {
    const { file, path, shard } = occurrence;
    if (occurrence.definitions > 0 && definitions.length < maxDefinitions) {
      for (const symbol of shard.symbols(file).symbols) {
        if (symbol.name === name) definitions.push({ ...symbol, path });
      }
    }
    if (occurrence.uses > 0 && references.length < maxReferences) {
      for (const line of shard.linesOf(file, occurrence.name)) references.push({ path, line });
    }
    allDefinitions += occurrence.definitions;
    allReferences += occurrence.uses;
  }
  definitions.length = Math.min(definitions.length, maxDefinitions);
  references.length = Math.min(references.length, maxReferences);
  return {
    definitions,
    references,
    moreDefinitions: allDefinitions - definitions.length,
    moreReferences: allReferences - references.length,
  };
}

function findOccurrences({ fileOf, files, set }: JoinedFiles, name: string): Occurrence[] {
  const found: Occurrence[] = [];
  for (const [index, shard] of set.shards.entries()) {
    const number = shard.findName(name);
    if (number === -1) continue;
    for (const posting of shard.postings(number)) {
      const place = fileOf[set.bases[index]! + posting.file]!;
      if (place === -1) continue;
      const path = showPath(pathOf(files, place));
      const rank = shard.summary(posting.file).isGenerated ? 2 : isTestPath(path) ? 1 : 0;
      found.push({ ...posting, shard, name: number, path, place, rank });
    }
  }
  return found.sort((one, other) => one.rank - other.rank || one.place - other.place);
}
