/** Imports of moved modules of Python, at the top of a file, in functions, and by name in `patch` and `import_module`. */
import type { ImportedModule } from '../../../../platform/core/ports/code-facts.ts';
import { folderOf, meansPythonFile } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { isOptionalImport } from '../removed/optional-imports.ts';
import { type Importer, type Moved, type Places, type Use, withoutEnding } from './places.ts';

const ROOTS = ['', 'src/', 'lib/', 'python/'];
const INDENTED = /^\s+(?:from\s+([.\w]+)\s+import\s+\(?(.*)|import\s+([\w.]+)\s*(?:as\s+\w+\s*)?(?:#.*)?)$/;
const NAMING_CALL =
  /(?<![\w])(?:patch(?:\.dict|\.multiple)?|import_module|monkeypatch\.(?:setattr|delattr))\(\s*(["'])([A-Za-z_]\w*(?:\.\w+)+)\1/g;

export async function usesInPython(places: Places, { facts, lines, path }: Importer): Promise<Use[]> {
  const found: Use[] = [];
  const add = (line: FoundLine | undefined, moved: Moved | undefined) => {
    if (line && moved) found.push({ line, moved });
  };
  const at = new Map(lines.map((line) => [line.line, line] as const));
  for (const each of facts.imports) {
    const meant = await brokenPython(places, path, each);
    const { line, module } = each;
    // Names in parentheses are on lines of their own.
    if (meant) add(at.get(line) ?? lines.find((own) => own.line > line && module.length > 0), meant);
  }
  const known = new Set(facts.imports.map(({ line }) => line));
  const inCode = new Set(facts.uses.flatMap(({ lines: own }) => own));
  for (const line of lines) {
    // A name in documentation is no use.
    if (known.has(line.line) || !inCode.has(line.line)) continue;
    const imported = importIn(line);
    if (imported) add(line, await brokenPython(places, path, imported));
  }
  for (const { call, line, module } of await modulesInCalls(places.code, path, lines))
    if (inCode.has(call)) add(at.get(line), await brokenName(places, path, line, module));
  return found;
}

/** An import in a function, which facts leave out. */
function importIn({ line, text }: FoundLine): ImportedModule | undefined {
  const [, from, listed = '', module] = INDENTED.exec(text) ?? [];
  if (module !== undefined) return { line, module, names: [{ name: '*' }] };
  if (from === undefined) return undefined;
  const names = listed
    .replace(/#.*|\)/g, '')
    .split(',')
    .map((each) => each.trim().split(/\s+/)[0]!)
    .filter((name) => /^\w+$/.test(name));
  return { line, module: from, names: names.map((name) => ({ name })) };
}

async function modulesInCalls(code: ReviewCode, path: string, lines: FoundLine[]) {
  if (!lines.some(({ text }) => /["'][\w.]+["']/.test(text))) return [];
  const text = (await code.read('head', path)) ?? '';
  return [...text.matchAll(NAMING_CALL)].map(({ 0: match, 2: module, index }) => ({
    call: text.slice(0, index).split('\n').length,
    line: text.slice(0, index + match.length).split('\n').length,
    module: module!,
  }));
}

/** `a.b.c.name` names the module `a.b.c`, or `a.b` if `c` is a class in it. */
async function brokenName(
  places: Places,
  path: string,
  line: number,
  dotted: string,
): Promise<Moved | undefined> {
  const parts = dotted.split('.');
  for (let end = parts.length; end > 1; end -= 1) {
    const owner = parts.slice(0, end - 1).join('.');
    const meant = await brokenModule(places, { path, line }, parts.slice(0, end).join('.'), owner);
    if (meant !== 'another') return meant ?? undefined;
  }
  return undefined;
}

async function brokenPython(
  places: Places,
  path: string,
  { line, module, names }: ImportedModule,
): Promise<Moved | undefined> {
  const whole = await brokenModule(places, { path, line }, module);
  if (whole !== 'another') return whole ?? undefined;
  const dot = module.endsWith('.') ? '' : '.';
  for (const { name } of names) {
    if (name === '*') continue;
    const meant = await brokenModule(places, { path, line }, `${module}${dot}${name}`, module);
    if (meant !== 'another') return meant ?? undefined;
  }
  return undefined;
}

/** The moved file; null if the module is still there, and `another` if it is no moved file. With an owner, it can be any name in it. */
async function brokenModule(
  { base, byName, code, head }: Places,
  at: { path: string; line: number },
  module: string,
  owner?: string,
): Promise<Moved | null | 'another'> {
  const { path } = at;
  const isRelative = module.startsWith('.');
  const parts = module.replace(/^\.+/, '').split('.');
  const meant = byName
    .get(parts.at(-1)!)
    ?.find(
      ({ from }) => meansPythonFile(path, module, from) && (isRelative || isRoot(path, module, from, base)),
    );
  if (!meant) return 'another';
  // A folder without `__init__.py` is a package too.
  const folder = isRelative ? `${withoutEnding(meant.from)}/` : `/${parts.join('/')}/`;
  const isIn = (file: string) => (isRelative ? file.startsWith(folder) : `/${file}`.includes(folder));
  const isThere = [...head].some((file) => isIn(file) || meansPythonFile(path, module, file));
  if (isThere || (owner !== undefined && (await mayDefine(code, head, path, owner, parts.at(-1)!))))
    return null;
  return (await isOptionalImport(code, at)) ? null : meant;
}

/** Whether an absolute module is looked up where the moved file was. */
function isRoot(path: string, module: string, from: string, base: ReadonlySet<string>): boolean {
  const end = module.replaceAll('.', '/');
  if (!end.includes('/')) return false;
  const root = from.slice(0, from.lastIndexOf(`${end}${from.endsWith('/__init__.py') ? '/' : '.py'}`));
  return (ROOTS.includes(root) || path.startsWith(root)) && !base.has(`${root}__init__.py`);
}

/** Whether the package that it is imported from may have the name by other means than a file. */
async function mayDefine(
  code: ReviewCode,
  head: ReadonlySet<string>,
  path: string,
  module: string,
  name: string,
): Promise<boolean> {
  const owners = [...head].filter(
    (file) =>
      file !== path &&
      (module.endsWith('.')
        ? file === `${folderOf(path)}__init__.py`
        : file.endsWith('.py') && meansPythonFile(path, module, file)),
  );
  for (const owner of owners) {
    const text = (await code.read('head', owner)) ?? '';
    if (new RegExp(`(?<![\\w])${RegExp.escape(name)}(?!\\w)|__getattr__|import \\*|lazy`).test(text))
      return true;
  }
  return false;
}
