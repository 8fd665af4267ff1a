/** Whether a name that a file neither imports nor defines can come from elsewhere: then nothing is said about it. */

import { goPackageName, readNames } from '../../../facts/index.ts';
import type { Change } from '../../code/read-change.ts';
import { folderOf, isScript } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import type { Lost } from './lost-name.ts';

/** Files that are read to see whether others use the name without an import. */
const MAX_OTHER_FILES = 25;
const MAX_PACKAGE_FILES = 150;
/** Settings of linters, bundlers and test runners in scripts. */
const SCRIPT_SETTINGS = /(^|\/)(\.eslintrc[\w.-]*|[\w.-]*(config|rc)[\w.-]*)\.[cm]?[jt]s$/;
const DATA_SETTINGS =
  /(^|\/)(\.eslintrc(\.json|\.ya?ml)?|package\.json|biome\.jsonc?|\.oxlintrc\.json|\.jshintrc|\.babelrc|tsconfig[\w.-]*\.json)$/;
const PYTHON_SETTINGS = /(^|\/)(pyproject\.toml|setup\.cfg|tox\.ini|\.flake8|\.?ruff\.toml|\.?pylintrc)$/;
/** Their code is imported by the build. */
const AUTO_IMPORT =
  /(^|\/)(nuxt\.config\.[cm]?[jt]s|wxt\.config\.ts|auto-imports?\.d\.ts|\.eslintrc-auto-import\.json)$/;
const IS_MODULE = /^\s*(import|export)\b|\brequire\(|\bmodule\.exports\b|\bexports\./m;

export async function mayComeFromElsewhere(change: Change, code: ReviewCode, lost: Lost): Promise<boolean> {
  if (lost.language === 'go') return mayBeOfGoPackage(code, lost);
  if (lost.language === 'java') return mayBeOfJavaPackage(code, lost);
  if (isScript(lost.language) && (await isOutsideModules(code, lost))) return true;
  return mayBeGlobal(change, code, lost);
}

/** A script that is no module sees what other scripts define; some frameworks import what a file uses. */
async function isOutsideModules(code: ReviewCode, { file: { path } }: Lost): Promise<boolean> {
  if (!IS_MODULE.test((await code.read('head', path)) ?? '')) return true;
  const files = await code.listFiles('head');
  if (files.some((file) => AUTO_IMPORT.test(file) && path.startsWith(folderOf(file)))) return true;
  const { lines } = await code.find('head', ['unplugin-auto-import', 'AutoImport('], { wholeWords: false });
  return lines.some(({ path: at }) => /\.[cm]?[jt]s$/.test(at) && path.startsWith(folderOf(at)));
}

/** A setting names it, or another file used it without an import before the change. */
async function mayBeGlobal(
  change: Change,
  code: ReviewCode,
  { file, language, name }: Lost,
): Promise<boolean> {
  const { lines } = await code.find('base', [name], { wholeWords: true });
  if (lines.some((line) => makesGlobal(line, name))) return true;
  const changed = new Set(change.files.map(({ oldPath, path }) => oldPath ?? path));
  let read = 0;
  for (const path of new Set(lines.map((line) => line.path))) {
    if (changed.has(path) || path === file.path || !hasSameLanguage(path, file.path)) continue;
    const facts = await code.symbols('base', path);
    const isKnown =
      facts?.imports.some(({ names }) => names.some((each) => (each.as ?? each.name) === name)) ||
      facts?.symbols.some((symbol) => symbol.name === name);
    if (!facts || facts.language !== language || isKnown || !facts.uses.some((use) => use.name === name))
      continue;
    read += 1;
    if (read > MAX_OTHER_FILES) break;
    const text = await code.read('base', path);
    const names = text === null ? null : await readNames({ path, text }, new Set([name]));
    if (names?.free.has(name)) return true;
  }
  return false;
}

/** Whether a declaration or a setting says that every file has the name. */
function makesGlobal({ path, text }: FoundLine, name: string): boolean {
  const word = RegExp.escape(name);
  if (/\.d\.[cm]?ts$/.test(path))
    return new RegExp(
      `\\b(var|let|const|function|class|namespace|enum|interface|type)\\s+${word}(?![\\w$])`,
    ).test(text);
  const isSet = new RegExp(
    `(?<![\\w$])${word}["']?\\s*:\\s*["']?(true|false|readonly|writable|writeable)\\b`,
  );
  if (DATA_SETTINGS.test(path)) return isSet.test(text);
  // A bundler can put a module in the place of a name.
  if (SCRIPT_SETTINGS.test(path))
    return (
      isSet.test(text) || new RegExp(`(?<![\\w$.])${word}["']?\\s*:\\s*\\[?\\s*(["'\`]|require)`).test(text)
    );
  return PYTHON_SETTINGS.test(path) && /builtins/.test(text);
}

function hasSameLanguage(one: string, other: string): boolean {
  const isPython = (path: string) => /\.pyi?$/.test(path);
  return isPython(one) === isPython(other);
}

/** Another file of the package defines it, or a new import has a package of that name. */
async function mayBeOfGoPackage(code: ReviewCode, { file: { oldPath, path }, name }: Lost): Promise<boolean> {
  const folder = folderOf(path);
  const files = await code.listFiles('head');
  const siblings = files.filter((each) => each.endsWith('.go') && folderOf(each) === folder);
  if (siblings.length > MAX_PACKAGE_FILES || name === 'C') return true;
  for (const each of siblings) {
    const facts = await code.symbols('head', each);
    if (facts?.symbols.some((symbol) => symbol.name === name && symbol.container === undefined)) return true;
  }
  const before = new Set((await code.symbols('base', oldPath ?? path))?.imports.map(({ module }) => module));
  const after = await code.symbols('head', path);
  const used = new Set(after?.uses.map((use) => use.name));
  // The name of a package is often not in its path, so every new one whose likely name is not used can be it.
  return (after?.imports ?? []).some(
    ({ module, names }) =>
      names.some(({ as }) => as === '.') ||
      (!before.has(module) && names.some(({ as }) => as === undefined) && !used.has(goPackageName(module))),
  );
}

/** A class of the same package, or one that a class of the file inherits. */
async function mayBeOfJavaPackage(
  code: ReviewCode,
  { file: { oldPath, path }, name }: Lost,
): Promise<boolean> {
  const text = (await code.read('head', path)) ?? '';
  const own = packageOf(text);
  const before = await code.symbols('base', oldPath ?? path);
  const imported = before?.imports.find(({ names }) => names.some((each) => each.name === name));
  if (!imported || own === undefined || imported.module === own) return true;
  const isClass = /^\p{Lu}\w*\p{Ll}/u.test(name);
  // Methods and constants can be inherited.
  if (!isClass && /\b(extends|implements)\b/.test(text)) return true;
  const folder = `/${own.replaceAll('.', '/')}/`;
  const { lines, truncated } = await code.find('head', [name], { wholeWords: true });
  const declares = new RegExp(
    `\\b(class|interface|enum|record|object|trait|typealias|@interface)\\s+${RegExp.escape(name)}\\b`,
  );
  return (
    truncated ||
    lines.some(
      ({ path: at, text: line }) =>
        declares.test(line) && (`/${folderOf(at)}`.endsWith(folder) || isInherited(text, at, name)),
    )
  );
}

function packageOf(text: string): string | undefined {
  return /^package\s+([\w.]+)\s*;/m.exec(text)?.[1];
}

/** A class that is defined in the file of a parent, such as `Builder`. */
function isInherited(text: string, path: string, name: string): boolean {
  const file = path.slice(folderOf(path).length).replace(/\.\w+$/, '');
  return (
    file !== name && new RegExp(`\\b(extends|implements)\\b[^{]*\\b${RegExp.escape(file)}\\b`).test(text)
  );
}
