/** Reads the code of a review from a git repository on this machine; with its index, lines are found without reading everything. */

import type { FileChange } from '../../../platform/core/ports/code-differences.ts';
import type { FileFacts } from '../../../platform/core/ports/code-facts.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import { createBoundedCache } from '../../../platform/core/work/bounded-cache.ts';
import { extractFacts, languageOf, type StoredFacts } from '../../facts/index.ts';
import {
  GitFailure,
  listChanges,
  readCommits,
  readHunks,
  readOutput,
  renameOptions,
  splitOutput,
} from '../../git/index.ts';
import {
  type CommitFiles,
  findLines,
  findRange,
  idOf,
  openRepository,
  pathOf,
  type RepositoryReader,
} from '../../search/index.ts';
import type { Side } from '../contract/code-review.ts';
import { mayHaveTests, TEST_PATHS } from './file-class.ts';
import { findUndone } from './find-undone.ts';
import type { FindOptions, FoundLines, ReviewCode } from './review-code.ts';

/** Larger files are not read. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_PATH_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 4 * 1024;
const MAX_FOUND_LINES = 5000;
const MAX_COMMITS_READ = 100;
const MAX_COMMIT_BYTES = 64 * 1024;
/** git gets them as arguments. */
const MAX_TEXTS = 1000;
/** Texts of files that several checks read. */
const MAX_KEPT_TEXTS = 500;
/** Size of the files whose facts are kept. Facts take more: those of 16 MiB made the heap 40 MB larger. */
const MAX_FACTS_BYTES = 4 * 1024 * 1024;
const TYPICAL_LINE_BYTES = 40;

export interface GitReviewCode extends ReviewCode {
  close(): void;
}

/** Facts depend only on a file's content and path, so reviews share them, whatever the repository. */
const keptFacts = createBoundedCache<FileFacts>(MAX_FACTS_BYTES);

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
    if (!found) return null;
    const key = `${idOf(found.files, found.file)} ${path}`;
    const ownKey = extractors ? `symbols ${key}` : key;
    const kept = keptFacts.get(key) ?? keptFacts.get(ownKey);
    if (kept) return kept;
    const known = place.stored?.read(found.files, found.file);
    if (known) {
      keptFacts.set(key, known, known.lines * TYPICAL_LINE_BYTES + 1000);
      return known;
    }
    const text = await read(side, path);
    if (text === null) return null;
    const extracted = await extractFacts({ path, text }, extractors);
    keptFacts.set(ownKey, extracted, text.length + 1000);
    return extracted;
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
        () => find(reader, { gitDir, commit: commitOf(side), signal }, wanted, options),
      );
    },
    close() {
      if (!place.reader) reader.close();
    },
  };
}

/** Most branches are a line of few commits, which is read faster than git starts. */
async function mayHaveMerge({ objects }: RepositoryReader, base: string, head: string): Promise<boolean> {
  let commit = head;
  for (let read = 0; read < MAX_COMMITS_READ && commit !== base; read += 1) {
    const answer = await objects.read(commit, MAX_COMMIT_BYTES);
    const text = (typeof answer === 'string' ? null : answer.content)?.toString('latin1') ?? '';
    const [header = ''] = text.split('\n\n', 1);
    const [parent, ...others] = header.match(/^parent [0-9a-f]+$/gm) ?? [];
    if (parent === undefined || others.length > 0) return true;
    commit = parent.slice('parent '.length);
  }
  return commit !== base;
}

function findFile(files: CommitFiles, path: string): { files: CommitFiles; file: number } | undefined {
  const bytes = readPath(path);
  const range = findRange(files, bytes);
  return range && pathOf(files, range.from).equals(bytes) ? { files, file: range.from } : undefined;
}

interface CommitPlace {
  gitDir: string;
  commit: string;
  signal: AbortSignal;
}

async function find(
  reader: RepositoryReader,
  place: CommitPlace,
  texts: string[],
  { inTests = false, leavesOutCommon, maxLines = MAX_FOUND_LINES, wholeWords }: FindOptions,
): Promise<FoundLines> {
  if (texts.length === 0) return { lines: [], truncated: false, tooCommon: [] };
  const truncated = texts.length > MAX_TEXTS;
  const some = texts.slice(0, MAX_TEXTS);
  const limits = { maxLines, maxBytes: MAX_LINE_BYTES };
  const { commit, signal } = place;
  const accepts = inTests ? mayHaveTests : undefined;
  const query = { commit, texts: some, wholeWords, leavesOutCommon, accepts, ...limits };
  const found = await findLines(reader, query, signal);
  if (found === undefined) {
    const plain = await grep(place, some, { inTests, maxLines, wholeWords });
    return { ...plain, truncated: plain.truncated || truncated };
  }
  return {
    lines: found.lines.slice(0, maxLines),
    truncated: truncated || found.lines.length > maxLines,
    tooCommon: found.tooCommon,
  };
}

async function grep(
  { commit, gitDir, signal }: CommitPlace,
  texts: string[],
  { inTests, maxLines, wholeWords }: Required<Omit<FindOptions, 'leavesOutCommon'>>,
): Promise<FoundLines> {
  const found: FoundLines = { lines: [], truncated: false, tooCommon: [] };
  const args = ['grep', '-n', '-z', '-I', '-F', '--no-color', '--full-name', ...(wholeWords ? ['-w'] : [])];
  for (const text of texts) args.push('-e', text);
  const output = readOutput([...args, commit, '--', ...(inTests ? TEST_PATHS : [])], { gitDir, signal });
  try {
    for await (const line of splitOutput(output, 10, MAX_PATH_BYTES + MAX_LINE_BYTES)) {
      if (found.lines.length === maxLines) {
        found.truncated = true;
        break;
      }
      addLine(found, line, commit, inTests ? mayHaveTests : undefined);
    }
  } catch (error) {
    // git exits with 1 when nothing matches.
    if (!(error instanceof GitFailure && error.reason === 'exit' && error.exitCode === 1)) throw error;
  }
  return found;
}

/** `<commit>:<path>`, the number and the text, with zero bytes between them. */
function addLine(found: FoundLines, line: Buffer, commit: string, accepts?: (path: string) => boolean): void {
  const pathEnd = line.indexOf(0);
  const numberEnd = line.indexOf(0, pathEnd + 1);
  if (pathEnd === -1 || numberEnd === -1) return;
  const path = showPath(Buffer.from(line.subarray(commit.length + 1, pathEnd)));
  if (accepts && !accepts(path)) return;
  found.lines.push({
    path,
    line: Number(line.toString('latin1', pathEnd + 1, numberEnd)),
    text: line.toString('utf8', numberEnd + 1, numberEnd + 1 + MAX_LINE_BYTES),
  });
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
