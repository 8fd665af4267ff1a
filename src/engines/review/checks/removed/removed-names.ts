/**
 * Exported symbols and routes that a change removes, under the names that other repositories use for them. Nothing is listed that
 * the package still exports, or the repository still serves, somewhere else. See also `provided-symbols.ts` in `engines/facts`.
 */

import type { Change } from '../../code/read-change.ts';
import { folderOf, isScript } from '../../code/resolve-module.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import type { RemovedName } from '../../contract/code-review.ts';
import type { Removed } from './refers-to-removed.ts';
import { listRemoved } from './removed-but-used.ts';
import { findRouteFiles, isSameRoute, listRemovedRoutes } from './removed-routes.ts';

/** Files read to see whether something is still defined. */
const MAX_FILES_READ = 400;
const MAX_REMOVED_NAMES = 200;
const MANIFESTS: Record<string, string[]> = {
  npm: ['package.json'],
  pypi: ['pyproject.toml', 'setup.cfg', 'setup.py'],
  go: ['go.mod'],
};

export async function listRemovedNames(change: Change, code: ReviewCode): Promise<RemovedName[]> {
  const symbols = await listSymbols(change, code);
  return [...symbols, ...(await listRoutes(change, code))].slice(0, MAX_REMOVED_NAMES);
}

async function listSymbols(change: Change, code: ReviewCode): Promise<RemovedName[]> {
  const removed = (await listRemoved(change, code)).filter(
    ({ symbol }) => symbol.container === undefined && symbol.kind !== 'method',
  );
  const named: { each: Removed; package: Package | null; names: string[] }[] = [];
  for (const each of removed) {
    const ecosystem = ecosystemOf(each.language);
    const found = ecosystem ? await findPackage(code, each.path, ecosystem) : null;
    const names = found ? namesOf(each, found) : await javaNames(code, each);
    if (names.length > 0) named.push({ each, package: found, names });
  }
  const isLeft = await findLeft(code, named);
  const results: RemovedName[] = [];
  for (const { each, names, package: owner } of named) {
    if (isLeft(each, owner)) continue;
    const { path, symbol } = each;
    results.push({
      kind: 'symbol',
      names,
      package: owner?.name ?? null,
      isDeclared: owner?.name.startsWith('pypi:') ?? false,
      subject: symbol.name,
      file: path,
      line: symbol.line,
      quote: (await code.read('base', path))?.split('\n')[symbol.line - 1] ?? symbol.name,
    });
  }
  return results;
}

interface Package {
  /** As facts have it: `npm:@acme/money`. */
  name: string;
  /** Empty for the root, else with a slash at its end. */
  folder: string;
}

function ecosystemOf(language: string | null): string | null {
  if (isScript(language)) return 'npm';
  if (language === 'python') return 'pypi';
  return language === 'go' ? 'go' : null;
}

/** The package of the nearest manifest above a file. */
async function findPackage(code: ReviewCode, path: string, ecosystem: string): Promise<Package | null> {
  const parts = path.split('/').slice(0, -1);
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const folder = parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join('');
    for (const manifest of MANIFESTS[ecosystem]!) {
      const facts = await code.facts('base', `${folder}${manifest}`);
      const provided = facts?.facts.find(({ kind, role }) => kind === 'package' && role === 'provides');
      if (provided) return { name: provided.name, folder };
    }
  }
  return null;
}

function namesOf({ path, symbol }: Removed, { folder, name }: Package): string[] {
  const inside = path.slice(folder.length);
  if (name.startsWith('go:')) {
    // Other modules can't import these.
    if (/(^|\/)(internal|main)\//.test(inside)) return [];
    const place = folderOf(inside).replace(/\/$/, '');
    return [`${name}${place === '' ? '' : `/${place}`}#${symbol.name}`];
  }
  if (name.startsWith('npm:')) {
    const bare = inside.replace(/\.[cm]?[jt]sx?$/, '');
    const places = [bare, bare.replace(/(^|\/)index$/, ''), bare.replace(/^(src|lib)\//, '')];
    const modules = places.flatMap((place) => [place, `${place}.js`]).map((place) => `${name}/${place}`);
    return [...new Set([name, ...modules])].map((module) => `${module}#${symbol.name}`);
  }
  const dotted = inside
    .replace(/(\/__init__)?\.pyi?$/, '')
    .replace(/^(src|lib|python)\//, '')
    .split('/');
  // A package can re-export the names of its modules.
  return dotted.map((_, index) => `pypi:${dotted.slice(0, index + 1).join('.')}#${symbol.name}`);
}

/** Java files declare their own name for others. */
async function javaNames(code: ReviewCode, { path, symbol }: Removed): Promise<string[]> {
  const facts = (await code.facts('base', path))?.facts ?? [];
  return facts
    .filter(({ kind, line, role }) => kind === 'symbol' && role === 'provides' && line === symbol.line)
    .map(({ name }) => name);
}

/** Whether something with the name is still defined or exported at the head, in the folder or package that had it. */
async function findLeft(
  code: ReviewCode,
  named: { each: Removed }[],
): Promise<(removed: Removed, owner: Package | null) => boolean> {
  const wanted = new Set(named.map(({ each }) => each.symbol.name));
  const { lines, truncated } = await code.find('head', [...wanted], { wholeWords: true });
  const byPath = Map.groupBy(lines, ({ path }) => path);
  if (truncated || byPath.size > MAX_FILES_READ) return () => true;
  const places = new Map<string, string[]>();
  const note = (name: string, path: string) => places.set(name, [...(places.get(name) ?? []), path]);
  for (const [path, found] of byPath) {
    const facts = await code.symbols('head', path);
    for (const { name } of facts?.symbols ?? []) if (wanted.has(name)) note(name, path);
    // Re-exported, or exported under this name.
    const exporting = found.filter(({ text }) => /\bexports?\b|\bas\b|__all__|__getattr__/.test(text));
    for (const { text } of exporting) for (const name of wanted) if (text.includes(name)) note(name, path);
    if (!path.endsWith('__init__.py')) continue;
    for (const { names } of facts?.imports ?? [])
      for (const { as, name } of names) if (wanted.has(as ?? name)) note(as ?? name, path);
  }
  return ({ language, path, symbol }, owner) => {
    const folder = language === 'go' ? folderOf(path) : (owner?.folder ?? '');
    return (places.get(symbol.name) ?? []).some((each) =>
      language === 'go' ? folderOf(each) === folder : each.startsWith(folder),
    );
  };
}

async function listRoutes(change: Change, code: ReviewCode): Promise<RemovedName[]> {
  const removed = await listRemovedRoutes(change, code);
  const files = await findRouteFiles(code, removed);
  if (!files) return [];
  return removed
    .filter(({ name }) => !files.some(({ provides }) => provides.some((each) => isSameRoute(each, name))))
    .map(({ file, line, name, quote }) => ({
      ...({ kind: 'route', names: [name], package: null, isDeclared: false } as const),
      ...{ subject: name, file, line, quote },
    }));
}
