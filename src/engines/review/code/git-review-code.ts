/** Reads the code of a review from a git repository on this machine; with its index, lines are found without reading everything. */

import type { FileChange } from '../../../platform/core/ports/code-differences.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import { languageOf, type StoredFacts } from '../../facts/index.ts';
import { blobSizes, listChanges, readCommits, readHunks, renameOptions } from '../../git/index.ts';
import {
  type CommitFiles,
  findRange,
  idOf,
  openRepository,
  pathOf,
  type RepositoryReader,
} from '../../search/index.ts';
import type { Side } from '../contract/code-review.ts';
import { factsOf } from './file-facts.ts';
import { findInCommit } from './find-in-commit.ts';
import { findUndone } from './find-undone.ts';
import { mayHaveMerge } from './may-have-merge.ts';
import type { FoundLines, ReviewCode } from './review-code.ts';

/** Larger files are not read. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Texts of files that several checks read. */
const MAX_KEPT_TEXTS = 500;

export interface GitReviewCode extends ReviewCode {
  close(): void;
}

export function openGitReviewCode(place: {
  gitDir: string;
  base: string;
  head: string;
  signal: AbortSignal;
  /** Reads this repository with its index; stays open. */
  reader?: RepositoryReader | undefined;
  /** Facts of this repository that were extracted before: parsing takes most of a review's time. */
  stored?: StoredFacts | undefined;
  /** Compares only these; all files if there are none. */
  onlyPaths?: string[] | undefined;
}): GitReviewCode {
  const { base, gitDir, head, onlyPaths, signal } = place;
  const pair = { gitDir, from: base, to: head, signal };
  const reader = place.reader ?? openRepository(gitDir, null);
  const texts = new Map<string, Promise<string | null>>();
  const searches = new Map<string, Promise<FoundLines>>();
  const lists = new Map<Side, Promise<string[]>>();
  let renaming: Promise<string[]> | undefined;
  const renames = () => {
    renaming ??= renameOptions(pair, onlyPaths);
    return renaming;
  };
  /** Most changes don't both add and delete files, so nothing in them can be a rename. */
  const listAll = async (limit: number) => {
    const plain = await listChanges({ ...pair, onlyPaths, limit, counts: false, renames: false });
    const has = (how: FileChange) => plain.files.some(({ change }) => change === how);
    if (plain.files.length < plain.total || (has('added') && has('deleted')))
      return listChanges({ ...pair, onlyPaths, limit, counts: false, renames: await renames() });
    renaming = Promise.resolve(['--no-renames']);
    return plain;
  };
  const commitOf = (side: Side) => (side === 'base' ? base : head);

  const fileAt = async (side: Side, path: string) => findFile(await reader.filesOf(commitOf(side)), path);
  const read = (side: Side, path: string) =>
    remember(texts, `${side} ${path}`, async () => {
      const found = await fileAt(side, path);
      if (!found) return null;
      const answer = await reader.objects.read(idOf(found.files, found.file), MAX_FILE_BYTES);
      if (typeof answer === 'string' || !answer.content) return null;
      return answer.content.includes(0) ? null : answer.content.toString('utf8');
    });

  const extract = async (side: Side, path: string, extractors?: readonly []) => {
    const found = await fileAt(side, path);
    return found
      ? factsOf({ ...found, path, stored: place.stored }, () => read(side, path), extractors)
      : null;
  };

  return {
    base,
    head,
    async listChanges(limit) {
      if (onlyPaths) return listAll(limit);
      // Checks read both sides, whose files are listed while git compares.
      const [list] = await Promise.all([listAll(limit), reader.filesOf(base), reader.filesOf(head)]);
      return list;
    },
    async hunks(paths) {
      return readHunks({ ...pair, onlyPaths, paths, renames: await renames() });
    },
    sizes: (blobs) => blobSizes(blobs, { gitDir, signal }),
    read,
    async lastSubject(path) {
      const revisions = [head, `^${base}`, '--', `:(literal)${path}`];
      const [commit] = await readCommits(['--max-count=1'], revisions, { gitDir, signal });
      return commit?.subject ?? null;
    },
    undone: async (paths) => ((await mayHaveMerge(reader, base, head)) ? findUndone(pair, paths) : []),
    facts: (side, path) => extract(side, path),
    // In other languages, parsing takes most of the time, and both need it.
    symbols: (side, path) => extract(side, path, languageOf(path) === 'go' ? [] : undefined),
    listFiles: (side) =>
      remember(lists, side, async () => {
        const files = await reader.filesOf(commitOf(side));
        return Array.from({ length: files.count }, (_, file) => showPath(pathOf(files, file)));
      }),
    find(side, wanted, options) {
      const { inTests, leavesOutCommon, maxLines, wholeWords } = options;
      return remember(
        searches,
        [side, wholeWords, inTests, leavesOutCommon, maxLines, ...wanted].join('\0'),
        () => findInCommit(reader, { gitDir, commit: commitOf(side), signal }, wanted, options),
      );
    },
    close() {
      if (!place.reader) reader.close();
    },
  };
}

function findFile(files: CommitFiles, path: string): { files: CommitFiles; file: number } | undefined {
  const bytes = readPath(path);
  const range = findRange(files, bytes);
  return range && pathOf(files, range.from).equals(bytes) ? { files, file: range.from } : undefined;
}

function remember<Key, Value>(
  kept: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= MAX_KEPT_TEXTS) kept.delete(kept.keys().next().value!);
  const made = make();
  kept.set(key, made);
  return made;
}
