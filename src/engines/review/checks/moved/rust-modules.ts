/** `mod` and `use` of moved modules of Rust. */
import { folderOf } from '../../code/resolve-module.ts';
import type { FoundLine } from '../../code/review-code.ts';
import { FIXTURES, type Moved, type Places, type Use } from './places.ts';

const ROOTS = ['lib.rs', 'main.rs', 'mod.rs'];
const MAX_FILES_READ = 400;
const COMMENT_OR_TEXT = /\/\/.*|"(?:[^"\\\n]|\\.)*"/g;
const NAMES_ANOTHER = /^\s*#\[(?!cfg\((?:test|feature\s*=\s*"[^"]*")\)\]|macro_use|allow\b|doc\b)/;

interface RustModule {
  moved: Moved;
  /** The folder in which its name is declared, and the name. */
  folder: string;
  name: string;
  /** The files that can declare it. */
  parents: string[];
}

export async function usesOfRustModules(places: Places): Promise<Use[]> {
  const modules = [...places.moved.values()].flatMap((moved) => moduleOf(places, moved) ?? []);
  const found: Use[] = [];
  for (const each of modules) found.push(...(await declarationsOf(places, each)));
  found.push(...(await usesOf(places, modules)));
  return found;
}

/** Undefined if the module is still there. */
function moduleOf({ head }: Places, moved: Moved): RustModule | undefined {
  const place = /^(.*?)([^/]+?)(?:\/mod)?\.rs$/.exec(moved.from);
  if (!place) return undefined;
  const [, folder = '', name = ''] = place;
  if (ROOTS.includes(`${name}.rs`)) return undefined;
  if (head.has(`${folder}${name}.rs`) || head.has(`${folder}${name}/mod.rs`)) return undefined;
  return { moved, folder, name, parents: parentsOf(folder).filter((path) => head.has(path)) };
}

function parentsOf(folder: string): string[] {
  return [...ROOTS.map((file) => `${folder}${file}`), `${folder.slice(0, -1)}.rs`];
}

/** `mod name;` means the file beside the one that says so, or in the folder named like it. */
async function declarationsOf({ code }: Places, { moved, name, parents }: RustModule): Promise<Use[]> {
  const found: Use[] = [];
  const declares = new RegExp(`^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?mod ${RegExp.escape(name)};`);
  for (const parent of parents) {
    const lines = ((await code.read('head', parent)) ?? '').split('\n');
    const at = lines.findIndex((text) => declares.test(text));
    // An attribute can name another file, or leave the module out of every build.
    if (at === -1 || NAMES_ANOTHER.test(lines[at - 1] ?? '')) continue;
    found.push({ moved, line: { path: parent, line: at + 1, text: lines[at]! } });
  }
  return found;
}

/** `use crate::a::name::Thing`, and the same from another crate, after nothing is named so there. */
async function usesOf(places: Places, modules: RustModule[]): Promise<Use[]> {
  const { code, head } = places;
  const asked: (RustModule & { root: string; path: string; crate: string })[] = [];
  for (const each of modules) {
    const root = crateRoot(head, each.folder);
    const crate = root === undefined ? undefined : await crateName(places, root);
    if (root === undefined || crate === undefined || (await isNamed(places, root, each))) continue;
    const inside = each.folder.slice(`${root}src/`.length).split('/').filter(Boolean);
    asked.push({ ...each, root, crate, path: [...inside, each.name].join('::') });
  }
  if (asked.length === 0) return [];
  const named = [...new Set(asked.map(({ name }) => name))];
  const { lines } = await code.find('head', named, { wholeWords: true, leavesOutCommon: true });
  const found: Use[] = [];
  let read = 0;
  for (const [path, own] of Map.groupBy(lines.filter(mayUse), (line) => line.path)) {
    const mine: { moved: Moved; path: string }[] = [];
    for (const each of asked) {
      const start = await nameOfCrate(places, path, each);
      if (start !== undefined) mine.push({ moved: each.moved, path: `${start}::${each.path}` });
    }
    if (mine.length === 0) continue;
    read += 1;
    if (read > MAX_FILES_READ) break;
    const facts = await code.symbols('head', path);
    if (!facts || facts.isGenerated) continue;
    for (const { line: start, module, names } of facts.imports) {
      const written = names.map(({ name }) => (name === '*' ? module : `${module}::${name}`));
      const meant = mine.find((each) => written.some((name) => `${name}::`.startsWith(`${each.path}::`)));
      const line = meant && own.find((each) => each.line >= start);
      if (line && !isConditional(await code.read('head', path), start))
        found.push({ moved: meant.moved, line });
    }
  }
  return found;
}

function mayUse({ path, text }: FoundLine): boolean {
  return path.endsWith('.rs') && !FIXTURES.test(path) && /::|\buse\b|[{,]/.test(text);
}

/** Whether the nearest module above that is still there says anything about the name: `pub use`, a module in the file, a macro. */
async function isNamed({ code, head }: Places, root: string, module: RustModule): Promise<boolean> {
  let [folder, name] = [module.folder, module.name];
  for (;;) {
    const parent = parentsOf(folder).find((path) => head.has(path));
    if (parent !== undefined) {
      const text = ((await code.read('head', parent)) ?? '').replaceAll(COMMENT_OR_TEXT, '');
      return new RegExp(`(?<!\\w)${RegExp.escape(name)}(?!\\w)|\\buse\\b[^;]*\\*`).test(text);
    }
    if (folder.length <= `${root}src/`.length) return true;
    name = folder.slice(0, -1).split('/').at(-1)!;
    folder = folderOf(folder.slice(0, -1));
  }
}

/** The name of the crate in a file; undefined if it doesn't depend on it as it is in the repository. */
async function nameOfCrate(
  { code, head }: Places,
  path: string,
  { crate, root }: { crate: string; root: string },
): Promise<string | undefined> {
  const own = manifestAbove(head, folderOf(path));
  if (own === root) return crateRoot(head, folderOf(path)) === root ? 'crate' : crate;
  const manifest = own === undefined ? '' : ((await code.read('head', `${own}Cargo.toml`)) ?? '');
  const depends = new RegExp(
    `^\\s*${crate.replaceAll('_', '[-_]')}\\s*(?:=\\s*\\{[^}]*|\\.)\\b(?:path|workspace)\\b`,
    'm',
  );
  return depends.test(manifest) ? crate : undefined;
}

async function crateName({ code }: Places, root: string): Promise<string | undefined> {
  const name = /^name\s*=\s*"([\w-]+)"/m.exec((await code.read('head', `${root}Cargo.toml`)) ?? '')?.[1];
  return name?.replaceAll('-', '_');
}

/** `#[cfg(…)]` leaves the statement out of some builds. */
function isConditional(text: string | null, line: number): boolean {
  return /^\s*#\[/.test(text?.split('\n')[line - 2] ?? '');
}

/** The folder of the crate; undefined outside of one, and in parts of it that are crates of their own, such as tests. */
function crateRoot(head: ReadonlySet<string>, folder: string): string | undefined {
  const root = manifestAbove(head, folder);
  return root !== undefined && folder.startsWith(`${root}src/`) && !folder.startsWith(`${root}src/bin/`)
    ? root
    : undefined;
}

function manifestAbove(head: ReadonlySet<string>, folder: string): string | undefined {
  for (let at = folder; ; at = folderOf(at.slice(0, -1))) {
    if (head.has(`${at}Cargo.toml`)) return at;
    if (at === '') return undefined;
  }
}
