/** Lists the files that differ between two commits, with their lines added and deleted. */
import type { ChangedPath, ChangeList, FileChange } from '../../../platform/core/ports/code-differences.ts';
import { showPath } from '../../../platform/core/text/path-text.ts';
import { readOutput, splitOutput } from '../run/read-output.ts';
import { runGit } from '../run/run-git.ts';
import { DIFF_CONFIGURATION, DIFF_OPTIONS, MAX_DIFF_FILE_BYTES } from './diff-options.ts';
import type { CommitPair } from './history.ts';
import { asPathspecs } from './pathspec.ts';
import { renameOptions } from './rename-options.ts';

const CHANGES: Record<string, FileChange> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
};
/** A path may have any length; longer ones are cut, and the file can't be opened. */
const MAX_PATH_BYTES = 64 * 1024;
const [SUBMODULE, SYMLINK] = ['160000', '120000'];

/** Paths and counts come in one listing: first every file, then the counts in the same order. */
export async function listChanges({
  counts,
  from,
  limit,
  onlyPaths,
  renames = true,
  to,
  wants = () => true,
  ...options
}: CommitPair & {
  limit: number;
  /** Without the counts, content is read only to find renames. */
  counts: boolean;
  /** Compares only these; all files if there are none, or too many for git's arguments. */
  onlyPaths?: string[] | undefined;
  /** Finding renames reads content; without them, a renamed file is deleted and added. Or what `renameOptions` says. */
  renames?: boolean | string[];
  /** Files to list; all are counted. */
  wants?: (file: ChangedPath) => boolean;
}): Promise<ChangeList> {
  const found =
    renames === true ? await renameOptions({ from, to, ...options }, onlyPaths) : renames || ['--no-renames'];
  const format = ['--raw', ...(counts ? ['--numstat'] : []), '-z', '--no-abbrev'];
  const args = ['diff', ...format, ...DIFF_OPTIONS, ...found];
  const output = readOutput([...args, '--end-of-options', from, to, '--', ...asPathspecs(onlyPaths)], {
    ...options,
    configuration: DIFF_CONFIGURATION,
  });
  const fields = splitOutput(output, 0, MAX_PATH_BYTES);
  const list: ChangeList = { files: [], total: 0, added: 0, deleted: 0 };
  /** The file that the next counts belong to. */
  let counted = 0;
  const next = async () => (await fields.next()).value as Buffer;
  for await (const field of fields) {
    if (field[0] === 58) {
      const file = await readFile(field.toString('latin1'), next);
      if (list.files.length < limit && wants(file)) list.files.push(file);
      list.total += 1;
      continue;
    }
    const [added, deleted] = readCounts(field);
    // The paths of a rename follow the counts, which end in an empty one.
    if (field.at(-1) === 9) await next().then(next);
    list.added += added ?? 0;
    list.deleted += deleted ?? 0;
    const file = list.files[counted];
    counted += 1;
    if (!file) continue;
    Object.assign(file, { added, deleted });
    if (added === null && file.kind === 'text') file.kind = 'binary';
  }
  await findSizes(list.files, options);
  return list;
}

/** `:100644 100644 <blob> <blob> R086`, then one path or two. */
async function readFile(field: string, next: () => Promise<Buffer>): Promise<ChangedPath> {
  const [oldMode, newMode, oldBlob, newBlob, status] = field.slice(1).split(' ') as [string, ...string[]];
  const change = CHANGES[status![0]!] ?? 'modified';
  const isPair = change === 'renamed' || change === 'copied';
  const oldPath = isPair ? showPath(Buffer.from(await next())) : null;
  const modes = [oldMode, newMode];
  return {
    path: showPath(Buffer.from(await next())),
    oldPath,
    change,
    kind: modes.includes(SUBMODULE) ? 'submodule' : modes.includes(SYMLINK) ? 'symlink' : 'text',
    oldMode: Number(oldMode) === 0 ? null : oldMode,
    newMode: Number(newMode) === 0 ? null : newMode!,
    oldBlob: isNull(oldBlob!) ? null : oldBlob!,
    newBlob: isNull(newBlob!) ? null : newBlob!,
    oldBytes: null,
    newBytes: null,
    added: null,
    deleted: null,
  };
}

function isNull(id: string): boolean {
  return /^0+$/.test(id);
}

/** `12\t3\tpath`, or `-\t-\tpath` for a binary file. */
function readCounts(field: Buffer): [added: number | null, deleted: number | null] {
  const [added, deleted] = field.toString('latin1', 0, 64).split('\t');
  return added === '-' ? [null, null] : [Number(added), Number(deleted)];
}

/** The sizes of files without lines; git calls large files binary without reading them. */
async function findSizes(files: ChangedPath[], options: Reading): Promise<void> {
  const binary = files.filter((file) => file.kind === 'binary');
  const ids = binary.flatMap(({ newBlob, oldBlob }) => [oldBlob, newBlob]).filter((id) => id !== null);
  const sizes = await blobSizes(ids, options);
  for (const file of binary) {
    file.oldBytes = sizes.get(file.oldBlob ?? '') ?? null;
    file.newBytes = sizes.get(file.newBlob ?? '') ?? null;
    if (Math.max(file.oldBytes ?? 0, file.newBytes ?? 0) >= MAX_DIFF_FILE_BYTES) file.kind = 'too_large';
  }
}

type Reading = Pick<CommitPair, 'gitDir' | 'signal' | 'timeoutMs'>;

/** By id, in bytes; those that the repository lacks are left out. */
export async function blobSizes(
  ids: readonly string[],
  { gitDir, signal, timeoutMs }: Reading,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  if (ids.length === 0) return sizes;
  const { stdout } = await runGit(['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'], {
    gitDir,
    signal,
    timeoutMs,
    input: `${ids.join('\n')}\n`,
  });
  for (const line of stdout.toString('latin1').split('\n')) {
    const [id, size] = line.split(' ');
    if (/^\d+$/.test(size ?? '')) sizes.set(id!, Number(size));
  }
  return sizes;
}
