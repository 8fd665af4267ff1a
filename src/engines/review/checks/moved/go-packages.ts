/** Packages of Go whose folder is gone, and names that moved to the package of another folder. */
import { folderOf } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { FIXTURES, type Moved, type Places, type Use } from './places.ts';

const MAX_FILES_OF_PACKAGE = 100;
const MAX_FILES_READ = 400;
const GO_PACKAGE = /^package\s+(\w+)/m;

/** A name that its package no longer has. */
interface MovedName {
  moved: Moved;
  name: string;
  /** The import path and the name of the package. */
  module: string;
  packageName: string;
}

export async function usesOfGoPackages(places: Places): Promise<Use[]> {
  const { code, head, moved } = places;
  const kept = new Set([...head].filter((path) => isCode(path)).map(folderOf));
  const gone = new Map<string, Moved>();
  const left: { moved: Moved; module: string }[] = [];
  for (const each of moved.values()) {
    const folder = folderOf(each.from);
    if (!isCode(each.from)) continue;
    const root = moduleRoot(head, folder);
    if (root === undefined) continue;
    const [before, now] = [await moduleIn(code, 'base', root), await moduleIn(code, 'head', root)];
    if (now === undefined || before !== now) continue;
    const module = folder === root ? now : `${now}/${folder.slice(root.length, -1)}`;
    if (!kept.has(folder) && folder !== root) gone.set(module, each);
    else if (folderOf(each.to) !== folder) left.push({ moved: each, module });
  }
  return [...(await usesOfGone(places, gone)), ...(await usesOfNames(places, left))];
}

function isCode(path: string): boolean {
  return path.endsWith('.go') && !path.endsWith('_test.go');
}

async function usesOfGone({ code, head }: Places, gone: ReadonlyMap<string, Moved>): Promise<Use[]> {
  if (gone.size === 0) return [];
  const { lines } = await code.find('head', [...gone.keys()], { wholeWords: false });
  const found: Use[] = [];
  for (const [path, own] of Map.groupBy(lines, (line) => line.path)) {
    const facts = path.endsWith('.go') && !FIXTURES.test(path) ? await code.symbols('head', path) : null;
    for (const { line, module } of facts?.imports ?? []) {
      const meant = gone.get(module);
      const at = own.find((each) => each.line === line);
      if (meant && at && (await usesThisModule(code, head, path, meant)))
        found.push({ moved: meant, line: at });
    }
  }
  return found;
}

/** The folder keeps other files, so its package can still be imported, without the names that moved. */
async function usesOfNames(places: Places, left: { moved: Moved; module: string }[]): Promise<Use[]> {
  const { code, head } = places;
  const names: MovedName[] = [];
  const defined = new Map<string, Promise<ReadonlySet<string> | null>>();
  for (const { module, moved } of left) {
    const folder = folderOf(moved.from);
    const here = defined.get(folder) ?? namesIn(places, folder);
    defined.set(folder, here);
    const kept = await here;
    const before = kept && (await code.symbols('base', moved.from));
    if (!before || before.isGenerated) continue;
    const packageName = GO_PACKAGE.exec((await code.read('base', moved.from)) ?? '')?.[1];
    if (packageName === undefined || packageName === 'main') continue;
    for (const { container, isExported, name } of before.symbols)
      if (isExported && container === undefined && !kept.has(name))
        names.push({ moved, name, module, packageName });
  }
  if (names.length === 0) return [];
  const byName = Map.groupBy(names, ({ name }) => name);
  const { lines } = await code.find('head', [...byName.keys()], { wholeWords: true, leavesOutCommon: true });
  const found: Use[] = [];
  let read = 0;
  for (const [path, own] of Map.groupBy(lines.filter(mayName), (line) => line.path)) {
    read += 1;
    if (read > MAX_FILES_READ) break;
    const facts = await code.symbols('head', path);
    if (!facts || facts.isGenerated) continue;
    const usedAt = new Map(facts.uses.map(({ lines: at, name }) => [name, new Set(at)] as const));
    for (const { module, names: imported } of facts.imports) {
      for (const each of names) {
        if (each.module !== module || !usedAt.has(each.name)) continue;
        const as = imported[0]?.as ?? each.packageName;
        const called = new RegExp(`(?<![\\w.])${as}\\.${each.name}\\b`);
        const line = own.find(({ line: at, text }) => usedAt.get(each.name)!.has(at) && called.test(text));
        if (line && (await usesThisModule(code, head, path, each.moved)))
          found.push({ moved: each.moved, line });
      }
    }
  }
  return found;
}

function mayName({ path, text }: FoundLine): boolean {
  return path.endsWith('.go') && !FIXTURES.test(path) && text.includes('.');
}

/** The names of a package at the head; null if a part of it can't be read. */
async function namesIn({ code, head }: Places, folder: string): Promise<ReadonlySet<string> | null> {
  const files = [...head].filter((path) => path.endsWith('.go') && folderOf(path) === folder);
  if (files.length > MAX_FILES_OF_PACKAGE) return null;
  const names = new Set<string>();
  for (const file of files) {
    const facts = await code.symbols('head', file);
    if (!facts || facts.incomplete !== null) return null;
    for (const { container, name } of facts.symbols) if (container === undefined) names.add(name);
  }
  return names;
}

/** Another module of the repository can use a version that was published, unless it says that it uses the folder. */
async function usesThisModule(
  code: ReviewCode,
  head: ReadonlySet<string>,
  path: string,
  { from }: Moved,
): Promise<boolean> {
  const [own, other] = [moduleRoot(head, folderOf(path)), moduleRoot(head, folderOf(from))];
  if (own === other) return true;
  const name = other === undefined ? undefined : await moduleIn(code, 'head', other);
  if (own === undefined || name === undefined) return false;
  const replaces = new RegExp(`^\\s*(?:replace\\s+)?${RegExp.escape(name)}(?:\\s+v\\S+)?\\s*=>\\s*\\.`, 'm');
  return replaces.test((await code.read('head', `${own}go.mod`)) ?? '');
}

/** The folder of the nearest go.mod; undefined if there is none. */
function moduleRoot(head: ReadonlySet<string>, folder: string): string | undefined {
  for (let at = folder; ; at = folderOf(at.slice(0, -1))) {
    if (head.has(`${at}go.mod`)) return at;
    if (at === '') return undefined;
  }
}

async function moduleIn(code: ReviewCode, side: 'base' | 'head', root: string): Promise<string | undefined> {
  return /^module\s+"?([^\s"]+)/m.exec((await code.read(side, `${root}go.mod`)) ?? '')?.[1];
}
