/** Dependencies that an install can't reproduce, that come from an address, or whose name imitates another. */
import { parse } from 'yaml';
import type { Check, Found } from '../../check.ts';
import { matchPaths } from '../../code/match-paths.ts';
import { addedLines, type Line, type ReviewedFile } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml'];
const ENDS = ['pnpm-workspace.yaml', 'bun.lock', 'bun.lockb', 'deno.lock'];
const ADDRESS = /^(git(\+\w+)?:|https?:|github:|gitlab:|bitbucket:|[\w-]+\/[\w.-]+(#|$))/;
/** A whole commit: what is there can't change. */
const PINNED = /[#/@][0-9a-f]{40}$/i;
/** The host, if it is a URL, and the repository: another version there is not another source. */
const SOURCE = /^(?:[\w+]+:)?(?:\/\/)?(?:[\w.-]+@)?((?:[\w.-]+(?::\d+)?\/){0,2}[\w.-]+?)(?:\.git)?(?:[#/]|$)/;
/** Kept in the same repository: no lock file has them. */
const LOCAL = /^(workspace|file|link|portal|catalog|npm):/;
const MIN_NAME_CHARACTERS = 6;
/** New ones in a manifest that are looked at, and earlier ones that they are compared with. */
const MAX_ADDED = 300;
const MAX_BEFORE = 3000;
/** Packages of a repository whose names are read. */
const MAX_MEMBERS = 1000;
const MANIFEST = /(^|\/)package\.json$/;

interface AddedDependency {
  name: string;
  version: string;
  line: Line;
  /** The version at the base. */
  before: string | undefined;
  isPeer: boolean;
}

export interface Declared {
  version: string;
  isPeer: boolean;
  /** In no other section. */
  isDevelopment: boolean;
}

export const dependencySources: Check = {
  name: 'dependency_source',
  reviewer: 'dependency_risk',
  looksFor: 'dependencies from an address instead of a registry',
  // Mostly intended, and the author knows.
  isOffByDefault: true,
  run: (change, code) =>
    forEachManifest(change.files, code, async (file, added) =>
      added
        .filter(
          ({ before, version }) =>
            ADDRESS.test(version) && !PINNED.test(version) && !isSameSource(before, version),
        )
        .map(({ line, name, version }) =>
          found(file, line, name, {
            title: `${name} comes from ${version}`,
            scenario: `What is at ${version} can change without a new version number, and no registry checks it: the next install may run other code.`,
          }),
        ),
    ),
};

export const lockFiles: Check = {
  name: 'dependency_not_locked',
  reviewer: 'dependency_risk',
  looksFor: 'dependencies that are missing from the lock file',
  // Tools and repositories differ in which lock file belongs to a manifest.
  isOffByDefault: true,
  run: (change, code) =>
    forEachManifest(change.files, code, async (file, added) => {
      const locks = await findLocks(code, file.path);
      const [lock] = locks;
      if (!lock) return [];
      const missing = added.filter(
        ({ isPeer, name, version }) =>
          !isPeer && !LOCAL.test(version) && !locks.some(({ text }) => text.includes(name)),
      );
      if (missing.length === 0) return [];
      const members = await readMembers(code);
      return missing
        .filter(({ name }) => !members.has(name))
        .slice(0, 1)
        .map(({ line, name }) =>
          found(file, line, name, {
            title: `${name} is not in ${lock.path}`,
            scenario: `\`npm ci\` and its equivalents fail or install another version, because ${lock.path} does not have ${name}.`,
            command: `git grep -nF -e ${shellWord(name)} ${change.head.slice(0, 12)} -- ${shellWord(lock.path)}`,
          }),
        );
    }),
};

export const similarNames: Check = {
  name: 'similar_dependency_name',
  reviewer: 'dependency_risk',
  looksFor: 'dependencies whose name is one letter away from another',
  // Packages of one author often have such names.
  isOffByDefault: true,
  run: (change, code) =>
    forEachManifest(change.files, code, async (file, added, before) =>
      added.flatMap(({ line, name }) => {
        const other = [...before].find((known) => !hasSameOwner(known, name) && isOneEditAway(known, name));
        if (other === undefined) return [];
        return [
          found(file, line, name, {
            title: `${name} looks like ${other}`,
            scenario: `${name} differs from the dependency ${other} in one letter: if that is a typo, installing it runs code of someone who registered that name.`,
          }),
        ];
      }),
    ),
};

/** Nobody else can register a name in the scope of an organization. */
function hasSameOwner(one: string, other: string): boolean {
  const scope = /^@[^/]+\//.exec(one)?.[0];
  return scope !== undefined && other.startsWith(scope);
}

function isSameSource(before: string | undefined, now: string): boolean {
  if (before === undefined || !ADDRESS.test(before)) return false;
  const source = SOURCE.exec(now)?.[1];
  return source !== undefined && SOURCE.exec(before)?.[1] === source;
}

async function forEachManifest(
  files: ReviewedFile[],
  code: ReviewCode,
  look: (file: ReviewedFile, added: AddedDependency[], before: Set<string>) => Promise<Found[]>,
): Promise<Found[]> {
  const results: Found[] = [];
  for (const file of files) {
    if (!MANIFEST.test(file.path) || file.change === 'deleted') continue;
    if (file.fileClass !== 'data') continue;
    const head = readDependencies(await code.read('head', file.path));
    const base = readDependencies(await code.read('base', file.oldPath ?? file.path));
    if (!head) continue;
    const lines = linesByKey(addedLines(file));
    const added = [...head].flatMap(([name, { isPeer, version }]): AddedDependency[] => {
      const before = base?.get(name)?.version;
      if (before === version) return [];
      const line = lines.get(name);
      return line ? [{ name, version, before, line, isPeer }] : [];
    });
    // A dependency that was already there doesn't imitate another.
    const isNew = ({ name }: AddedDependency) => !base?.has(name);
    results.push(
      ...(await look(
        file,
        added.filter((each) => isNew(each) || ADDRESS.test(each.version)).slice(0, MAX_ADDED),
        new Set([...(base?.keys() ?? [])].slice(0, MAX_BEFORE)),
      )),
    );
  }
  return results;
}

/** The first line that has each text in quotes. */
function linesByKey(lines: Line[]): Map<string, Line> {
  const found = new Map<string, Line>();
  for (const line of lines) {
    for (const [, key] of line.text.matchAll(/"([^"]+)"/g)) if (!found.has(key!)) found.set(key!, line);
  }
  return found;
}

/** Undefined when there is no file, or it is not JSON: another check says so. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function readDependencies(text: string | null): Map<string, Declared> | undefined {
  const manifest = parseJson(text);
  if (manifest === undefined) return undefined;
  const found = new Map<string, Declared>();
  if (typeof manifest !== 'object' || manifest === null) return found;
  for (const section of SECTIONS) {
    const entries: unknown = (manifest as Record<string, unknown>)[section];
    if (typeof entries !== 'object' || entries === null) continue;
    for (const [name, version] of Object.entries(entries)) {
      if (typeof version !== 'string') continue;
      const isDevelopment = section === 'devDependencies' && !found.has(name);
      found.set(name, { version, isPeer: section === 'peerDependencies', isDevelopment });
    }
  }
  return found;
}

export interface LockFile {
  path: string;
  text: string;
}

/** Lock files of the manifest's folder, and of the workspaces above that have it as a member, nearest first. */
export async function findLocks(code: ReviewCode, path: string): Promise<LockFile[]> {
  const parts = path.split('/').slice(0, -1);
  const isNew = (await code.read('base', path)) === null;
  const present = new Set(await code.listFiles('head'));
  const found: LockFile[] = [];
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const folder = parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join('');
    const inside = parts.slice(depth).join('/');
    const isMember = inside === '' || (await hasMember(code, folder, inside));
    for (const name of LOCK_FILES) {
      const text = await code.read('head', `${folder}${name}`);
      // npm's lists the members of the workspace.
      if (text === null || !(isMember || text.includes(`"${inside}": {`))) continue;
      if (!isNew && name === 'pnpm-lock.yaml' && !hasImporter(text, parts.slice(depth))) continue;
      found.push({ path: `${folder}${name}`, text });
    }
    // Lock files above a workspace, or above a package with a lock file that isn't read here, don't cover it.
    if (ENDS.some((name) => present.has(`${folder}${name}`))) break;
  }
  return found;
}

/** Whether the workspace of a folder has a package below it: only then is its lock file about that. */
async function hasMember(code: ReviewCode, folder: string, inside: string): Promise<boolean> {
  const manifest = parseJson(await code.read('head', `${folder}package.json`));
  const patterns = [
    ...patternsIn((manifest as { workspaces?: unknown } | undefined | null)?.workspaces),
    ...patternsIn(parseYaml(await code.read('head', `${folder}pnpm-workspace.yaml`))),
  ];
  const globs = (isExcluded: boolean) =>
    patterns
      .filter((pattern) => pattern.startsWith('!') === isExcluded)
      .map((pattern) => `/${pattern.replace(/^!?(\.?\/)?|\/$/g, '')}`);
  return matchPaths(globs(false))(inside) && !matchPaths(globs(true))(inside);
}

/** Reads `workspaces` in a package.json, in both of its forms, and in a pnpm-workspace.yaml. */
function patternsIn(workspaces: unknown): string[] {
  const list: unknown = Array.isArray(workspaces)
    ? workspaces
    : (workspaces as { packages?: unknown } | undefined | null)?.packages;
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

function parseYaml(text: string | null): unknown {
  try {
    return parse(text ?? '', { logLevel: 'error' });
  } catch {
    return undefined;
  }
}

/** Whether the lock file of a pnpm workspace is about this folder; those of older versions don't say. */
function hasImporter(lock: string, folder: string[]): boolean {
  const importers = /^importers:\n(?:[ \t].*\n|\n)*/m.exec(lock)?.[0];
  if (importers === undefined) return true;
  return new RegExp(`^ {2}['"]?${RegExp.escape(folder.join('/') || '.')}['"]?:`, 'm').test(importers);
}

/** Packages of this repository: Yarn does not lock the members of a workspace. */
async function readMembers(code: ReviewCode): Promise<Set<unknown>> {
  const manifests = (await code.listFiles('head')).filter((path) => MANIFEST.test(path));
  const names = new Set<unknown>();
  for (const path of manifests.slice(0, MAX_MEMBERS)) {
    const manifest = parseJson(await code.read('head', path));
    if (typeof manifest === 'object' && manifest !== null && 'name' in manifest) names.add(manifest.name);
  }
  return names;
}

/** One letter replaced, or two neighbours swapped: additions are too common (`preact`). */
export function isOneEditAway(one: string, other: string): boolean {
  if (one === other || one.length !== other.length || one.length < MIN_NAME_CHARACTERS) return false;
  const differing = [...one].flatMap((letter, index) => (letter === other[index] ? [] : [index]));
  const [first, second] = differing;
  if (first === undefined || /\d/.test(one[first]! + other[first]!)) return false;
  if (differing.length === 1) return true;
  return (
    differing.length === 2 &&
    second === first + 1 &&
    one[first] === other[second] &&
    one[second] === other[first]
  );
}

function found(
  file: ReviewedFile,
  line: Line,
  subject: string,
  words: { title: string; scenario: string; command?: string },
): Found {
  return {
    ...{ claim: 'dependency', subject, ...words, file: file.path, side: 'head', evidence: [] },
    ...{ line: line.number, quote: line.text },
  };
}
