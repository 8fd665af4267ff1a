/**
 * Makes facts about symbols that the packages of a commit provide to others, under the names that importers write: `npm:package#name`,
 * `pypi:module#name` and `go:module/folder#Name`. Classes of Java name their package themselves; see `symbol-uses.ts`.
 */
import type { ImportedModule, PlacedFact, SymbolDefinition } from '../../platform/core/ports/code-facts.ts';
import { isTestPath } from './path-kinds.ts';

const MAX_PROVIDED_SYMBOLS = 20_000;
const LANGUAGES: Record<string, string> = {
  typescript: 'npm',
  javascript: 'npm',
  python: 'pypi',
  go: 'go',
};
/** Nobody else can import what is in these folders, or is meant to. */
const NOT_IMPORTED =
  /(?:^|\/)(?:internal|vendor|node_modules|examples?|samples?|docs?|scripts?|migrations|\.[^/]+)\//;

export interface FileWithSymbols {
  path: string;
  language: string | null;
  read(): { symbols: SymbolDefinition[]; imports: ImportedModule[] };
}

interface Package {
  ecosystem: string;
  name: string;
  /** Empty for the root, else with a slash at its end. */
  folder: string;
}

export function providedSymbols(
  facts: readonly PlacedFact[],
  files: Iterable<FileWithSymbols>,
): { facts: PlacedFact[]; leftOut: number } {
  const packages = facts.flatMap(packageOf).sort((one, other) => other.folder.length - one.folder.length);
  const provided: PlacedFact[] = [];
  let leftOut = 0;
  for (const { language, path, read } of files) {
    const ecosystem = LANGUAGES[language ?? ''];
    if (!ecosystem || isTestPath(path) || NOT_IMPORTED.test(path)) continue;
    const own = packages.find((one) => one.ecosystem === ecosystem && path.startsWith(one.folder));
    const prefix = own && prefixOf(own, path);
    if (!prefix) continue;
    for (const { line, name } of exportsOf(ecosystem, path, read())) {
      if (provided.length < MAX_PROVIDED_SYMBOLS)
        provided.push({ kind: 'symbol', role: 'provides', name: `${prefix}#${name}`, line, path });
      else leftOut += 1;
    }
  }
  return { facts: provided, leftOut };
}

function packageOf({ kind, name, path, role }: PlacedFact): Package[] {
  if (kind !== 'package' || role !== 'provides') return [];
  const colon = name.indexOf(':');
  return [
    {
      ecosystem: name.slice(0, colon),
      name: name.slice(colon + 1),
      folder: path.slice(0, path.lastIndexOf('/') + 1),
    },
  ];
}

function prefixOf({ ecosystem, folder, name }: Package, path: string): string | null {
  const inside = path.slice(folder.length);
  if (ecosystem === 'npm') return `npm:${name}`;
  if (ecosystem === 'go') {
    // A test in Go is beside the code.
    if (inside.endsWith('_test.go')) return null;
    return `go:${[name, ...inside.split('/').slice(0, -1)].join('/')}`;
  }
  const module = inside
    .replace(/^(?:src|lib|python)\//, '')
    .replace(/(?:\/__init__)?\.pyi?$/, '')
    .replaceAll('/', '.');
  return /^[\w.]+$/.test(module) && module !== 'setup' ? `pypi:${module}` : null;
}

function exportsOf(
  ecosystem: string,
  path: string,
  { imports, symbols }: ReturnType<FileWithSymbols['read']>,
): { name: string; line: number }[] {
  // A program can't be imported.
  if (ecosystem === 'go' && symbols.some(({ kind, name }) => kind === 'function' && name === 'main'))
    return [];
  const defined = symbols.filter(({ container, isExported }) => isExported && container === undefined);
  if (!/(?:^|\/)__init__\.pyi?$/.test(path)) return defined;
  const passedOn = imports
    .filter(({ module }) => module.startsWith('.'))
    .flatMap(({ line, names }) => names.map(({ as, name }) => ({ name: as ?? name, line })))
    .filter(({ name }) => name !== '*' && !name.startsWith('_'));
  return [...defined, ...passedOn];
}
