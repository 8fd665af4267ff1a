/** Answers requests that compare two commits, once it is certain that the mirror has both. */
import type {
  ChangedKind,
  DifferenceRequests,
  TreeMerge,
} from '../../../platform/core/ports/code-differences.ts';
import type { CodeRequests } from '../../../platform/core/ports/code-reader.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import {
  type BlobDiff,
  type CommitPair,
  countLines,
  diffBlobs,
  findCommitBy,
  findMerge,
  findMergeBase,
  hasMerges,
  isAncestor,
  isSameChange,
  listAuthors,
  listChanges,
  listCommits,
  MAX_DIFF_FILE_BYTES,
  mergeTrees,
  rangeDiff,
  readHunks,
  wholeFile,
} from '../../git/index.ts';
import type { HandlerCall } from '../../processes/index.ts';
import { MissingObject } from './commit-files.ts';
import { type FoundEntry, findPath } from './read-tree-path.ts';
import type { RepositoryReader } from './repository-reader.ts';

/** For one file's difference. */
const LIMITS = { maxLines: 50_000, maxBytes: 4 * 1024 * 1024 };
/** When more files changed, code isn't followed into other files. */
const MAX_FILES_FOR_MOVES = 3000;
/** Larger results aren't kept: one would push out many others. */
const MAX_KEPT_CHARACTERS = 1_000_000;
const BYTES_A_CHARACTER = 2;
/** git's rule for binary files. */
const BINARY_PROBE_BYTES = 8000;

type Handlers = {
  [Name in keyof DifferenceRequests]: (
    reader: RepositoryReader,
    params: DifferenceRequests[Name]['params'],
    call: HandlerCall,
  ) => Promise<DifferenceRequests[Name]['result']>;
};

export const comparisons: Handlers = {
  mergeBase: async (reader, params, call) => findMergeBase(await pair(reader, params, call)),
  isAncestor: async (reader, params, call) => isAncestor(await pair(reader, params, call)),
  listCommits: async (reader, params, call) =>
    listCommits({ ...(await pair(reader, params, call)), limit: params.limit }),
  findCommitBy: async (reader, params, call) =>
    findCommitBy({ ...(await pair(reader, params, call)), addresses: params.addresses }),
  listAuthors: async (reader, params, call) =>
    listAuthors({
      ...(await pair(reader, params, call)),
      limit: params.limit,
      committers: params.committers,
    }),
  hasMerges: async (reader, params, call) => hasMerges(await pair(reader, params, call)),
  async listChanges(reader, params, call) {
    const commits = await pair(reader, params, call);
    return keep(reader, 'listChanges', params, () =>
      listChanges({ ...commits, limit: params.limit, counts: true }),
    );
  },
  async isSameChange(reader, { fromBase, toBase, ...params }, call) {
    const commits = await pair(reader, params, call);
    await Promise.all([reader.treeIdOf(fromBase), reader.treeIdOf(toBase)]);
    return isSameChange({ ...commits, fromBase, toBase });
  },
  async findMerge(reader, params, call) {
    const { from: base, to: head, ...options } = await pair(reader, params, call);
    return findMerge({ ...options, base, head });
  },
  async rangeDiff(reader, params, call) {
    const { fromBase, toBase } = params;
    const commits = await pair(reader, params, call);
    await Promise.all([reader.treeIdOf(fromBase), reader.treeIdOf(toBase)]);
    return keep(reader, 'rangeDiff', params, () => rangeDiff({ ...commits, fromBase, toBase }));
  },
  async hunks(reader, params, call) {
    const commits = await pair(reader, params, call);
    const wanted = new Set(params.paths);
    const list = (renames: boolean) =>
      listChanges({
        ...commits,
        limit: wanted.size,
        counts: false,
        renames,
        wants: ({ oldPath, path }) => wanted.has(oldPath ?? path),
      });
    const quick = await list(false);
    if (quick.files.length === 0) return [];
    if (quick.total <= MAX_FILES_FOR_MOVES) return readHunks({ ...commits, paths: params.paths });
    const { files } = await list(true);
    const onlyPaths = files.flatMap(({ oldPath, path }) => (oldPath === null ? [path] : [oldPath, path]));
    return readHunks({ ...commits, paths: params.paths, onlyPaths });
  },
  async fileDiff(reader, params, call) {
    const commits = await pair(reader, params, call);
    return keep(reader, 'fileDiff', params, () => readFileDiff(reader, params, commits));
  },
};

export async function mergeInto(
  reader: RepositoryReader,
  { base, heads }: CodeRequests['mergeTrees']['params'],
  { signal, time }: HandlerCall,
): Promise<TreeMerge[]> {
  await Promise.all([base, ...heads].map((commit) => reader.treeIdOf(commit)));
  const { gitDir } = reader;
  return mergeTrees({ gitDir, base, heads, signal, timeoutMs: remainingMs(time) });
}

/** Two commits always differ in the same way, and people who review look at the same files again. */
async function keep<Name extends 'listChanges' | 'fileDiff' | 'rangeDiff'>(
  { differences }: RepositoryReader,
  name: Name,
  params: DifferenceRequests[Name]['params'],
  compare: () => Promise<DifferenceRequests[Name]['result']>,
): Promise<DifferenceRequests[Name]['result']> {
  const key = `${name} ${JSON.stringify(params)}`;
  const known = differences.get(key) as DifferenceRequests[Name]['result'] | undefined;
  if (known) return known;
  const result = await compare();
  const characters = key.length + JSON.stringify(result).length;
  if (characters <= MAX_KEPT_CHARACTERS) differences.set(key, result, BYTES_A_CHARACTER * characters);
  return result;
}

async function readFileDiff(
  reader: RepositoryReader,
  params: DifferenceRequests['fileDiff']['params'],
  commits: CommitPair,
): Promise<DifferenceRequests['fileDiff']['result']> {
  const oldFile = await readSide(reader, params.from, params.oldPath ?? params.path);
  const newFile = await readSide(reader, params.to, params.path);
  if (!oldFile && !newFile) return { kind: 'no_path' };
  const kind = kindOf(oldFile, newFile);
  const nothing = { kind, oldTotalLines: null, newTotalLines: null, hunks: [], truncated: false };
  if (kind === 'binary' || kind === 'too_large') return nothing;
  const [before, after] = [oldFile?.content ?? null, newFile?.content ?? null];
  const lines = {
    oldTotalLines: before && countLines(before),
    newTotalLines: after && countLines(after),
  };
  if (before && after && kind === 'text') {
    const { context, ignoreWhitespace } = params;
    const blobs = { ...commits, from: oldFile!.id, to: newFile!.id };
    const diff = await diffBlobs({ ...blobs, context, ignoreWhitespace, limits: LIMITS });
    return { kind, ...lines, ...diff };
  }
  return { kind, ...lines, ...replaced(before, after) };
}

/** Submodules and links have one line; a file can become one. */
function replaced(before: Buffer | null, after: Buffer | null): BlobDiff {
  if (before && after?.equals(before)) return { hunks: [], truncated: false };
  const sides = [
    ...(before ? [wholeFile(before, '-', LIMITS)] : []),
    ...(after ? [wholeFile(after, '+', LIMITS)] : []),
  ];
  return { hunks: sides.flatMap(({ hunks }) => hunks), truncated: sides.some(({ truncated }) => truncated) };
}

interface Side {
  id: string;
  kind: ChangedKind;
  /** Null when it isn't text, or too large. */
  content: Buffer | null;
}

/** Undefined when the commit has no such file. */
async function readSide(reader: RepositoryReader, commit: string, path: string): Promise<Side | undefined> {
  const found: FoundEntry | undefined = await findPath(reader, commit, readPath(path));
  if (!found || found.kind === 'folder') return undefined;
  const { id } = found;
  if (found.kind === 'submodule') {
    return { id, kind: 'submodule', content: Buffer.from(`Subproject commit ${id}\n`) };
  }
  const answer = await reader.objects.read(id, MAX_DIFF_FILE_BYTES - 1);
  if (typeof answer === 'string') throw new MissingObject(`The repository lacks the blob ${id}.`);
  if (!answer.content) return { id, kind: 'too_large', content: null };
  if (found.kind === 'symlink') {
    return { id, kind: 'symlink', content: Buffer.from(showPath(answer.content)) };
  }
  const isBinary = answer.content.subarray(0, BINARY_PROBE_BYTES).includes(0);
  return isBinary ? { id, kind: 'binary', content: null } : { id, kind: 'text', content: answer.content };
}

/** The kind that decides how both sides are shown. */
function kindOf(oldFile: Side | undefined, newFile: Side | undefined): ChangedKind {
  const kinds = [newFile?.kind, oldFile?.kind];
  const order: ChangedKind[] = ['too_large', 'binary', 'submodule', 'symlink'];
  return order.find((kind) => kinds.includes(kind)) ?? 'text';
}

async function pair(
  reader: RepositoryReader,
  { from, to }: { from: string; to: string },
  { signal, time }: HandlerCall,
): Promise<CommitPair> {
  await Promise.all([reader.treeIdOf(from), reader.treeIdOf(to)]);
  return {
    gitDir: reader.gitDir,
    from,
    to,
    signal,
    timeoutMs: remainingMs(time),
  };
}

function remainingMs({ timeLimitMs, waitedMs }: HandlerCall['time']): number {
  return Math.max(1, timeLimitMs - waitedMs);
}
