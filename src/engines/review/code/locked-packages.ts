/** The packages that lock files name, with their versions, and what a change adds to them. */
import type { AddedPackages, Ecosystem } from '../contract/code-review.ts';
import { packageName } from '../contract/package-name.ts';
import { fileClassOf } from './file-class.ts';
import { addedLines, type Change } from './read-change.ts';
import type { ReviewCode } from './review-code.ts';

/** In one review. */
const MAX_ADDED_PACKAGES = 2000;
/** Per package, before or after: no installation has as many. */
const MAX_VERSIONS = 20;
const MAX_NAME_CHARACTERS = 214;
const MAX_VERSION_CHARACTERS = 100;

export interface LockedPackage {
  name: string;
  version: string;
  /** The one with the version, from 1. */
  line: number;
  /** The one with the name, where that is another. */
  nameLine?: number;
}

interface LockFormat {
  ecosystem: Ecosystem;
  read(lines: string[]): LockedPackage[];
}

const FORMATS: [name: RegExp, format: LockFormat][] = [
  [/^(package-lock|npm-shrinkwrap)\.json$/, { ecosystem: 'npm', read: readPackageLock }],
  [/^yarn\.lock$/, { ecosystem: 'npm', read: readYarnLock }],
  [/^pnpm-lock\.yaml$/, { ecosystem: 'npm', read: readPnpmLock }],
  [/^go\.mod$/, { ecosystem: 'Go', read: readGoModule }],
  [/^Cargo\.lock$/, { ecosystem: 'crates.io', read: (lines) => readTables(lines, isFromCargo) }],
  [/^(poetry|pdm|uv)\.lock$/, { ecosystem: 'PyPI', read: (lines) => readTables(lines, isFromIndex) }],
  [/^Pipfile\.lock$/, { ecosystem: 'PyPI', read: readPipfileLock }],
  [/^[\w.-]*requirements[\w.-]*\.txt$/, { ecosystem: 'PyPI', read: readRequirements }],
  [/^Gemfile\.lock$/, { ecosystem: 'RubyGems', read: readGemfileLock }],
  [/^composer\.lock$/, { ecosystem: 'Packagist', read: readComposerLock }],
];

export function lockFormatOf(path: string): LockFormat | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const found = FORMATS.find(([pattern]) => pattern.test(name))?.[1];
  return found && { ...found, read: (lines) => found.read(lines).filter(isVersion) };
}

/** Branches, addresses and folders are no versions. */
function isVersion({ name, version }: LockedPackage): boolean {
  return (
    name.length <= MAX_NAME_CHARACTERS && version.length <= MAX_VERSION_CHARACTERS && /^\d/.test(version)
  );
}

/** Versions that no changed lock file had before, each with the versions of the package that they had. */
export async function listAddedPackages(change: Change, code: ReviewCode): Promise<AddedPackages> {
  const before = new Map<string, Set<string>>();
  const after = new Map<string, Map<string, Omit<AddedPackages['packages'][number], 'before'>[]>>();
  const leftOut: string[] = [];
  const keep = <Value>(kept: Map<string, Value>, key: string, empty: () => Value) => {
    const value = kept.get(key) ?? empty();
    kept.set(key, value);
    return value;
  };
  for (const file of change.files) {
    const format = lockFormatOf(file.path);
    if (!format || isOfOthers(file.path)) continue;
    const { ecosystem, read } = format;
    const keyOf = (name: string) => `${ecosystem} ${packageName(ecosystem, name)}`;
    const readSide = async (side: 'base' | 'head', path: string) => {
      const text = await code.read(side, path);
      if (text === null) leftOut.push(`${path} is too large or isn’t text`);
      return read(text?.split(/\r?\n/) ?? []);
    };
    if (file.change !== 'added')
      for (const { name, version } of await readSide('base', file.oldPath ?? file.path))
        keep(before, keyOf(name), () => new Set<string>()).add(version);
    if (file.change === 'deleted') continue;
    const added = new Map(addedLines(file).map(({ number, text }) => [number, text] as const));
    for (const each of await readSide('head', file.path)) {
      const { name, version } = each;
      // A difference shows one of them if an entry with the same version was there before.
      const line = [each.line, each.nameLine ?? each.line].find((number) => added.has(number));
      if (line === undefined) continue;
      const places = keep(
        keep(after, keyOf(name), () => new Map()),
        version,
        () => [],
      );
      if (places.length < MAX_VERSIONS)
        places.push({ ecosystem, name, version, file: file.path, line, quote: added.get(line)! });
    }
  }
  const packages: AddedPackages['packages'] = [];
  let left = 0;
  for (const [key, versions] of after) {
    const known = before.get(key) ?? new Set<string>();
    const isNew = [...versions].filter(([version]) => !known.has(version));
    if (isNew.length === 0) continue;
    if (known.size > MAX_VERSIONS || isNew.length > MAX_VERSIONS || packages.length >= MAX_ADDED_PACKAGES)
      left += 1;
    else
      packages.push(
        ...isNew.flatMap(([, places]) => places.map((place) => ({ ...place, before: [...known] }))),
      );
  }
  if (left > 0) leftOut.push(`${left} packages with new versions are beyond the limits`);
  return { packages, leftOut };
}

/** Nobody installs what the fixtures of a test say, and others keep what they gave us. */
function isOfOthers(path: string): boolean {
  const ofFolder = fileClassOf(`${path.slice(0, path.lastIndexOf('/') + 1)}index.js`);
  return ofFolder === 'test' || ofFolder === 'vendored' || ofFolder === 'generated';
}

/** Entries that begin with a line that names a package, and have its version in a later one. */
function readEntries(
  lines: string[],
  nameIn: (line: string) => string | null | undefined,
  version: RegExp,
): LockedPackage[] {
  const found: LockedPackage[] = [];
  let name: string | null = null;
  let nameLine = 0;
  for (const [index, line] of lines.entries()) {
    const named = nameIn(line);
    if (named !== undefined) [name, nameLine] = [named, index + 1];
    const match = name === null ? null : version.exec(line);
    if (name === null || !match) continue;
    found.push({ name, version: match[1]!, line: index + 1, nameLine });
    name = null;
  }
  return found;
}

const JSON_OBJECT = /^\s*"((?:[^"\\]|\\.)*)": \{\s*$/;
const JSON_VERSION = /^\s*"version": "v?([^"]+)"/;
/** Follows the version of a package that comes neither from a registry nor from its mirror. */
const ELSEWHERE = /^\s*"resolved": "(?!https?:)/;

function readPackageLock(lines: string[]): LockedPackage[] {
  const hasPaths = lines.some((line) => /^\s*"packages": \{/.test(line));
  const nameIn = (line: string) => {
    // An alias says which package it is.
    const alias = /^\s*"name": "([^"]+)",?\s*$/.exec(line)?.[1];
    if (alias !== undefined) return isOwn ? undefined : alias;
    const key = JSON_OBJECT.exec(line)?.[1];
    if (key === undefined) return undefined;
    const folder = key.lastIndexOf('node_modules/');
    isOwn = hasPaths ? folder === -1 : /^(requires|dependencies)?$/.test(key);
    if (isOwn) return null;
    return hasPaths ? key.slice(folder + 'node_modules/'.length) : key;
  };
  let isOwn = true;
  return readEntries(lines, nameIn, JSON_VERSION)
    .filter(({ line }) => !ELSEWHERE.test(lines[line] ?? ''))
    .map((each) => {
      const alias = /^npm:(@?[^@]+)@(.+)$/.exec(each.version);
      return alias ? { ...each, name: alias[1]!, version: alias[2]! } : each;
    });
}

function readYarnLock(lines: string[]): LockedPackage[] {
  const nameIn = (line: string) => {
    if (!/^["\w@]/.test(line)) return undefined;
    const first = line.replace(/^"/, '').split(/", "|, |":$|:$/)[0]!;
    const at = first.indexOf('@', 1);
    const range = first.slice(at + 1);
    if (at === -1 || (/[:/]/.test(range) && !/^(npm|patch):/.test(range))) return null;
    return /^npm:(@?[^@]+)@/.exec(range)?.[1] ?? first.slice(0, at);
  };
  return readEntries(lines, nameIn, /^ {2}version:? "?([^"]+)"?$/);
}

/** Its keys have the version: `/a/1.0.0`, `/a@1.0.0` and `a@1.0.0(b@2.0.0)`. */
function readPnpmLock(lines: string[]): LockedPackage[] {
  let section = '';
  return lines.flatMap((line, index) => {
    if (/^\w/.test(line)) section = line;
    const match = /^ {2}'?\/?((?:@[^/@\s]+\/)?[^/@\s]+)[@/](\d[^(_:'\s]*)/.exec(line);
    const isPackage = match !== null && section.startsWith('packages:') && /:(?: \{\})?$/.test(line);
    return isPackage ? [{ name: match[1]!, version: match[2]!, line: index + 1 }] : [];
  });
}

/** Since Go 1.17 a module names all that it needs. */
function readGoModule(lines: string[]): LockedPackage[] {
  // `replace a => …` or `replace a v1.0.0 => …`.
  const replaced = new Set(
    lines
      .filter((line) => line.includes(' => '))
      .map((line) =>
        line
          .trim()
          .replace(/^replace\s+/, '')
          .split(' => ')[0]!
          .trim()
          .replace(/\s+/, ' '),
      ),
  );
  let block = '';
  return lines.flatMap((line, index) => {
    block = /^\s*(\w+)\s*\(/.exec(line)?.[1] ?? (line.startsWith(')') ? '' : block);
    const match = /^\s*(require\s+)?([^\s(]+)\s+(v(\d\S*))/.exec(line);
    const isRequired = match !== null && (match[1] !== undefined || block === 'require');
    if (!isRequired || replaced.has(match[2]!) || replaced.has(`${match[2]} ${match[3]}`)) return [];
    return [{ name: match[2]!, version: match[4]!.replace(/\+incompatible$/, ''), line: index + 1 }];
  });
}

/** TOML with one table for each package. */
function readTables(lines: string[], isFromRegistry: (table: string[]) => boolean): LockedPackage[] {
  const found: LockedPackage[] = [];
  const starts = lines.flatMap((line, index) => (line.startsWith('[[') ? [index] : []));
  for (const [index, start] of starts.entries()) {
    if (!lines[start]!.startsWith('[[package]]')) continue;
    const table = lines.slice(start, starts[index + 1] ?? lines.length);
    if (!isFromRegistry(table)) continue;
    const [nameAt, versionAt] = ['name', 'version'].map((key) =>
      table.findIndex((line) => line.startsWith(`${key} = "`)),
    ) as [number, number];
    const [name, version] = [nameAt, versionAt].map((at) => /"([^"]+)"/.exec(table[at] ?? '')?.[1]);
    if (!name || !version) continue;
    found.push({ name, version, line: start + versionAt + 1, nameLine: start + nameAt + 1 });
  }
  return found;
}

function isFromCargo(table: string[]): boolean {
  return table.some((line) => line.startsWith('source = "registry+'));
}

/** Folders, addresses and commits are named in different ways. */
function isFromIndex(table: string[]): boolean {
  const elsewhere = /^(path|git|url|type) = "(?!legacy")|^source = \{ (?!registry)/;
  return !table.some((line) => elsewhere.test(line));
}

function readPipfileLock(lines: string[]): LockedPackage[] {
  return readEntries(lines, (line) => JSON_OBJECT.exec(line)?.[1], /^\s*"version": "===?([^"]+)"/);
}

function readRequirements(lines: string[]): LockedPackage[] {
  return lines.flatMap((line, index) => {
    const match = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?===?\s*([^\s;#,\\]+)/.exec(line);
    // `==1.*` is a range.
    return match && !match[2]!.includes('*')
      ? [{ name: match[1]!, version: match[2]!, line: index + 1 }]
      : [];
  });
}

function readGemfileLock(lines: string[]): LockedPackage[] {
  let section = '';
  return lines.flatMap((line, index) => {
    if (/^[A-Z]/.test(line)) section = line.trim();
    const match = section === 'GEM' ? /^ {4}([\w.-]+) \(([^)]+)\)$/.exec(line) : null;
    // The platform of a compiled gem follows its version.
    return match ? [{ name: match[1]!, version: match[2]!.split('-')[0]!, line: index + 1 }] : [];
  });
}

function readComposerLock(lines: string[]): LockedPackage[] {
  return readEntries(lines, (line) => /^\s*"name": "([^"/]+\/[^"]+)",$/.exec(line)?.[1], JSON_VERSION);
}
