/** Finds the definitions and uses of a name in the files of a commit. */
import type { FactRequests, FoundSymbols } from '../../platform/core/ports/code-facts.ts';
import { showPath } from '../../platform/core/text/path-text.ts';
import { pathOf } from '../search/index.ts';
import type { JoinedFiles } from './open-commits.ts';
import { isTestPath } from './path-kinds.ts';
import type { FactShard, NamePosting } from './store/read-shard.ts';

interface Occurrence extends NamePosting {
  shard: FactShard;
  /** The number of the name in the shard. */
  name: number;
  /** The number of the file in the commit, in path order. */
  place: number;
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
    const { file, place, shard } = occurrence;
    const isShown =
      (occurrence.definitions > 0 && definitions.length < maxDefinitions) ||
      references.length < maxReferences;
    const path = isShown ? showPath(pathOf(joined.files, place)) : '';
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

function findOccurrences(joined: JoinedFiles, name: string): Occurrence[] {
  const { fileOf, set } = joined;
  joined.ranks ??= rankFiles(joined);
  const { ranks } = joined;
  const found: Occurrence[] = [];
  for (const [index, shard] of set.shards.entries()) {
    const number = shard.findName(name);
    if (number === -1) continue;
    for (const posting of shard.postings(number)) {
      const place = fileOf[set.bases[index]! + posting.file]!;
      if (place === -1) continue;
      found.push({ ...posting, shard, name: number, place });
    }
  }
  return found.sort((one, other) => ranks[one.place]! - ranks[other.place]! || one.place - other.place);
}

/** Tests and then generated files come last. Frequent names are in thousands of files, so this is kept. */
function rankFiles({ factsOf, files, set }: JoinedFiles): Uint8Array {
  return Uint8Array.from(factsOf, (number, file) => {
    if (number < 0) return 0;
    const { local, shard } = set.shardOf(number);
    if (shard.summary(local).isGenerated) return 2;
    return isTestPath(pathOf(files, file).toString()) ? 1 : 0;
  });
}
