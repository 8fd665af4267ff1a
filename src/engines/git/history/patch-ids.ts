/** Recognizes a change that was merged under other commits: squashed into one, or rebased. */
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Merge } from '../../../platform/core/ports/code-differences.ts';
import { type ReadOptions, readOutput, splitOutput } from '../run/read-output.ts';
import { DIFF_CONFIGURATION, DIFF_OPTIONS } from './diff-options.ts';
import { type CommitPair, findMergeBase, isAncestor } from './history.ts';

/** Renames would make the id depend on how similar files are. */
const PATCH = [...DIFF_OPTIONS, '--no-renames', '--full-index', '-p', '-U3'];
const MAX_LINE_BYTES = 200;
/** How many commits of the base are looked at, newest first. */
const MAX_BASE_COMMITS = 2000;

/** Identifies the change between two commits, whatever it is applied to, white space included; null when nothing changed. */
export async function readPatchId({ from, to, ...options }: CommitPair): Promise<string | null> {
  const diff = ['diff', ...PATCH, '--end-of-options', from, to];
  for await (const { id } of patchIds(diff, options, '--verbatim')) return id;
  return null;
}

/** How `base` came to have what `head` changed, if it does. */
export async function findMerge({
  base,
  head,
  ...options
}: Omit<CommitPair, 'from' | 'to'> & { base: string; head: string }): Promise<Merge> {
  if (await isAncestor({ from: head, to: base, ...options })) return { how: 'contained' };
  const mergeBase = await findMergeBase({ from: base, to: head, ...options });
  if (mergeBase === null) return null;
  let whole: string | undefined;
  const diff = ['diff', ...PATCH, '--end-of-options', mergeBase, head];
  for await (const { id } of patchIds(diff, options)) whole = id;
  if (whole === undefined) return null;
  const onBase = new Set<string>();
  for await (const { commit, id } of patchIds(logOf(mergeBase, base), options)) {
    if (id === whole) return { how: 'squashed', commit };
    onBase.add(id);
  }
  if (onBase.size === 0) return null;
  let found = 0;
  for await (const { id } of patchIds(logOf(mergeBase, head), options)) {
    if (!onBase.has(id)) return null;
    found += 1;
  }
  return found > 0 ? { how: 'rebased' } : null;
}

function logOf(from: string, to: string): string[] {
  const log = ['log', '--no-merges', '--no-show-signature', '--format=commit %H'];
  return [...log, `--max-count=${MAX_BASE_COMMITS}`, ...PATCH, '--end-of-options', to, `^${from}`];
}

async function* patchIds(
  args: string[],
  options: ReadOptions,
  // White space that differs is still the same change where a merge is recognized.
  exactness: '--stable' | '--verbatim' = '--stable',
): AsyncGenerator<{ id: string; commit: string }> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const patches = new PassThrough();
  const diff = readOutput(args, { ...options, signal, configuration: DIFF_CONFIGURATION });
  const writing = pipeline(Readable.from(diff), patches);
  writing.catch(() => undefined);
  try {
    const ids = readOutput(['patch-id', exactness], { ...options, signal, input: patches });
    for await (const line of splitOutput(ids, 10, MAX_LINE_BYTES)) {
      const [id, commit] = line.toString('latin1').split(' ');
      yield { id: id!, commit: commit! };
    }
    await writing;
  } finally {
    stop.abort();
  }
}
