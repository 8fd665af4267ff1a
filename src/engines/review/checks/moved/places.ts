/** The moved files of a change, and both commits, in the forms in which imports are looked up in them. */
import type { FileSymbols } from '../../../../platform/core/ports/code-facts.ts';
import { type Change, isAdded, type ReviewedFile } from '../../code/read-change.ts';
import { folderOf } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';

const MAX_MOVED = 500;
/** Code in them is data. */
export const FIXTURES =
  /(^|\/)(__)?(test[-_]?)?(fixtures?|templates?)(__)?\/|(^|\/)(test[-_]?|tests?\/(.*\/)?)data\//i;
const LISTS_FOLDER = /^(index|__init__|mod)$/;

export interface Moved {
  from: string;
  /** The new folder, if the file itself is gone. */
  to: string;
}

export interface Places {
  code: ReviewCode;
  change: Change;
  moved: ReadonlyMap<string, Moved>;
  /** By the word that an import names the file with: hundreds of moved files are asked about for every import. */
  byName: ReadonlyMap<string, Moved[]>;
  head: ReadonlySet<string>;
  base: ReadonlySet<string>;
  /** Paths at the head without the ending. */
  bare: ReadonlySet<string>;
  /** Whether an alias leads to a folder, by both. */
  aliases: Map<string, Promise<boolean>>;
}

export interface Use {
  moved: Moved;
  line: FoundLine;
}

/** A file at the head, with its lines that name a moved file. */
export interface Importer {
  path: string;
  facts: FileSymbols;
  lines: FoundLine[];
}

/** Null if nothing was moved. */
export async function findPlaces(change: Change, code: ReviewCode): Promise<Places | null> {
  const renamed = change.files.filter(isMoved).slice(0, MAX_MOVED);
  if (renamed.length === 0) return null;
  const files = await code.listFiles('head');
  const head = new Set(files);
  const folders = new Map(renamed.map(({ oldPath, path }) => [folderOf(oldPath!), folderOf(path)] as const));
  const moved = new Map(
    [
      ...renamed.map(({ oldPath, path }): Moved => ({ from: oldPath!, to: path })),
      // Left out when its folder was moved, such as a list of what the folder exports.
      ...change.files
        .filter((file) => file.change === 'deleted' && folders.has(folderOf(file.path)))
        .map(({ path }): Moved => ({ from: path, to: folders.get(folderOf(path))! })),
    ]
      .filter(({ from }) => !head.has(from))
      .map((each) => [each.from, each] as const),
  );
  if (moved.size === 0) return null;
  const byName = new Map<string, Moved[]>();
  for (const each of moved.values())
    for (const name of namesOf(each.from)) byName.set(name, [...(byName.get(name) ?? []), each]);
  const base = new Set(await code.listFiles('base'));
  const bare = new Set(files.map(withoutEnding));
  return { code, change, moved, byName, head, base, bare, aliases: new Map() };
}

function isMoved({ change, oldPath }: ReviewedFile): boolean {
  return change === 'renamed' && oldPath !== null && !FIXTURES.test(oldPath);
}

/** The words by which an import can name a file. */
function namesOf(path: string): string[] {
  const bare = withoutEnding(path).split('/');
  const last = bare.at(-1)!;
  if (LISTS_FOLDER.test(last)) return [bare.at(-2) ?? last];
  // `@use 'colors'` means `_colors.scss`.
  return last.startsWith('_') && isStyle(path) ? [last, last.slice(1)] : [last];
}

export function isStyle(path: string): boolean {
  return /\.(css|scss|sass|less)$/.test(path);
}

export function withoutEnding(path: string): string {
  return path.replace(/(?<=[^/])(\.d)?\.\w+$/, '');
}

/** Whether there is a file with the path, in whatever folder. */
export function hasPathEnd(paths: Iterable<string>, end: string): boolean {
  for (const path of paths) if (path === end || path.endsWith(`/${end}`)) return true;
  return false;
}

/** Whether a file is as it was, so that its names mean what they meant. */
export function isUnchanged({ change }: Places, path: string): boolean {
  return !change.files.some((file) => file.path === path);
}

/** Whether the change wrote the line: who wrote it may know more than the code shows. */
export function isNewLine({ change }: Places, line: FoundLine): boolean {
  return isAdded(change.files, line);
}
