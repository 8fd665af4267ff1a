/** Reads everything that is known about one file of a commit. */
import type { FileFacts } from '../../platform/core/ports/code-facts.ts';
import { readPath } from '../../platform/core/text/path-text.ts';
import { findRange, pathOf } from '../search/index.ts';
import type { JoinedFiles } from './open-commits.ts';

export function readFileFacts(
  { factsOf, files, set }: JoinedFiles,
  path: string,
): { lacking: number; value: FileFacts | null } {
  const bytes = readPath(path);
  const range = findRange(files, bytes);
  if (!range || !pathOf(files, range.from).equals(bytes)) return { lacking: 0, value: null };
  const number = factsOf[range.from]!;
  if (number < 0) return { lacking: number === -1 ? 1 : 0, value: null };
  const { local, shard } = set.shardOf(number);
  const { imports, symbols } = shard.symbols(local);
  return {
    lacking: 0,
    value: {
      ...shard.summary(local),
      facts: shard.facts(local),
      symbols,
      imports,
      uses: shard.uses(local),
    },
  };
}
