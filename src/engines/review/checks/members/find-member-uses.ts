/** Lines that use members which their type no longer has, or call them with arguments that no longer fit. */
import { type MemberUse, readMembers } from '../../../facts/index.ts';
import { type Change, isAdded } from '../../code/read-change.ts';
import { folderOf } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { fits } from '../removed/changed-signatures.ts';
import { type ChangedMember, DATA, listChangedMembers } from './changed-members.ts';
import { GoTypes } from './go-types.ts';
import { JavaTypes } from './java-types.ts';
import type { FoundMember, TypeReader } from './type-reader.ts';

const MAX_FILES_READ = 300;
const ENDINGS = { java: /\.java$/, go: /\.go$/ };
const NOT_BUILT = /^\/\/(?:go:build|\s*\+build)\s+ignore\b/m;

export interface BrokenUse extends FoundLine {
  given: number | undefined;
}

export interface BrokenMember extends ChangedMember {
  /** As people write it, with its type. */
  title: string;
  uses: BrokenUse[];
  /** Members that a use can mean now; none if it is gone. */
  left: FoundMember[];
}

export async function findBrokenMembers(
  change: Change,
  code: ReviewCode,
  wanted: 'removed' | 'changed',
): Promise<BrokenMember[]> {
  const readers = { java: new JavaTypes(code), go: new GoTypes(code) };
  const all = await listChangedMembers(change, code, readers);
  const changed = all.filter(({ after }) => wanted === 'changed' || after.length === 0);
  if (changed.length === 0) return [];
  const names = [...new Set(changed.map(({ name }) => name))];
  const { lines } = await code.find('head', names, { wholeWords: true, leavesOutCommon: true });
  const broken = new Map<ChangedMember, BrokenMember>();
  let read = 0;
  for (const [path, found] of Map.groupBy(lines, (line) => line.path)) {
    const own = changed.filter((each) => ENDINGS[each.language].test(path));
    const isUse = ({ line, text }: FoundLine) =>
      own.some(({ kind, name }) => kind === 'field' || mayUse(text, name)) &&
      !isAdded(change.files, { path, line });
    if (own.length === 0 || DATA.test(path) || !found.some(isUse)) continue;
    read += 1;
    if (read > MAX_FILES_READ) break;
    const text = await code.read('head', path);
    if (text === null || NOT_BUILT.test(text.slice(0, 2000))) continue;
    const file = await readMembers({ path, text }, new Set(own.map(({ name }) => name)));
    if (!file || file.uses.length === 0 || (await code.symbols('head', path))?.isGenerated) continue;
    const reader = readers[own[0]!.language];
    const types = new Set(own.map(({ type }) => type));
    for (const use of file.uses) {
      if (isAdded(change.files, { path, line: use.line })) continue;
      const members = own.filter(({ name }) => name === use.name);
      const owner = members.length === 0 ? null : await reader.ownerOf(use, path, file, types);
      if (owner === null) continue;
      for (const each of members) {
        const left = await whatIsLeft(each, use, owner, reader);
        if (left === null || (left.length === 0) !== (wanted === 'removed')) continue;
        if (each.language === 'go' && !(await isBuiltTogether(code, path, each.file.path))) continue;
        const title = `${reader.titleOf(each.type)}.${each.name}`;
        const known = broken.get(each) ?? { ...each, title, uses: [], left };
        broken.set(each, known);
        const line = text.split('\n')[use.line - 1] ?? '';
        known.uses.push({ path, line: use.line, text: line, given: use.given });
      }
    }
  }
  return [...broken.values()];
}

/** `.name`, `::name` or `name(`. */
function mayUse(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (/[.:]\s*$/.test(text.slice(0, at)) || /^\s*\(/.test(text.slice(at + name.length))) return true;
  return text.trim().startsWith(name);
}

/** The members that the use can mean now, none if there are none; null if the use still works, or nothing can be said. */
async function whatIsLeft(
  { before, hasSameParents, kind, language, name, type }: ChangedMember,
  use: MemberUse,
  owner: string,
  reader: TypeReader,
): Promise<FoundMember[] | null> {
  if (language === 'java' && use.isCall !== (kind === 'method')) return null;
  const { members, mayBeGenerated, types, unknown } = await reader.lookUp(owner, name, use.isCall);
  if (!types.has(type) || mayBeGenerated) return null;
  if (use.isImport && !(await isImportLost(reader, type, name))) return null;
  const own = await reader.lookUp(type, name, use.isCall);
  if (
    own.unknown.has(type) ||
    own.unknown.has(`${type}.${name}`) ||
    [...unknown].some((each) => !own.unknown.has(each))
  )
    return null;
  // Code of others may have it: it didn't before if this was not marked as one of theirs.
  if (own.unknown.size > 0 && (!hasSameParents || before.some(({ isOverride }) => isOverride))) return null;
  if (members.length === 0) return members;
  const { given } = use;
  if (!use.isCall || given === undefined) return null;
  const takes = (each: { parameters?: { required: number; total: number | null } }) =>
    each.parameters !== undefined && fits(given, each.parameters);
  if (members.some((each) => each.kind !== 'method' || takes(each))) return null;
  return before.some(takes) ? members : null;
}

/** A static import also takes what else has the name. */
async function isImportLost(reader: TypeReader, type: string, name: string): Promise<boolean> {
  const found = [await reader.lookUp(type, name, true), await reader.lookUp(type, name, false)];
  const nested = await reader.lookUp(`${type}.${name}`, name, true);
  return found.every(({ members }) => members.length === 0) && nested.unknown.size > 0;
}

/** A module of Go can use an older version of another one in its repository. */
async function isBuiltTogether(code: ReviewCode, user: string, provider: string): Promise<boolean> {
  const files = await code.listFiles('head');
  const manifests = new Set(files.filter((path) => /(?:^|\/)go\.mod$/.test(path)));
  const moduleOf = (path: string) => {
    for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
      if (manifests.has(`${folder}go.mod`)) return `${folder}go.mod`;
      if (folder === '') return undefined;
    }
  };
  const [using, providing] = [moduleOf(user), moduleOf(provider)];
  if (using === providing) return true;
  if (using === undefined || providing === undefined) return false;
  const name = /^module\s+"?([^\s"]+)/m.exec((await code.read('head', providing)) ?? '')?.[1];
  const manifest = (await code.read('head', using)) ?? '';
  return (
    name !== undefined &&
    manifest.split('\n').some((line) => line.includes(name) && /=>\s*\.{1,2}\//.test(line))
  );
}
