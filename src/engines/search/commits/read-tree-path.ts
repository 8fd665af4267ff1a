/** Reads a path of a commit: the entries of a folder, or the lines of a file. */
import type { FileText } from '../../../platform/core/ports/code-differences.ts';
import type {
  CodeRequests,
  FileReading,
  TreeEntry,
  TreeEntryKind,
  TreeListing,
} from '../../../platform/core/ports/code-reader.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import { parseTree } from '../../git/index.ts';
import { MAX_FILE_BYTES, textOfBlob } from '../shards/blob-text.ts';
import { MissingObject } from './commit-files.ts';
import { readTree } from './read-commit.ts';
import type { RepositoryReader } from './repository-reader.ts';

const LINE_FEED = 10;
const SLASH = 47;
/** The maximum size of a reply's text, however few lines were requested. */
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:[0-9a-f]{64}\nsize \d+\n/;
const MAX_POINTER_BYTES = 1024;

export interface FoundEntry {
  kind: TreeEntryKind;
  id: string;
}

/** Whether a path exists, including empty folders and submodules. */
export async function hasPath(
  reader: RepositoryReader,
  { commit, path }: { commit: string; path: string },
): Promise<boolean> {
  return (await findPath(reader, commit, readPath(path))) !== undefined;
}

/** Undefined when the path doesn't exist. */
export async function findPath(
  reader: RepositoryReader,
  commit: string,
  path: Buffer,
): Promise<FoundEntry | undefined> {
  let found: FoundEntry = { kind: 'folder', id: await reader.treeIdOf(commit) };
  for (const name of splitPath(path)) {
    if (found.kind !== 'folder') return undefined;
    const tree = await readTree(reader.batches, reader.trees, found.id);
    const idBytes = found.id.length / 2;
    const entry = parseTree(tree, idBytes).find(
      ({ nameEnd, nameStart }) => name.compare(tree, nameStart, nameEnd) === 0,
    );
    if (!entry) return undefined;
    found = { kind: entry.mode, id: tree.toString('hex', entry.idStart, entry.idStart + idBytes) };
  }
  return found;
}

function splitPath(path: Buffer): Buffer[] {
  const names: Buffer[] = [];
  for (let start = 0; start < path.length; ) {
    const slash = path.indexOf(SLASH, start);
    const end = slash === -1 ? path.length : slash;
    names.push(path.subarray(start, end));
    start = end + 1;
  }
  return names;
}

export async function listTree(
  reader: RepositoryReader,
  query: CodeRequests['listTree']['params'],
): Promise<TreeListing> {
  const path = readPath(query.path);
  const found = await findPath(reader, query.commit, path);
  if (!found) return { kind: 'no_path' };
  if (found.kind !== 'folder') return { kind: 'not_a_folder' };
  const tree = await readTree(reader.batches, reader.trees, found.id);
  const entries: TreeEntry[] = [];
  for (const { mode, nameEnd, nameStart } of parseTree(tree, found.id.length / 2)) {
    const name = tree.subarray(nameStart, nameEnd);
    const whole = path.length === 0 ? name : Buffer.concat([path, Buffer.from('/'), name]);
    entries.push({ name: showPath(name), path: showPath(whole), kind: mode });
  }
  // Trees are already in byte order, and the sort is stable.
  entries.sort((one, other) => Number(other.kind === 'folder') - Number(one.kind === 'folder'));
  return { kind: 'tree', entries: entries.slice(0, query.limit), truncated: entries.length > query.limit };
}

export async function readFile(
  reader: RepositoryReader,
  query: CodeRequests['readFile']['params'],
): Promise<FileReading> {
  const found = await findPath(reader, query.commit, readPath(query.path));
  if (!found) return { kind: 'no_path' };
  if (found.kind === 'folder' || found.kind === 'submodule') return { kind: 'not_a_file' };
  const answer = await reader.objects.read(found.id, MAX_FILE_BYTES);
  if (typeof answer === 'string') throw new MissingObject(`The repository lacks the blob ${found.id}.`);
  const nothing = { totalLines: null, startLine: 1, endLine: 0, text: '', truncated: false };
  if (!answer.content) return { ...nothing, kind: 'too_large', size: answer.size };
  if (found.kind === 'symlink') {
    return { ...nothing, kind: 'symlink', size: answer.size, text: showPath(answer.content) };
  }
  const text = textOfBlob(answer.content);
  if (text.kind === 'binary') return { ...nothing, kind: 'binary', size: answer.size };
  const isPointer = text.bytes.length <= MAX_POINTER_BYTES && LFS_POINTER.test(text.bytes.toString('latin1'));
  return {
    kind: isPointer ? 'lfs' : 'text',
    size: answer.size,
    ...cutLines(text.bytes, query),
  };
}

/** Whole files of any commits, within a limit on all of them together. */
export async function readTexts(
  reader: RepositoryReader,
  { files, maxBytes }: CodeRequests['readTexts']['params'],
): Promise<FileText[]> {
  const texts: FileText[] = [];
  let room = maxBytes;
  for (const { commit, path } of files) {
    const found = await findPath(reader, commit, readPath(path));
    if (found?.kind !== 'file') {
      texts.push({ kind: found ? 'not_a_file' : 'no_path' });
      continue;
    }
    const answer = await reader.objects.read(found.id, Math.min(room, MAX_FILE_BYTES));
    if (typeof answer === 'string') throw new MissingObject(`The repository lacks the blob ${found.id}.`);
    if (!answer.content) texts.push({ kind: 'too_large' });
    else if (answer.content.includes(0)) texts.push({ kind: 'binary' });
    else texts.push({ kind: 'text', text: answer.content.toString('utf8') });
    room -= answer.content?.length ?? 0;
  }
  return texts;
}

function cutLines(
  bytes: Buffer,
  query: { startLine: number; endLine: number; maxLines: number },
): { totalLines: number; startLine: number; endLine: number; text: string; truncated: boolean } {
  const wantedEnd = Math.min(query.endLine, query.startLine + query.maxLines - 1);
  let [line, at, from, to, lastShown] = [0, 0, -1, 0, query.startLine - 1];
  while (at < bytes.length) {
    line += 1;
    const found = bytes.indexOf(LINE_FEED, at);
    const next = found === -1 ? bytes.length : found + 1;
    if (line >= query.startLine && line <= wantedEnd) {
      if (from === -1) from = at;
      if (next - from <= MAX_TEXT_BYTES) {
        to = next;
        lastShown = line;
      }
    }
    at = next;
  }
  const asked = Math.min(query.endLine, line);
  return {
    totalLines: line,
    startLine: query.startLine,
    endLine: lastShown,
    text: from === -1 ? '' : bytes.toString('utf8', from, Math.max(from, to)),
    truncated: lastShown < asked,
  };
}
