/** Reads the source files of a folder with what each imports, for the tests of layers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export interface Import {
  file: string;
  specifier: string;
  typeOnly: boolean;
  /** Below the project's folder; undefined for packages. */
  target: string | undefined;
}

export interface SourceFile {
  file: string;
  code: string;
  imports: Import[];
}

/** The paths of its source files, without tests. */
export function listFolder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .sort()
    .map((name) => join(folder, name));
}

/** Without tests; `code` is without comments. */
export function readFolder(folder: string): SourceFile[] {
  return listFolder(folder).map((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const code = source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
    return { file, code, imports: readImports(file, code) };
  });
}

/** Whether a file is a place or in it; both can be given with or without `src/`. */
export function isWithin(file: string, place: string): boolean {
  const path = file.startsWith('src/') ? file.slice('src/'.length) : file;
  const prefix = place.startsWith('src/') ? place.slice('src/'.length) : place;
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Files that import each other in a circle, if there are any. */
export function findCycle(files: SourceFile[]): string[] | undefined {
  const graph = new Map(
    files.map(({ file, imports }) => [file, imports.flatMap(({ target }) => target ?? [])]),
  );
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** With the entry points of threads and processes. */
function readImports(file: string, code: string): Import[] {
  const entries = [...code.matchAll(/new URL\(\s*[`']([^`'\n]+)[`'],\s*import\.meta\.url/g)].flatMap(
    (match) => entryPoints(file, match[1]!),
  );
  return [...staticImports(file, code), ...entries.map((specifier) => importOf(file, specifier, false))];
}

/** Static imports and re-exports, and imports made while running. */
export function staticImports(file: string, code: string): Import[] {
  const found = code.matchAll(
    /(?:\b(import|export)\b(\s+type\b)?[^;'"]*?\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g,
  );
  return [...found].map((match) => importOf(file, match[3]!, match[2] !== undefined));
}

function importOf(file: string, specifier: string, typeOnly: boolean): Import {
  const target = specifier.startsWith('.')
    ? relative(ROOT, resolve(ROOT, dirname(file), specifier))
    : undefined;
  return { file, specifier, typeOnly, target };
}

/** `./${kind}-process.${extension}` is every file of that pattern beside the one that names it. */
function entryPoints(file: string, specifier: string): string[] {
  const folder = dirname(join(ROOT, file));
  const pattern = new RegExp(
    `^${specifier
      .replace(/^\.\//, '')
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replaceAll('.', '\\.'))
      .join('\\w+')}(\\.ts)?$`,
  );
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => pattern.test(name) && !file.endsWith(`/${name}`))
    : [];
  if (names.length === 0) throw new Error(`${file}: no file matches ${specifier}`);
  return names.map((name) => `./${name}`);
}
