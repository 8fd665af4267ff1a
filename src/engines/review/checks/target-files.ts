/**
 * Selects the files of the target branch that can break what a change adds, by paths, imports and removed lines. Reading the facts of
 * everything that a busy branch changed would take longer than all other checks together.
 */
import type { FileSymbols } from '../../../platform/core/ports/code-facts.ts';
import { languageOf } from '../../facts/index.ts';
import { fileClassOf } from '../code/file-class.ts';
import { addedLines, type Change, type ReviewedFile, removedLines } from '../code/read-change.ts';
import {
  folderOf,
  isScript,
  meansAlias,
  meansGoFolder,
  meansPythonFile,
  resolveScript,
} from '../code/resolve-module.ts';
import type { ReviewCode } from '../code/review-code.ts';
import { inRepository, MIN_UNIQUE_CHARACTERS, readReplacements } from './removed/refers-to-removed.ts';
import { CONTRACT, MIN_MEMBER_CHARACTERS } from './removed/removed-members.ts';

const WORD = /[\p{L}\p{N}_$]+/gu;
/** A member of something: `list.insert`, `Status::DONE`, `user->save`, and the end of `Status_DONE`. */
const MEMBER = /[.:>_]([\p{L}\p{N}$]+(?:_[\p{L}\p{N}_$]*)?)/gu;
/** A name where it may be defined; `list.insert` only uses it, but Ruby has `def self.insert`. */
const DEFINED = /(?<!(?<!\bself)\.|->|[\p{L}\p{N}_$])[\p{L}\p{N}_$]+/gu;
/** Only these can be used in other packages. */
const EXPORTED_IN_GO = /^\p{Lu}/u;
/** Values of enums are looked for in all languages, wherever they are used. */
const WITH_ENUMS = new Set(['c', 'cpp', 'csharp', 'java', 'php', 'rust', 'typescript']);

/** A file of the change that adds lines. */
interface User {
  path: string;
  family: string | null;
  imports: FileSymbols['imports'];
  /** Names that it imports by themselves. */
  imported: Set<string>;
  /** Names that its added lines use as a member of something. */
  members: Set<string>;
}

export interface TargetFiles {
  /** Whether a file at this path can matter, whatever became of it. */
  mayReach(path: string): boolean;
  /** Whether it can matter, by the lines that changed in it. */
  mayLose(file: ReviewedFile): Promise<boolean>;
  /** Whether an added line of the change contains this name. */
  isMentioned(name: string): boolean;
}

/** Says nothing about files of the change itself. */
export async function findTargetFiles(change: Change, code: ReviewCode): Promise<TargetFiles> {
  const users = await readUsers(change, code);
  const isInPackage = await findGoFolders(users, code);
  const added = change.files.flatMap((file) => addedLines(file).map(({ text }) => text)).join('\n');
  const words = new Set(added.match(WORD));
  const isMentioned = (name: string) => added.includes(name);
  const everyMember = users.reduce((all, { members }) => all.union(members), new Set<string>());

  return {
    isMentioned,
    mayReach(path) {
      const language = languageOf(path);
      if (fileClassOf(path) !== 'code') return false;
      if (CONTRACT.test(path) || WITH_ENUMS.has(language ?? '')) return true;
      return users.some(
        (user) =>
          user.family === familyOf(language) && (language !== 'go' || mayImport(user, path, isInPackage)),
      );
    },
    async mayLose(file) {
      if (file.fileClass !== 'code') return false;
      const paths = [...new Set([file.path, file.oldPath ?? file.path])];
      const removed = removedLines(file).map(({ text }) => text);
      // Its text was too long to be read.
      if (removed.length === 0 && file.change === 'deleted') return true;
      const mentions = (pattern: RegExp, isWanted: (name: string) => boolean) =>
        removed.some((text) => text.match(pattern)?.some(isWanted));
      if (paths.some((path) => CONTRACT.test(path)))
        return mentions(WORD, (name) => name.length >= MIN_MEMBER_CHARACTERS && isMentioned(name));
      const language = languageOf(file.path);
      if (WITH_ENUMS.has(language ?? '') && mentions(DEFINED, (name) => everyMember.has(name))) return true;
      if (language === 'go') {
        const isUsed = (name: string) => EXPORTED_IN_GO.test(name) && words.has(name);
        if (!paths.some(isInPackage)) return false;
        // A removed definition was on a removed line, and one whose parameters changed is above one.
        return mentions(DEFINED, isUsed) || (await namesAbove(file, code)).some(isUsed);
      }
      return users.some(
        (user) =>
          user.family === familyOf(language) &&
          (paths.some((path) => mayImport(user, path, isInPackage)) ||
            // A name that no longer exists anywhere was defined on a removed line.
            mentions(WORD, (name) => user.imported.has(name)) ||
            mentions(DEFINED, (name) => name.length >= MIN_UNIQUE_CHARACTERS && user.members.has(name))),
      );
    },
  };
}

/** Names in the nearest line above each change that begins a definition. */
async function namesAbove({ hunks, oldPath, path }: ReviewedFile, code: ReviewCode): Promise<string[]> {
  const lines = (await code.read('base', oldPath ?? path))?.split('\n') ?? [];
  return hunks.flatMap(({ oldLines, oldStart }) => {
    // Without removed lines, the number is that of the line above.
    let above = oldLines === 0 ? oldStart - 1 : oldStart - 2;
    while (above >= 0 && !/^\p{L}/u.test(lines[above] ?? '')) above -= 1;
    return lines[above]?.match(DEFINED) ?? [];
  });
}

async function readUsers(change: Change, code: ReviewCode): Promise<User[]> {
  const users: User[] = [];
  for (const file of change.files) {
    const added = addedLines(file);
    const facts = added.length > 0 ? await code.symbols('head', file.path) : null;
    if (!facts || facts.isGenerated) continue;
    const named = facts.imports.flatMap(({ names }) => names).filter(({ name }) => name !== '*');
    const text = added.map((line) => line.text).join('\n');
    users.push({
      path: file.path,
      family: familyOf(facts.language),
      imports: facts.imports,
      imported: new Set(named.flatMap(({ as, name }) => (as === undefined ? [name] : [name, as]))),
      members: new Set(
        [...text.matchAll(MEMBER)]
          .flatMap(([, name]) => endsOf(name!))
          .filter((name) => name.length >= MIN_MEMBER_CHARACTERS),
      ),
    });
  }
  return users;
}

/** `a_b_c`, `b_c` and `c`. */
function endsOf(name: string): string[] {
  const parts = name.split('_');
  return parts.map((_, index) => parts.slice(index).join('_'));
}

/** Languages whose files use each other. */
function familyOf(language: string | null): string | null {
  return isScript(language) ? 'script' : language;
}

/** Whether a file is in a package of Go that one of these files is part of or imports; many files are in one folder. */
async function findGoFolders(users: User[], code: ReviewCode): Promise<(path: string) => boolean> {
  const ofGo = users.filter(({ family }) => family === 'go');
  if (ofGo.length === 0) return () => false;
  const replaced = readReplacements(await code.read('head', 'go.mod'));
  const modules = new Set(ofGo.flatMap(({ imports }) => imports.map(({ module }) => module)));
  const meant = [...modules.union(new Set(Array.from(modules, (each) => inRepository(replaced, each))))];
  const known = new Map(ofGo.map(({ path }) => [folderOf(path), true]));
  return (path) => {
    const folder = folderOf(path);
    const isMeant = known.get(folder) ?? meant.some((module) => meansGoFolder(module, folder));
    known.set(folder, isMeant);
    return isMeant;
  };
}

/** Whether an import of a file can mean another one, or both are in one package. */
function mayImport(
  { family, imports, path: from }: User,
  path: string,
  isInPackage: (path: string) => boolean,
): boolean {
  if (family === 'go') return isInPackage(path);
  if (family === 'python')
    return imports.some(({ module, names }) =>
      [
        module,
        ...names.map(({ name }) => (module.endsWith('.') ? `${module}${name}` : `${module}.${name}`)),
      ].some((each) => meansPythonFile(from, each, path)),
    );
  return (
    family === 'script' &&
    imports.some(({ module }) => resolveScript(from, module).includes(path) || meansAlias(module, path))
  );
}
