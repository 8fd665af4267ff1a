/** Moved classes of Java that are still imported from their old package, or used in it without an import. */
import type { ImportedModule } from '../../../../platform/core/ports/code-facts.ts';
import { folderOf } from '../../code/resolve-module.ts';
import { type Importer, isUnchanged, type Moved, type Places, type Use } from './places.ts';

const OTHER_JVM_LANGUAGE = /\.(kt|scala|groovy)$/;
const PACKAGE = /^\s*package\s+([\w.]+)\s*;/m;

export async function usesInJava(places: Places, importer: Importer): Promise<Use[]> {
  const { facts, lines } = importer;
  const found: Use[] = [];
  for (const each of facts.imports) {
    const meant = brokenJava(places, each);
    const line = meant && lines.find((own) => own.line === each.line);
    if (line) found.push({ moved: meant, line });
  }
  return found.length > 0 ? found : usesInOldPackage(places, importer);
}

/** `import a.b.C` and `import static a.b.C.name` mean `a/b/C.java` below any folder of sources. */
function brokenJava({ byName, head }: Places, { module, names }: ImportedModule): Moved | undefined {
  const classes = names.map(({ name }) => [`${module.replaceAll('.', '/')}/`, name] as const);
  // A class within the class can be what is imported.
  const parts = module.split('.');
  const outer = parts.findIndex((part) => /^[A-Z]/.test(part));
  if (outer > 0) classes.push([`${parts.slice(0, outer).join('/')}/`, parts[outer]!]);
  for (const [folder, name] of classes) {
    const isMeant = (path: string) => `/${path}`.endsWith(`/${folder}${name}.java`);
    const meant = byName.get(name)?.find(({ from, to }) => isMeant(from) && to.endsWith('.java'));
    // A class in another language can be in a file of any name.
    const isThere = () =>
      [...head].some(
        (path) =>
          isMeant(path) || (OTHER_JVM_LANGUAGE.test(path) && `/${folderOf(path)}`.endsWith(`/${folder}`)),
      );
    if (meant && !isThere()) return meant;
  }
  return undefined;
}

/** Classes of one package need no import, until one of them moves. */
async function usesInOldPackage(places: Places, { facts, lines, path }: Importer): Promise<Use[]> {
  const { byName, code, head } = places;
  if (!isUnchanged(places, path)) return [];
  const used = facts.uses.flatMap(({ lines: at, name }) =>
    (byName.get(name) ?? []).flatMap((meant) =>
      lines.filter(({ line }) => at.includes(line)).map((line) => ({ line, meant, name })),
    ),
  );
  if (used.length === 0) return [];
  const own = PACKAGE.exec((await code.read('head', path)) ?? '')?.[1];
  const found: Use[] = [];
  for (const { line, meant, name } of used) {
    if (own === undefined || !meant.from.endsWith(`${name}.java`)) continue;
    const [before, now] = [
      await packageOf(places, 'base', meant.from),
      await packageOf(places, 'head', meant.to),
    ];
    const isNamed =
      facts.imports.some(
        ({ module, names }) =>
          names.some((each) => each.name === name) ||
          (names.some((each) => each.name === '*') && (module === now || !/^javax?\./.test(module))),
      ) || facts.symbols.some((symbol) => symbol.name === name);
    // A name with a dot before it is written out.
    const isWrittenOut = new RegExp(`\\.\\s*${name}\\b`).test(line.text);
    if (before !== own || now === undefined || now === own || isNamed || isWrittenOut) continue;
    const folder = `${own.replaceAll('.', '/')}/`;
    const isThere = [...head].some(
      (each) =>
        `/${each}`.endsWith(`/${folder}${name}.java`) ||
        (OTHER_JVM_LANGUAGE.test(each) && `/${folderOf(each)}`.endsWith(`/${folder}`)),
    );
    if (!isThere && !(await isDefinedTwice(places, name))) found.push({ moved: meant, line });
    break;
  }
  return found;
}

async function packageOf({ code }: Places, side: 'base' | 'head', path: string): Promise<string | undefined> {
  return PACKAGE.exec((await code.read(side, path)) ?? '')?.[1];
}

/** A class in another class can be inherited. */
async function isDefinedTwice({ code }: Places, name: string): Promise<boolean> {
  const texts = ['class', 'interface', 'enum', 'record'].map((kind) => `${kind} ${name}`);
  const { lines } = await code.find('head', texts, { wholeWords: true });
  return lines.filter(({ path }) => path.endsWith('.java')).length !== 1;
}
