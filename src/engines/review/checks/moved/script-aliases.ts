/**
 * Imports by an alias of a bundler, of a test runner or of a package (`@/a`, `#internal/a`, `@acme/money/a`). What an alias means is learned
 * from imports before the change: if at least three led to files below one folder, one that leads to nothing there is broken.
 */

import { addedLines } from '../../code/read-change.ts';
import { folderOf, resolveScript } from '../../code/resolve-module.ts';
import { hasPathEnd, type Moved, type Places, withoutEnding } from './places.ts';

const MIN_EXAMPLES = 3;
/** One example in ten may be something else, such as a file that is written by a build. */
const EXAMPLES_PER_EXCEPTION = 10;
const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
const SCRIPT_ENDING = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
const SETTINGS =
  /(^|\/)(package\.json|[jt]sconfig[^/]*\.json|deno\.jsonc?|import[-_]?map[^/]*\.json|\.babelrc[^/]*|(vite|vitest|webpack|rollup|jest|babel|metro|rspack|esbuild|rsbuild|craco|karma)\b[^/]*\.[cm]?[jt]s|[^/]*(config|alias(es)?)\.([cm]?[jt]s|json))$/i;

interface Alias {
  /** With the separator after it: `@/`, `~`, `@acme/money/`. */
  prefix: string;
  folder: string;
  rest: string;
}

export async function meantByAlias(places: Places, path: string, name: string): Promise<Moved | undefined> {
  const { bare, byName, head } = places;
  const module = name.replace(/\/index$/, '').replace(SCRIPT_ENDING, '');
  const last = module.slice(module.search(/[^/#~@]*$/));
  const named = [last, last.replace(/\.\w+$/, '')].flatMap((each) => byName.get(each) ?? []);
  for (const meant of new Set(named)) {
    for (const alias of aliasesOf(module, meant.from)) {
      const target = `./${alias.folder}${alias.rest}`;
      if (resolveScript('', target).some((each) => head.has(each) || head.has(`${each}/package.json`)))
        return undefined;
      if (bare.has(withoutEnding(meant.from)) || isSetAnew(places, alias)) return undefined;
      if (await isAlias(places, path, name, alias)) return meant;
    }
  }
  return undefined;
}

/** The ways to split a module so that its end is the end of the file's path; that with the longest end first. */
function aliasesOf(module: string, file: string): Alias[] {
  const bare = SCRIPT_ENDING.test(file) ? withoutEnding(file).replace(/\/index$/, '') : file;
  const cuts = [...module.matchAll(/\/|^[~#@](?=\w)/g)].map((match) => match.index + match[0].length);
  return cuts.flatMap((cut) => {
    const rest = module.slice(cut);
    if (rest === '' || (bare !== rest && !bare.endsWith(`/${rest}`))) return [];
    return [{ prefix: module.slice(0, cut), folder: bare.slice(0, bare.length - rest.length), rest }];
  });
}

/** The change itself may say where the alias leads now. */
function isSetAnew({ change }: Places, { prefix, rest }: Alias): boolean {
  const words = [prefix.replace(/\/$/, ''), rest.split('/').at(-1)!];
  return change.files.some(
    (file) =>
      SETTINGS.test(file.path) &&
      addedLines(file).some(({ text }) => words.some((word) => text.includes(word))),
  );
}

async function isAlias(places: Places, path: string, name: string, alias: Alias): Promise<boolean> {
  const scope = await scopeOf(places, path, name, alias);
  if (scope === undefined) return false;
  const key = `${scope}\n${alias.prefix}\n${alias.folder}`;
  const known = places.aliases.get(key) ?? readExamples(places, scope, alias);
  places.aliases.set(key, known);
  if (!(await known)) return false;
  // A few imports lead elsewhere: then the alias may have two folders.
  const isOnly = await (places.aliases.get(`${key}\nalone`) ?? Promise.resolve(true));
  return isOnly || !hasPathEnd(places.bare, alias.rest);
}

/** The folder in which the alias means the same; undefined if it may be a package that is installed. */
async function scopeOf(
  { code, head }: Places,
  path: string,
  name: string,
  alias: Alias,
): Promise<string | undefined> {
  const packageName = /^(?:@[^/]+\/)?[^/]+/.exec(name)![0];
  const manifests = manifestsAbove(head, path);
  const { lines } = await code.find('head', [`"name": "${packageName}"`], { wholeWords: false });
  const own = lines.find((line) => /(^|\/)package\.json$/.test(line.path));
  if (own) {
    const exported = (await code.read('head', own.path)) ?? '';
    // The package itself maps the name to a file.
    return exported.includes(`"./${alias.rest}"`) || exported.includes(`"./${alias.rest}.js"`)
      ? undefined
      : '';
  }
  for (const manifest of manifests) {
    const text = (await code.read('head', manifest)) ?? '';
    if (text.includes(`"${packageName}":`) || text.includes(`"${name}":`)) return undefined;
  }
  return manifests[0] === undefined ? '' : folderOf(manifests[0]);
}

function manifestsAbove(head: ReadonlySet<string>, path: string): string[] {
  const found: string[] = [];
  for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
    if (head.has(`${folder}package.json`)) found.push(`${folder}package.json`);
    if (folder === '') return found;
  }
}

/** Before the change, when nothing was missing. */
async function readExamples(places: Places, scope: string, { folder, prefix }: Alias): Promise<boolean> {
  const { aliases, base, code } = places;
  const { lines } = await code.find('base', [`'${prefix}`, `"${prefix}`], { wholeWords: false });
  const written = new RegExp(
    `(?:from|import|require|mock|Actual)\\b[^"']*(["'])${RegExp.escape(prefix)}([^"'?]+)\\1`,
  );
  const modules = new Set(
    lines.flatMap(({ path, text }) =>
      path.startsWith(scope) && SCRIPT.test(path) ? (written.exec(text)?.[2] ?? []) : [],
    ),
  );
  const right = [...modules].filter((each) =>
    resolveScript('', `./${folder}${each}`).some((file) => base.has(file)),
  ).length;
  const wrong = modules.size - right;
  aliases.set(`${scope}\n${prefix}\n${folder}\nalone`, Promise.resolve(wrong === 0));
  return right >= MIN_EXAMPLES && wrong * EXAMPLES_PER_EXCEPTION <= right;
}
