/** Imports of moved files in JavaScript and TypeScript: relative, by `paths` of tsconfig.json, and by an alias. */
import { resolveScript } from '../../code/resolve-module.ts';
import { mappedPaths } from '../../code/script-aliases.ts';
import { type Importer, type Moved, type Places, type Use, withoutEnding } from './places.ts';
import { meantByAlias } from './script-aliases.ts';

/** Calls that take a module, such as `import('./view')`, `require.resolve('./view')` and `vi.mock('./view')`. */
const CALL =
  /(?<![\w$.])(?:import|require(?:\.resolve)?|(?:jest|vi)\.\w{0,20}(?:[mM]ock|Actual)\w{0,20}(?:<[^>\n]*>)?)\(\s*(?:\/\*[^*]*\*\/\s*)*(["'`])([^"'`\n$]+)\1/g;
const MAX_CODE_CHARACTERS = 1000;
/** The beginning of a line that is code to its end, without an open quote or a comment. */
const CODE = /^(?!\s*\*)(?:[^"'`/]|\/(?![/*])|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)*$/;

export async function usesInScript(places: Places, { facts, lines, path }: Importer): Promise<Use[]> {
  const found: Use[] = [];
  for (const { line, module } of facts.imports) {
    // The line that names the module can be the last of several.
    const at =
      lines.find((each) => each.line >= line && each.text.includes(module)) ??
      lines.find((each) => each.line === line);
    const meant = at && (await brokenScript(places, path, module));
    if (meant) found.push({ moved: meant, line: at });
  }
  for (const { line, module } of callsIn((await places.code.read('head', path)) ?? '')) {
    const at = lines.find((each) => each.line === line);
    const meant = at && (await brokenScript(places, path, module));
    if (meant) found.push({ moved: meant, line: at });
  }
  return found;
}

/** With the line of the module, which can be below that of the call. */
function callsIn(text: string): { line: number; module: string }[] {
  const calls: { line: number; module: string }[] = [];
  let [line, from, ticks] = [1, 0, 0];
  for (const match of text.matchAll(CALL)) {
    const start = text.lastIndexOf('\n', match.index) + 1;
    for (const each of text.slice(from, start).split('\n').slice(0, -1)) {
      line += 1;
      // Documentation quotes code in them, three at a time.
      if (!/^\s*(\/\/|\/?\*)/.test(each)) ticks += each.replaceAll(/\\./g, '').split('`').length - 1;
    }
    from = start;
    // Not within a text of several lines.
    const before = text.slice(start, match.index);
    if (ticks % 2 === 1 || before.length > MAX_CODE_CHARACTERS || !CODE.test(before)) continue;
    calls.push({ line: line + match[0].split('\n').length - 1, module: match[2]! });
  }
  return calls;
}

/** The moved file that the module meant, if nothing is there any more that it could mean. */
async function brokenScript(places: Places, path: string, module: string): Promise<Moved | undefined> {
  const { bare, code, head, moved } = places;
  // Loaders of webpack come before the module.
  const name = module.slice(module.lastIndexOf('!') + 1).replace(/(?<=.)[?#].*$/, '');
  if (name === '') return undefined;
  const paths = name.startsWith('.')
    ? resolveScript(path, name)
    : (await mappedPaths(code, head, path, name)).flatMap((each) => resolveScript('', `./${each}`));
  if (paths.length === 0) return meantByAlias(places, path, name);
  const meant = paths.flatMap((each) => moved.get(each) ?? [])[0];
  if (!meant) return undefined;
  // A file in another language, and a package in the folder.
  const isThere = paths.some((each) => head.has(each) || head.has(`${each}/package.json`));
  return isThere || bare.has(withoutEnding(meant.from)) ? undefined : meant;
}
