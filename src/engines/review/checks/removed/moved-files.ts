/** Files and folders that were moved while something still imports them at their old path. */

import type { FileSymbols, ImportedModule } from '../../../../platform/core/ports/code-facts.ts';
import type { Check, Found } from '../../check.ts';
import type { Change, ReviewedFile } from '../../code/read-change.ts';
import { folderOf, isScript, meansPythonFile, resolveScript } from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { mappedPaths } from '../../code/script-aliases.ts';
import { shellWord } from '../../code/shell-word.ts';
import { isOptionalImport } from './optional-imports.ts';

const MAX_MOVED = 500;
const MAX_FILES_READ = 400;
const MAX_SHOWN_USES = 5;
/** Code in them is data. */
const FIXTURES = /(^|\/)(__)?(test[-_]?)?(fixtures?|data|templates?)(__)?\//i;
/** Modules that a script names in a call; before it is no text, which could contain the call. */
const CALL =
  /^[^"'`]*?(?<![\w$.])(?:import|require|(?:jest|vi)\.(?:mock|unmock|requireActual|importActual))\(\s*(["'])([^"']+)\1/;
const REQUIRE_RELATIVE = /^\s*require_relative\s*\(?\s*(["'])([^"']+)\1/;
const OTHER_JVM_LANGUAGE = /\.(kt|scala|groovy)$/;
const PYTHON_ROOTS = ['', 'src/', 'lib/', 'python/'];

interface Moved {
  from: string;
  /** The new folder, if the file itself is gone. */
  to: string;
}

/** Both commits, and what is looked up in them again and again. */
interface Places {
  code: ReviewCode;
  moved: ReadonlyMap<string, Moved>;
  /** By the word that an import names the file with: hundreds of moved files are asked about for every import. */
  byName: ReadonlyMap<string, Moved[]>;
  head: ReadonlySet<string>;
  base: ReadonlySet<string>;
  /** Paths at the head without the ending. */
  bare: ReadonlySet<string>;
}

interface Use {
  moved: Moved;
  line: FoundLine;
}

export const movedFiles: Check = {
  name: 'moved_file_imported',
  reviewer: 'breaking_changes',
  looksFor: 'imports that still name the old path of a moved file',
  isOffByDefault: true,
  async run(change, code) {
    const renamed = change.files.filter(isMoved).slice(0, MAX_MOVED);
    if (renamed.length === 0) return [];
    const files = await code.listFiles('head');
    const head = new Set(files);
    const folders = new Map(
      renamed.map(({ oldPath, path }) => [folderOf(oldPath!), folderOf(path)] as const),
    );
    const moved = new Map(
      [
        ...renamed.map(({ oldPath, path }): Moved => ({ from: oldPath!, to: path })),
        // Left out when its folder was moved, such as a list of what the folder exports.
        ...change.files
          .filter((file) => file.change === 'deleted' && folders.has(folderOf(file.path)))
          .map(({ path }): Moved => ({ from: path, to: folders.get(folderOf(path))! })),
      ]
        .filter(({ from }) => !head.has(from))
        .map((each) => [each.from, each] as const),
    );
    if (moved.size === 0) return [];
    const base = new Set(await code.listFiles('base'));
    const byName = Map.groupBy(moved.values(), ({ from }) => nameOfModule(from));
    const places: Places = { code, moved, byName, head, base, bare: new Set(files.map(withoutEnding)) };
    const uses = [
      ...(await usesOfModules(places)),
      ...(await usesOfGoPackages(places)),
      ...(await usesOfRustModules(places)),
    ];
    return describeAll(change, code, uses);
  },
};

function isMoved({ change, oldPath }: ReviewedFile): boolean {
  return change === 'renamed' && oldPath !== null && !FIXTURES.test(oldPath);
}

/** Modules that are files: of scripts, Python, Ruby and Java. */
async function usesOfModules(places: Places): Promise<Use[]> {
  const { byName, code } = places;
  const named = [...byName.keys()].filter((name) => name.length > 1);
  const { lines } = await code.find('head', named, { wholeWords: true, leavesOutCommon: true });
  const found: Use[] = [];
  let read = 0;
  for (const [path, own] of Map.groupBy(lines, (line) => line.path)) {
    if (FIXTURES.test(path)) continue;
    read += 1;
    if (read > MAX_FILES_READ) break;
    const facts = await code.symbols('head', path);
    if (!facts || facts.isGenerated) continue;
    const at = new Map(own.map((line) => [line.line, line] as const));
    const isKnown = new Set<number>();
    const add = (line: FoundLine | undefined, meant: Moved | undefined) => {
      if (!line || !meant || isKnown.has(line.line)) return;
      isKnown.add(line.line);
      found.push({ moved: meant, line });
    };
    for (const each of facts.imports) {
      const meant = await brokenImport(places, path, facts, each);
      // The line that names the module can be the last of several.
      if (meant) add(own.find(({ text }) => text.includes(each.module)) ?? at.get(each.line), meant);
    }
    for (const line of own) {
      const module = isScript(facts.language)
        ? CALL.exec(line.text)?.[2]
        : facts.language === 'ruby'
          ? REQUIRE_RELATIVE.exec(line.text)?.[2]
          : undefined;
      if (module === undefined) continue;
      add(
        line,
        facts.language === 'ruby'
          ? brokenRuby(places, path, module)
          : await brokenScript(places, path, module),
      );
    }
  }
  return found;
}

async function brokenImport(
  places: Places,
  path: string,
  { language }: FileSymbols,
  imported: ImportedModule,
): Promise<Moved | undefined> {
  if (isScript(language)) return brokenScript(places, path, imported.module);
  if (language === 'python') return brokenPython(places, path, imported);
  return language === 'java' ? brokenJava(places, imported) : undefined;
}

/** The moved file that the module meant, if nothing is there any more that it could mean. */
async function brokenScript(places: Places, path: string, module: string): Promise<Moved | undefined> {
  const { bare, code, head, moved } = places;
  const name = module.replace(/[?#].*$/, '');
  const paths = name.startsWith('.')
    ? resolveScript(path, name)
    : (await mappedPaths(code, head, path, name)).flatMap((each) => resolveScript('', `./${each}`));
  const meant = paths.flatMap((each) => moved.get(each) ?? [])[0];
  if (!meant) return undefined;
  // A file in another language, and a package in the folder.
  const isThere = paths.some((each) => head.has(each) || head.has(`${each}/package.json`));
  return isThere || bare.has(withoutEnding(meant.from)) ? undefined : meant;
}

async function brokenPython(
  { base, byName, code, head }: Places,
  path: string,
  { line, module, names }: ImportedModule,
): Promise<Moved | undefined> {
  const dot = module.endsWith('.') ? '' : '.';
  const modules = [
    module,
    ...names.filter(({ name }) => name !== '*').map(({ name }) => `${module}${dot}${name}`),
  ];
  for (const each of modules) {
    const parts = each.replace(/^\.+/, '').split('.');
    const meant = byName
      .get(parts.at(-1)!)
      ?.find(
        ({ from }) =>
          meansPythonFile(path, each, from) && (each.startsWith('.') || isRoot(path, each, from, base)),
      );
    if (!meant) continue;
    // A folder without `__init__.py` is a package too.
    const folder = each.startsWith('.') ? `${withoutEnding(meant.from)}/` : `/${parts.join('/')}/`;
    const isIn = (file: string) =>
      each.startsWith('.') ? file.startsWith(folder) : `/${file}`.includes(folder);
    const isThere =
      [...head].some((file) => isIn(file) || meansPythonFile(path, each, file)) ||
      (each !== module && (await mayDefine(code, head, path, module, parts.at(-1)!)));
    if (isThere) return undefined;
    return (await isOptionalImport(code, { path, line })) ? undefined : meant;
  }
  return undefined;
}

/** Whether an absolute module is looked up where the moved file was. */
function isRoot(path: string, module: string, from: string, base: ReadonlySet<string>): boolean {
  const end = module.replaceAll('.', '/');
  if (!end.includes('/')) return false;
  const root = from.slice(0, from.lastIndexOf(`${end}${from.endsWith('/__init__.py') ? '/' : '.py'}`));
  return (PYTHON_ROOTS.includes(root) || path.startsWith(root)) && !base.has(`${root}__init__.py`);
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

/** `import a.b.C` means `a/b/C.java` below any folder of sources. */
function brokenJava({ byName, head }: Places, { module, names }: ImportedModule): Moved | undefined {
  const folder = `${module.replaceAll('.', '/')}/`;
  for (const { name } of names) {
    const isMeant = (path: string) => `/${path}`.endsWith(`/${folder}${name}.java`);
    const meant = byName.get(name)?.find(({ from, to }) => isMeant(from) && to.endsWith('.java'));
    if (!meant) continue;
    // A class in another language can be in a file of any name.
    const isThere = [...head].some(
      (path) =>
        isMeant(path) || (OTHER_JVM_LANGUAGE.test(path) && `/${folderOf(path)}`.endsWith(`/${folder}`)),
    );
    if (!isThere) return meant;
  }
  return undefined;
}

function brokenRuby({ head, moved }: Places, path: string, module: string): Moved | undefined {
  const [file] = resolveScript(path, module.startsWith('.') ? module : `./${module}`);
  const paths = file === undefined ? [] : [file, `${file}.rb`];
  return paths.some((each) => head.has(each)) ? undefined : paths.flatMap((each) => moved.get(each) ?? [])[0];
}

/** A folder of Go without any file is a package that can't be imported any more. */
async function usesOfGoPackages({ code, head, moved }: Places): Promise<Use[]> {
  const kept = new Set([...head].filter((path) => path.endsWith('.go')).map(folderOf));
  const gone = new Map<string, Moved>();
  for (const each of moved.values()) {
    const folder = folderOf(each.from);
    if (!each.from.endsWith('.go') || each.from.endsWith('_test.go') || kept.has(folder)) continue;
    const root = moduleRoot(head, folder);
    if (root === undefined || root === folder) continue;
    const [before, now] = [await moduleIn(code, 'base', root), await moduleIn(code, 'head', root)];
    if (now === undefined || before !== now) continue;
    gone.set(`${now}/${folder.slice(root.length, -1)}`, each);
  }
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

/** `mod name;` means the file beside the one that says so, or in the folder named like it. */
async function usesOfRustModules({ code, head, moved }: Places): Promise<Use[]> {
  const found: Use[] = [];
  for (const each of moved.values()) {
    const place = /^(.*?)([^/]+?)(?:\/mod)?\.rs$/.exec(each.from);
    if (!place) continue;
    const [, folder = '', name = ''] = place;
    if (head.has(`${folder}${name}.rs`) || head.has(`${folder}${name}/mod.rs`)) continue;
    for (const parent of ['mod.rs', 'lib.rs', 'main.rs']
      .map((file) => `${folder}${file}`)
      .concat(`${folder.slice(0, -1)}.rs`)) {
      if (!head.has(parent)) continue;
      const lines = ((await code.read('head', parent)) ?? '').split('\n');
      const declares = new RegExp(`^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?mod ${RegExp.escape(name)};`);
      const at = lines.findIndex((text) => declares.test(text));
      // An attribute can name another file, or leave the module out.
      if (at === -1 || /^\s*#\[/.test(lines[at - 1] ?? '')) continue;
      found.push({ moved: each, line: { path: parent, line: at + 1, text: lines[at]! } });
    }
  }
  return found;
}

/** One finding for each pair of folders: a moved folder is one mistake. */
async function describeAll(change: Change, code: ReviewCode, uses: Use[]): Promise<Found[]> {
  const byFolders = Map.groupBy(uses, ({ moved: { from, to } }) => `${folderOf(from)}\n${folderOf(to)}`);
  const results: Found[] = [];
  for (const own of byFolders.values()) {
    const { from, to } = own[0]!.moved;
    const lines = (await code.read('base', from))?.split('\n') ?? [];
    const index = lines.findIndex((text) => text.trim() !== '');
    if (index === -1) continue;
    const isOne = own.every(({ moved }) => moved.from === from);
    const isGone = to === folderOf(to);
    const [old, now] = isOne ? [from, to] : [folderOf(from), folderOf(to)];
    const { line, path } = own[0]!.line;
    const more = own.length > 1 ? ` and ${own.length - 1} more ${own.length === 2 ? 'place' : 'places'}` : '';
    results.push({
      claim: 'removed_but_used',
      subject: old,
      title: isOne
        ? `${old} was ${isGone ? 'deleted' : 'moved'} but is still imported`
        : `Files of ${old || 'the root'} were moved but are still imported from there`,
      scenario: `${path}:${line}${more} still import${more === '' ? 's' : ''} ${isOne ? `${old}, ${isGone ? `whose folder is ${now}` : `which is ${now}`} now` : `files of ${old || 'the root'}, which are in ${now || 'the root'} now`}: the build fails, or that line fails when it runs.`,
      ...{ file: from, side: 'base', line: index + 1, quote: lines[index]! },
      evidence: own.slice(0, MAX_SHOWN_USES).map(({ line: use }) => ({
        ...{ side: 'head', path: use.path, line: use.line, quote: use.text.trim() },
      })),
      command: `git grep -nF -e ${shellWord(own[0]!.line.text.trim())} ${change.head.slice(0, 12)}`,
    });
  }
  return results;
}

/** The word by which an import names a file. */
function nameOfModule(path: string): string {
  const name = withoutEnding(path).split('/');
  const last = name.at(-1)!;
  return last === 'index' || last === '__init__' ? (name.at(-2) ?? last) : last;
}

function withoutEnding(path: string): string {
  return path.replace(/(?<=[^/])(\.d)?\.\w+$/, '');
}
