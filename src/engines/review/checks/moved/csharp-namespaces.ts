/** Namespaces of C# that nothing declares any more, and types that moved to another one. */
import type { FoundLine } from '../../code/review-code.ts';
import { isNewLine, isUnchanged, type Moved, type Places, type Use } from './places.ts';

const NAMESPACE = /^\s*namespace\s+([\w.]+)/gm;
const MAX_FILES_READ = 400;
/** git gets them as arguments. */
const MAX_NAMES = 250;
const MAX_NAMESPACE_LINES = 50_000;
/** Packages add to these, too. */
const SHARED = /^(System|Microsoft)(\.|$)/;

interface MovedType {
  moved: Moved;
  name: string;
  before: string;
  now: string;
}

export async function usesOfNamespaces(places: Places): Promise<Use[]> {
  const { moved } = places;
  const types: MovedType[] = [];
  for (const each of moved.values()) {
    if (!each.from.endsWith('.cs') || !each.to.endsWith('.cs')) continue;
    const [before, now] = [
      await namespacesOf(places, 'base', each.from),
      await namespacesOf(places, 'head', each.to),
    ];
    const name = /([A-Za-z_]\w*)\.cs$/.exec(each.from)?.[1];
    if (before.length !== 1 || now.length !== 1 || before[0] === now[0] || name === undefined) continue;
    if (!SHARED.test(before[0]!)) types.push({ moved: each, name, before: before[0]!, now: now[0]! });
  }
  if (types.length === 0) return [];
  const byNamespace = new Map(types.map(({ before, moved: each }) => [before, each] as const));
  const alive = await declaredAtHead(places);
  if (!alive) return [];
  const gone = new Map([...byNamespace].filter(([name]) => !alive.has(name)));
  const found = await usingsOf(places, gone, alive);
  found.push(
    ...(await usesOfTypes(
      places,
      types.filter(({ before }) => alive.has(before)),
    )),
  );
  return found.filter(({ line }) => !line.path.includes('/obj/'));
}

async function namespacesOf({ code }: Places, side: 'base' | 'head', path: string): Promise<string[]> {
  const text = (await code.read(side, path)) ?? '';
  return [...new Set([...text.matchAll(NAMESPACE)].map(([, name]) => name!))];
}

/** All namespaces at the head, with those around them; null if there are too many. */
async function declaredAtHead({ code }: Places): Promise<ReadonlySet<string> | null> {
  const options = { wholeWords: false, maxLines: MAX_NAMESPACE_LINES };
  const { lines, truncated } = await code.find('head', ['namespace '], options);
  if (truncated) return null;
  const declared = new Set<string>();
  for (const { text } of lines)
    for (const [, name] of text.matchAll(NAMESPACE))
      for (const around of aroundOf(name!)) declared.add(around);
  return declared;
}

/** `A.B.C`, `A.B` and `A`. */
function aroundOf(namespace: string): string[] {
  const parts = namespace.split('.');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
}

async function usingsOf(
  { code }: Places,
  gone: ReadonlyMap<string, Moved>,
  alive: ReadonlySet<string>,
): Promise<Use[]> {
  if (gone.size === 0) return [];
  // Within a namespace, the beginning that both share can be left out.
  const ends = [...gone.keys()].flatMap((name) => {
    const parts = name.split('.');
    return parts.map((_, index) => parts.slice(index).join('.'));
  });
  const texts = [...new Set(ends)]
    .slice(0, MAX_NAMES)
    .flatMap((name) => [`using ${name}`, `using static ${name}.`]);
  const { lines } = await code.find('head', texts, { wholeWords: false });
  const found: Use[] = [];
  for (const line of lines) {
    if (!/\.(cs|razor|cshtml)$/.test(line.path)) continue;
    const written = /^\s*(?:@|global\s+)?using\s+(static\s+)?([\w.]+)\s*(?:;|$)/.exec(line.text);
    const name = written?.[1] ? written[2]!.replace(/\.\w+$/, '') : written?.[2];
    if (name === undefined) continue;
    const text = (await code.read('head', line.path)) ?? '';
    const above = text
      .split('\n')
      .slice(0, line.line - 1)
      .join('\n');
    const inside = [...above.matchAll(NAMESPACE)].at(-1)?.[1];
    const meant = [...(inside === undefined ? [] : aroundOf(inside).map((each) => `${each}.${name}`)), name];
    const moved = meant.flatMap((each) => gone.get(each) ?? [])[0];
    if (!moved || meant.some((each) => alive.has(each)) || isConditional(text, line.line)) continue;
    // Tests of generators have code in texts.
    const facts = await code.symbols('head', line.path);
    const isInCode = !line.path.endsWith('.cs') || facts?.imports.some((each) => each.line === line.line);
    if (isInCode) found.push({ moved, line });
  }
  return found;
}

/** Between `#if` and `#endif`. */
function isConditional(text: string, line: number): boolean {
  const above = text.split('\n').slice(0, line - 1);
  const count = (word: RegExp) => above.filter((each) => word.test(each)).length;
  return count(/^\s*#if\b/) > count(/^\s*#endif\b/);
}

/** Files that saw the type in its old namespace, and neither import nor are in the new one. */
async function usesOfTypes(places: Places, types: MovedType[]): Promise<Use[]> {
  const { code } = places;
  const byName = Map.groupBy(types, ({ name }) => name);
  if (byName.size === 0) return [];
  const { lines } = await code.find('head', [...byName.keys()], { wholeWords: true, leavesOutCommon: true });
  const shared = await code.find('head', ['global using ', '<Using Include='], { wholeWords: false });
  const found: Use[] = [];
  let read = 0;
  for (const [path, own] of Map.groupBy(
    lines.filter((line) => line.path.endsWith('.cs')),
    (line) => line.path,
  )) {
    if (!isUnchanged(places, path)) continue;
    read += 1;
    if (read > MAX_FILES_READ) break;
    const text = (await code.read('head', path)) ?? '';
    for (const [name, candidates] of byName) {
      const used = own.find((line) => isType(line, name));
      const [only] = candidates;
      if (!used || candidates.length > 1 || isConditional(text, used.line)) continue;
      if (
        sees(text, only!.before) &&
        !mentions(text, only!) &&
        !shared.lines.some((line) => line.text.includes(only!.now)) &&
        isOnly(lines, name)
      )
        found.push({ moved: only!.moved, line: used });
    }
  }
  return found.filter(({ line }) => !isNewLine(places, line));
}

/** Properties are often named like their type. */
function isType({ text }: FoundLine, name: string): boolean {
  if (/^\s*(\/\/|\*|\/\*|using\b)/.test(text)) return false;
  return new RegExp(
    `\\bnew ${name}\\s*[({[]|\\btypeof\\(${name}\\)|<${name}[,>]|\\bclass \\w+[^:]*:\\s*${name}\\b`,
  ).test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
}

function sees(text: string, namespace: string): boolean {
  const inside = [...text.matchAll(NAMESPACE)].some(([, name]) => `${name}.`.startsWith(`${namespace}.`));
  return inside || new RegExp(`^\\s*using\\s+${RegExp.escape(namespace)}\\s*;`, 'm').test(text);
}

/** Anything that may lead to the new namespace: an import, an alias, a whole name, or that the file is in it. */
function mentions(text: string, { name, now }: MovedType): boolean {
  const around = [...text.matchAll(NAMESPACE)].flatMap(([, own]) => aroundOf(own!));
  const imported = [...text.matchAll(/^\s*(?:global\s+)?using\s+([\w.]+)\s*;/gm)].map(
    ([, module]) => module!,
  );
  const isImported = imported.some(
    (module) => module === now || around.some((each) => `${each}.${module}` === now),
  );
  const last = RegExp.escape(now.split('.').at(-1)!);
  return (
    isImported ||
    around.includes(now) ||
    text.includes(now) ||
    new RegExp(`\\busing\\s+${name}\\s*=|\\b${last}\\.${name}\\b`).test(text)
  );
}

/** Whether one line of the repository defines the type. */
function isOnly(lines: FoundLine[], name: string): boolean {
  const defines = new RegExp(
    `\\b(?:class|struct|record|interface|enum|delegate\\s+[\\w<>\\[\\]?]+)\\s+${name}\\b`,
  );
  return lines.filter(({ path, text }) => path.endsWith('.cs') && defines.test(text)).length === 1;
}
