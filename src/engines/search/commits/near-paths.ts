/** Suggests paths of a commit for one that it doesn't have: another case, folder or ending, or a typo in the name. */
import type { CodeRequests } from '../../../platform/core/ports/code-reader.ts';
import { editDistance } from '../../../platform/core/text/edit-distance.ts';
import { readPath, showPath } from '../../../platform/core/text/path-text.ts';
import { type CommitFiles, pathOf } from './commit-files.ts';
import type { RepositoryReader } from './repository-reader.ts';

const SLASH = 47;
const DOT = 46;
/** Longer names are compared by their beginning alone. */
const MAX_COMPARED_CHARACTERS = 100;
/** A name such as `index.ts` can be in very many folders. */
const MAX_CANDIDATES = 5000;

interface Candidate {
  path: Buffer;
  distance: number;
}

export async function nearPaths(
  reader: RepositoryReader,
  { commit, kind, limit, path }: CodeRequests['nearPaths']['params'],
): Promise<string[]> {
  const files = await reader.filesOf(commit);
  const wanted = describeName(readPath(path));
  const found: Candidate[] = [];
  for (const candidate of kind === 'folder' ? [] : eachFile(files)) consider(found, candidate, wanted);
  for (const candidate of kind === 'file' ? [] : eachFolder(files)) consider(found, candidate, wanted);
  return found
    .sort((one, other) => one.distance - other.distance || Buffer.compare(one.path, other.path))
    .slice(0, limit)
    .map((each) => showPath(each.path));
}

function* eachFile(files: CommitFiles): Generator<Buffer> {
  for (let file = 0; file < files.count; file += 1) yield pathOf(files, file);
}

/** Read from the path of the first file in each; the root has no name. */
function* eachFolder(files: CommitFiles): Generator<Buffer> {
  const { count, from, prefixBytes, to } = files.folders;
  for (let folder = 1; folder < count; folder += 1) {
    if (from[folder]! < to[folder]!) yield pathOf(files, from[folder]!).subarray(0, prefixBytes[folder]! - 1);
  }
}

type Wanted = ReturnType<typeof describeName>;

function describeName(path: Buffer) {
  const bytes = path.subarray(path.lastIndexOf(SLASH) + 1);
  const dot = bytes.lastIndexOf(DOT);
  const name = bytes.toString().slice(0, MAX_COMPARED_CHARACTERS);
  return {
    bytes,
    name,
    folded: name.toLowerCase(),
    /** The name before the ending; null without one. */
    stem: dot > 0 ? bytes.subarray(0, dot) : null,
    folders: foldersOf(path),
    maxTypos: Math.max(1, Math.floor(name.length / 4)),
  };
}

function foldersOf(path: Buffer): string[] {
  return path.toString().toLowerCase().split('/').slice(0, -1);
}

/** Most are too different in length, which is seen without reading their names. */
function consider(found: Candidate[], path: Buffer, wanted: Wanted): void {
  if (found.length === MAX_CANDIDATES) return;
  const start = path.lastIndexOf(SLASH) + 1;
  const length = path.length - start;
  const isSameStem = hasStem(path, start, wanted.stem);
  if (Math.abs(length - wanted.bytes.length) > wanted.maxTypos && !isSameStem) return;
  const typos = isSameStem ? 1 : typosBetween(path.toString('utf8', start), wanted);
  if (typos > wanted.maxTypos) return;
  found.push({ path, distance: 2 * typos + folderDistance(foldersOf(path), wanted.folders) });
}

function hasStem(path: Buffer, start: number, stem: Buffer | null): boolean {
  if (stem === null || path[start + stem.length] !== DOT) return false;
  return (
    path.indexOf(DOT, start + stem.length + 1) === -1 && stem.compare(path, start, start + stem.length) === 0
  );
}

/** Another case counts as half a typo. */
function typosBetween(name: string, wanted: Wanted): number {
  if (name === wanted.name) return 0;
  const folded = name.slice(0, MAX_COMPARED_CHARACTERS).toLowerCase();
  return folded === wanted.folded ? 0.5 : editDistance(folded, wanted.folded);
}

/** How many folders only one of them is in. */
function folderDistance(one: string[], other: string[]): number {
  return new Set(one).symmetricDifference(new Set(other)).size;
}
