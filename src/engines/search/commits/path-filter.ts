/** Globs that files must match, compiled once. */
import type { CodeQuery } from '../../../platform/core/ports/code-reader.ts';
import { createBoundedCache } from '../../../platform/core/work/bounded-cache.ts';
import { type CompiledGlob, compileGlob, type Glob } from '../glob/index.ts';
import type { CommitFiles } from './commit-files.ts';

/** Reused, because a glob's automaton gets faster as it is used. */
const BYTES_A_GLOB = 100_000;
const known = createBoundedCache<CompiledGlob>(50 * BYTES_A_GLOB);

export function knownGlob(pattern: string): CompiledGlob {
  const compiled = known.get(pattern) ?? compileGlob(pattern);
  known.set(pattern, compiled, BYTES_A_GLOB);
  return compiled;
}

/** Accepts files that match all globs and none that is excluded; null when there are none. Callers have checked that they are valid. */
export function pathFilter(
  { pathOffsets, paths }: CommitFiles,
  { excludedGlobs = [], globs = [] }: Pick<CodeQuery, 'excludedGlobs' | 'globs'>,
): ((file: number) => boolean) | null {
  if (globs.length + excludedGlobs.length === 0) return null;
  const [wanted, unwanted] = [globs.map(compile), excludedGlobs.map(compile)];
  return (file) => {
    const matches = (glob: Glob) => glob.matches(paths, pathOffsets[file]!, pathOffsets[file + 1]!);
    return wanted.every(matches) && !unwanted.some(matches);
  };
}

function compile(pattern: string): Glob {
  const made = knownGlob(pattern);
  if (!made.ok) throw new Error(`Invalid glob: ${made.message}`);
  return made.glob;
}
