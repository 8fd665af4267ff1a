/** The packages that lock files name, with their versions, and what a change adds to them. */
import type { AddedPackage, Ecosystem } from '../../platform/core/code-review.ts';
import { fileClassOf } from './file-class.ts';
import { addedLines, type Change } from './read-change.ts';
import type { ReviewCode } from './review-code.ts';

/** In one review. */
const MAX_ADDED_PACKAGES = 2000;

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
  [/^Cargo\.lock$/, { ecosystem: 'crates.io', read: (lines) => readTables(lines, /^source = "registry\+/) }],
  [/^uv\.lock$/, { ecosystem: 'PyPI', read: (lines) => readTables(lines, /^source = \{ registry =/) }],
  [/^(poetry|pdm)\.lock$/, { ecosystem: 'PyPI', read: (lines) => readTables(lines, null) }],
  [/^Pipfile\.lock$/, { ecosystem: 'PyPI', read: readPipfileLock }],
  [/^[\w.-]*requirements[\w.-]*\.txt$/, { ecosystem: 'PyPI', read: readRequirements }],
  [/^Gemfile\.lock$/, { ecosystem: 'RubyGems', read: readGemfileLock }],
  [/^composer\.lock$/, { ecosystem: 'Packagist', read: readComposerLock }],
];

export function lockFormatOf(path: string): LockFormat | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return FORMATS.find(([pattern]) => pattern.test(name))?.[1];
}

/** Versions that no changed lock file had before, each with the versions of the package that they had. */
export async function listAddedPackages(change: Change, code: ReviewCode): Promise<AddedPackage[]> {
  const before = new Map<string, Set<string>>();
  const after: { key: string; added: Omit<AddedPackage, 'before'> }[] = [];
  for (const file of change.files) {
    const format = lockFormatOf(file.path);
    if (!format || isOfOthers(file.path)) continue;
    const { ecosystem, read } = format;
    const keyOf = (name: string) => `${ecosystem} ${name}`;
    if (file.change !== 'added') {
      for (const { name, version } of read(linesOf(await code.read('base', file.oldPath ?? file.path)))) {
        const versions = before.get(keyOf(name)) ?? new Set();
        before.set(keyOf(name), versions.add(version));
      }
    }
    if (file.change === 'deleted') continue;
    const added = new Map(addedLines(file).map(({ number, text }) => [number, text] as const));
    for (const each of read(linesOf(await code.read('head', file.path)))) {
      const { name, version } = each;
      // A difference shows one of them if an entry with the same version was there before.
      const line = [each.line, each.nameLine ?? each.line].find((number) => added.has(number));
      if (line === undefined) continue;
      const quote = added.get(line)!;
      after.push({ key: keyOf(name), added: { ecosystem, name, version, file: file.path, line, quote } });
    }
  }
  return after
    .filter(({ added, key }) => !before.get(key)?.has(added.version))
    .slice(0, MAX_ADDED_PACKAGES)
    .map(({ added, key }) => ({ ...added, before: [...(before.get(key) ?? [])] }));
}

/** Nobody installs what the fixtures of a test say, and others keep what they gave us. */
function isOfOthers(path: string): boolean {
  const ofFolder = fileClassOf(`${path.slice(0, path.lastIndexOf('/') + 1)}index.js`);
  return ofFolder === 'test' || ofFolder === 'vendored' || ofFolder === 'generated';
}

function linesOf(text: string | null): string[] {
  return text?.split(/\r?\n/) ?? [];
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

function readPackageLock(lines: string[]): LockedPackage[] {
  const hasPaths = lines.some((line) => line.includes('"node_modules/'));
  const nameIn = (line: string) => {
    // An alias says which package it is.
    const alias = /^\s*"name": "([^"]+)",?\s*$/.exec(line)?.[1];
    if (alias !== undefined) return isOwn ? undefined : alias;
    const key = JSON_OBJECT.exec(line)?.[1];
    if (key === undefined) return undefined;
    const folder = key.lastIndexOf('node_modules/');
    isOwn = hasPaths && folder === -1;
    if (isOwn) return null;
    return hasPaths ? key.slice(folder + 'node_modules/'.length) : key;
  };
  let isOwn = true;
  return readEntries(lines, nameIn, JSON_VERSION);
}

function readYarnLock(lines: string[]): LockedPackage[] {
  const nameIn = (line: string) => {
    if (!/^["\w@]/.test(line)) return undefined;
    const first = line.replace(/^"/, '').split(/", "|, |":$|:$/)[0]!;
    const at = first.indexOf('@', 1);
    if (at === -1 || /@(workspace|portal|link|file):/.test(first)) return null;
    return /@npm:(@?[^@]+)@/.exec(first)?.[1] ?? first.slice(0, at);
  };
  return readEntries(lines, nameIn, /^ {2}version:? "?([^"]+)"?$/);
}

/** Its keys have the version: `/a/1.0.0`, `/a@1.0.0` and `a@1.0.0(b@2.0.0)`. */
function readPnpmLock(lines: string[]): LockedPackage[] {
  return lines.flatMap((line, index) => {
    const match = /^ {2}'?\/?((?:@[^/@\s]+\/)?[^/@\s]+)[@/](\d[^(_:'\s]*)/.exec(line);
    return match && /:(?: \{\})?$/.test(line)
      ? [{ name: match[1]!, version: match[2]!, line: index + 1 }]
      : [];
  });
}

/** Since Go 1.17 a module names all that it needs. */
function readGoModule(lines: string[]): LockedPackage[] {
  const replacements = lines.filter((line) => line.includes(' => '));
  const replaced = new Set(
    replacements.map(
      (line) =>
        line
          .trim()
          .replace(/^replace\s+/, '')
          .split(/\s/)[0],
    ),
  );
  let block = '';
  return lines.flatMap((line, index) => {
    block = /^(\w+)\s*\($/.exec(line.trim())?.[1] ?? (line.startsWith(')') ? '' : block);
    const match = /^\s*(require\s+)?([^\s(]+)\s+v(\d\S*)/.exec(line);
    const isRequired = match !== null && (match[1] !== undefined || block === 'require');
    if (!isRequired || replaced.has(match[2]!)) return [];
    return [{ name: match[2]!, version: match[3]!.replace(/\+incompatible$/, ''), line: index + 1 }];
  });
}

/** TOML with one table for each package; `source` tells those of the registry from local ones. */
function readTables(lines: string[], source: RegExp | null): LockedPackage[] {
  const found: LockedPackage[] = [];
  const starts = lines.flatMap((line, index) => (/^\[\[package\]\]/.test(line) ? [index] : []));
  for (const [index, start] of starts.entries()) {
    const rest = lines.slice(start, starts[index + 1] ?? lines.length);
    if (source && !rest.some((line) => source.test(line))) continue;
    const [nameAt, versionAt] = ['name', 'version'].map((key) =>
      rest.findIndex((line) => line.startsWith(`${key} = "`)),
    ) as [number, number];
    const [name, version] = [nameAt, versionAt].map((at) => /"([^"]+)"/.exec(rest[at] ?? '')?.[1]);
    if (!name || !version) continue;
    found.push({ name, version, line: start + versionAt + 1, nameLine: start + nameAt + 1 });
  }
  return found;
}

function readPipfileLock(lines: string[]): LockedPackage[] {
  return readEntries(lines, (line) => JSON_OBJECT.exec(line)?.[1], /^\s*"version": "===?([^"]+)"/);
}

function readRequirements(lines: string[]): LockedPackage[] {
  return lines.flatMap((line, index) => {
    const match = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?===?\s*([\w.!+-]+)/.exec(line);
    return match ? [{ name: match[1]!, version: match[2]!, line: index + 1 }] : [];
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
