/**
 * Removed or renamed exports that something still uses. Precision over recall: a use counts only where the language says that
 * it means the removed definition (an import of its file, the same package), or where nothing else has that name.
 */
import type { FileFacts, SymbolDefinition } from '../../../platform/core/code-facts.ts';
import type { Evidence } from '../../../platform/core/code-review.ts';
import type { Check, Found } from '../check.ts';
import type { Change, ReviewedFile } from '../read-change.ts';
import {
  folderOf,
  isScript,
  meansAlias,
  meansGoFolder,
  meansPythonFile,
  resolveScript,
} from '../resolve-module.ts';
import type { FoundLine, ReviewCode } from '../review-code.ts';
import { shellWord } from '../shell-word.ts';

/** Names looked for in one review, and files read to see what a line means. */
const MAX_NAMES = 500;
const MAX_FILES_READ = 400;
const MAX_SHOWN_USES = 5;
const MIN_NAME_CHARACTERS = 3;
/** git gets names as arguments, which have a limit. */
const MAX_NAME_CHARACTERS = 200;
/** Names that are found without an import must be longer. */
const MIN_UNIQUE_CHARACTERS = 6;
/** Lines that may give a name to something that is defined elsewhere. */
const PASSING_ON = /\bexports?\b|\bas\b|__all__|__getattr__/;
const WORD = /[\p{L}\p{N}_$]+/gu;
/** At the beginning of a file. */
const NAMESPACE = /^(?:package|namespace) ([\w.\\]+);?\s*$/m;
/** Lombok writes accessors for the fields of a class. */
const GENERATES_ACCESSORS = /^\s*@(Getter|Setter|Data|Value)\b/m;
const KINDS = new Set<SymbolDefinition['kind']>([
  ...(['function', 'class', 'interface', 'type', 'enum', 'constant', 'variable', 'method'] as const),
]);

export interface Removed {
  file: ReviewedFile;
  /** Where it was. */
  path: string;
  language: string | null;
  /** Of a class in Java, Kotlin and PHP; the crate in Rust; null elsewhere. */
  namespace: string | null;
  symbol: SymbolDefinition;
  /** Whether the file at the head still names it somewhere. */
  isMentioned: boolean;
  /** The file passes on everything of another one, which may have it now. */
  passesOn: boolean;
  /** Where the language says that it is meant. */
  uses: FoundLine[];
  /** Where only the name says so. */
  namesakes: FoundLine[];
}

export const removedButUsed: Check = {
  name: 'removed_but_used',
  reviewer: 'breaking_changes',
  looksFor: 'removed or renamed definitions that are still used',
  run: (change, code) => findRemoved(change, code, ({ uses }) => uses),
};

export const removedNames: Check = {
  name: 'removed_name_used',
  reviewer: 'breaking_changes',
  looksFor: 'names of removed definitions that still occur where no import says what they mean',
  // Mostly something else with the same name, in a library or in the language.
  isOffByDefault: true,
  run: (change, code) =>
    findRemoved(change, code, ({ namesakes, uses }) => (uses.length === 0 ? namesakes : [])),
};

async function findRemoved(
  change: Change,
  code: ReviewCode,
  chooseUses: (removed: Removed) => FoundLine[],
): Promise<Found[]> {
  const removed = await listRemoved(change, code);
  if (removed.length === 0) return [];
  await findUses(change, code, removed);
  const found: Found[] = [];
  for (const each of removed) {
    const uses = chooseUses(each);
    if (uses.length > 0) found.push(await describe(change, code, each, uses));
  }
  return found;
}

export async function listRemoved(change: Change, code: ReviewCode): Promise<Removed[]> {
  const removed: Removed[] = [];
  const { concerns = () => true } = change;
  for (const file of change.files) {
    if (file.change === 'added' || file.change === 'copied' || file.fileClass !== 'code') continue;
    if (file.hunks.every(({ oldLines }) => oldLines === 0) && file.change !== 'deleted') continue;
    const path = file.oldPath ?? file.path;
    const before = await code.facts('base', path);
    if (!before || before.isGenerated) continue;
    const looked = before.symbols.filter((symbol) => isLooked(symbol) && concerns(file, symbol.name));
    if (looked.length === 0) continue;
    const after = file.change === 'deleted' ? null : await code.facts('head', file.path);
    // What could not be read whole can't be said to lack something.
    if (file.change !== 'deleted' && (!after || after.incomplete !== null)) continue;
    const kept = new Set(after?.symbols.filter(({ isExported }) => isExported).map(nameIn));
    // It may export what it imports.
    const imported = after?.imports.flatMap(({ names }) => names) ?? [];
    for (const { as, name } of imported) kept.add(as ?? name);
    const namespace =
      before.language === 'rust'
        ? await crateOf(code, path)
        : (NAMESPACE.exec((await code.read('base', path)) ?? '')?.[1] ?? null);
    const text = after ? ((await code.read('head', file.path)) ?? '') : '';
    const words = new Set(text.match(WORD));
    // In Python, `import json` imports the module, not the names in it.
    const passesOn =
      before.language === 'python'
        ? /^\s*from\s.*\simport\s+\*/m.test(text)
        : imported.some(({ name }) => name === '*');
    for (const symbol of looked) {
      if (kept.has(nameIn(symbol))) continue;
      if (before.language === 'java' && isGenerated(symbol.name, text, words)) continue;
      const isMentioned = words.has(symbol.name);
      const about = { file, path, language: before.language, namespace, isMentioned };
      removed.push({ ...about, symbol, passesOn, uses: [], namesakes: [] });
      if (removed.length === MAX_NAMES) return removed;
    }
  }
  return removed;
}

function isLooked({ isExported, kind, name }: SymbolDefinition): boolean {
  return (
    isExported && KINDS.has(kind) && name.length >= MIN_NAME_CHARACTERS && name.length <= MAX_NAME_CHARACTERS
  );
}

function isGenerated(method: string, text: string, words: ReadonlySet<string>): boolean {
  const field = /^(?:get|is|set)([A-Z].*)$/.exec(method)?.[1];
  if (field === undefined || !GENERATES_ACCESSORS.test(text)) return false;
  return words.has(`${field.charAt(0).toLowerCase()}${field.slice(1)}`);
}

/** Methods of two classes can have the same name. */
function nameIn({ container, name }: SymbolDefinition): string {
  return container === undefined ? name : `${container}.${name}`;
}

async function findUses(change: Change, code: ReviewCode, removed: Removed[]): Promise<void> {
  const byName = Map.groupBy(removed, ({ symbol }) => symbol.name);
  const { lines, truncated } = await code.find('head', [...byName.keys()], { wholeWords: true });
  const byPath = Map.groupBy(lines, ({ path }) => path);
  const definitions = new Map<string, string[]>();
  const candidates: { each: Removed; line: FoundLine; facts: FileFacts }[] = [];
  let read = 0;
  for (const [path, found] of byPath) {
    read += 1;
    if (read > MAX_FILES_READ) break;
    const facts = await code.facts('head', path);
    if (!facts || facts.isGenerated) continue;
    for (const { name } of facts.symbols) {
      if (!byName.has(name)) continue;
      const paths = definitions.get(name) ?? [];
      if (paths.at(-1) !== path) paths.push(path);
      definitions.set(name, paths);
    }
    const usedAt = new Map(facts.uses.map(({ lines: at, name }) => [name, new Set(at)] as const));
    for (const line of found) {
      for (const [name] of line.text.matchAll(WORD)) {
        if (!usedAt.get(name)?.has(line.line)) continue;
        for (const each of byName.get(name) ?? []) candidates.push({ each, line, facts });
      }
    }
  }
  const files = new Set(await code.listFiles('head'));
  const isComplete = !truncated && read <= MAX_FILES_READ;
  const passedOn = new Set(
    lines.filter(({ text }) => PASSING_ON.test(text)).flatMap(({ text }) => text.match(WORD) ?? []),
  );
  const replaced = readReplacements(files.has('go.mod') ? await code.read('head', 'go.mod') : null);
  for (const { each, facts, line } of candidates) {
    const { name } = each.symbol;
    const definedIn = definitions.get(name) ?? [];
    const isNowhere = isComplete && definedIn.length === 0 && !passedOn.has(name);
    const place = { ...line, facts, definedIn, files, isComplete, isNowhere, replaced };
    const uses = saysWhich(each, facts) ? each.uses : each.namesakes;
    if (
      uses.length < MAX_SHOWN_USES &&
      !uses.some(({ path, line: at }) => path === line.path && at === line.line)
    ) {
      if (means(each, place, change)) uses.push(line);
    }
  }
}

interface Use extends FoundLine {
  facts: FileFacts;
  /** Where something with this name is defined at the head. */
  definedIn: string[];
  files: Set<string>;
  /** Whether all lines with the name are known. */
  isComplete: boolean;
  /** Whether nothing with this name is defined or passed on anymore, wherever imports lead. */
  isNowhere: boolean;
  /** Modules of Go that go.mod finds in a folder of the repository. */
  replaced: Map<string, string>;
}

/** Whether the language tells definitions with one name apart: always, or by an import in the file that uses it. */
function saysWhich({ language, namespace, symbol }: Removed, { imports }: FileFacts): boolean {
  if (isScript(language) || language === 'python' || language === 'go') return true;
  return (
    namespace !== null &&
    imports.some(({ names }) => names.some(({ as, name }) => name === symbol.name || as === symbol.name))
  );
}

/** Whether a use at the head means what was removed. */
function means(removed: Removed, use: Use, change: Change): boolean {
  const { language, symbol } = removed;
  if (use.facts.language !== language && !(isScript(language) && isScript(use.facts.language))) return false;
  if (use.path === removed.file.path && removed.file.change !== 'deleted') return isSameFile(removed, use);
  if (symbol.kind === 'method') return meansMethod(removed, use);
  if (isScript(language)) return meansScript(removed, use);
  if (language === 'python') return meansPython(removed, use);
  if (language === 'go') return meansGo(removed, use);
  if (language === 'rust' && !meansRust(removed, use)) return false;
  if (language === 'ruby' && !meansRuby(removed, use)) return false;
  return isOnlyOne(removed, use, change);
}

/** In the file itself: any definition or import that is left explains the use. */
function isSameFile({ symbol }: Removed, { definedIn, facts, path, text }: Use): boolean {
  // `http.Redirect` belongs to another package.
  if (!new RegExp(`(?<![.\\w])${symbol.name}\\b`).test(text)) return false;
  if (symbol.kind === 'method' || symbol.kind === 'variable') return false;
  const isImported = facts.imports.some(({ names }) =>
    names.some(({ as, name }) => (as ?? name) === symbol.name),
  );
  return !definedIn.includes(path) && !isImported && facts.language === 'go' && definedIn.length === 0;
}

function meansScript({ file, passesOn, path, symbol }: Removed, use: Use): boolean {
  if (passesOn && use.definedIn.length > 0) return false;
  const { facts, files, isNowhere, line } = use;
  // The default export of a deleted file can be imported under any name.
  const isGone = (module: string) =>
    !files.has(path) && !resolveScript(use.path, module).some((each) => files.has(each));
  const imported = facts.imports.find(
    ({ module, names }) =>
      names.some(
        ({ as, name }) =>
          name === symbol.name || (name === 'default' && as === symbol.name && isGone(module)),
      ) &&
      (resolveScript(use.path, module).includes(path) || (isNowhere && mayMean(use, module, path))),
  );
  if (!imported) return false;
  // The import alone is the proof; other lines of the file use what it brings.
  const isImportLine = line >= imported.line && line <= imported.line + imported.names.length + 1;
  const resolved = resolveScript(use.path, imported.module).find((each) => files.has(each));
  if (resolved !== undefined && resolved !== file.path && !isNowhere) return false;
  return isImportLine;
}

/** An import through an alias, or of a file that is there and passed the name on; only for names that are nowhere anymore. */
function mayMean({ files, path: from }: Use, module: string, path: string): boolean {
  const resolved = resolveScript(from, module);
  return resolved.length > 0 ? resolved.some((each) => files.has(each)) : meansAlias(module, path);
}

function meansPython(removed: Removed, use: Use): boolean {
  const { passesOn, path, symbol } = removed;
  if (passesOn && use.definedIn.length > 0) return false;
  if (isPythonAttribute(removed, use)) return true;
  return use.facts.imports.some(
    ({ line, module, names }) =>
      names.some(({ name }) => name === symbol.name) &&
      use.line >= line &&
      use.line <= line + names.length + 1 &&
      (meansPythonFile(use.path, module, path) || (use.isNowhere && meansPythonPackage(use, module))),
  );
}

/** `from app import views` or `import app.views`, and a use as `views.name`: the module exists, but no longer has the name. */
function isPythonAttribute({ file, isMentioned, passesOn, path, symbol }: Removed, use: Use): boolean {
  if (passesOn || isMentioned || file.change === 'deleted') return false;
  return use.facts.imports.some(({ module, names }) =>
    names.some(({ as, name }) => {
      const isWhole = name === '*';
      if (isWhole && as === undefined) return false;
      const imported = isWhole ? module : module.endsWith('.') ? `${module}${name}` : `${module}.${name}`;
      if (!meansPythonFile(use.path, imported, path)) return false;
      // `import app.views` binds `app`, and the use names all of it.
      const qualifier = isWhole && as === module.split('.')[0] ? module : (as ?? name);
      return new RegExp(`(?<![.\\w])${qualifier.replaceAll('.', '\\.')}\\.${symbol.name}\\b`).test(use.text);
    }),
  );
}

/** A module of this repository that passed the name on. */
function meansPythonPackage({ files, path }: Use, module: string): boolean {
  return [...files].some((file) => file.endsWith('.py') && meansPythonFile(path, module, file));
}

/** In the same folder by its name, elsewhere as `package.Name`. */
function meansGo({ path, symbol }: Removed, use: Use): boolean {
  const folder = folderOf(path);
  if (use.definedIn.some((each) => folderOf(each) === folder)) return false;
  if (folderOf(use.path) === folder) {
    const called = new RegExp(`(?<![.\\w])${symbol.name}\\b`);
    return called.test(use.text) && use.isComplete;
  }
  const imported = use.facts.imports.find(
    ({ module }) =>
      meansGoFolder(module, folder) || meansGoFolder(inRepository(use.replaced, module), folder),
  );
  const name =
    imported?.names[0]?.as ??
    imported?.module
      .split('/')
      .at(-1)
      ?.replace(/^go-|\.go$/g, '');
  return (
    name !== undefined &&
    new RegExp(`(?<![.\\w])${name.replaceAll(/\W/g, '\\$&')}\\.${symbol.name}\\b`).test(use.text)
  );
}

/** `replace example.com/x => ./x` in go.mod. */
function readReplacements(text: string | null): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, module, folder] of text?.matchAll(/^\s*(?:replace\s+)?(\S+)(?: v\S+)? => \.\/(\S+)/gm) ?? [])
    found.set(module!, folder!.replace(/\/$/, ''));
  return found;
}

function inRepository(replaced: Map<string, string>, module: string): string {
  for (const [prefix, folder] of replaced)
    if (module === prefix || module.startsWith(`${prefix}/`))
      return `${folder}${module.slice(prefix.length)}`;
  return module;
}

/** The name of the crate that a file is part of, as code writes it. */
async function crateOf(code: ReviewCode, path: string): Promise<string | null> {
  const manifest = manifestOf(path, new Set(await code.listFiles('base')));
  const text = manifest === undefined ? null : await code.read('base', manifest);
  const name = /^\[package\][^[]*?^name\s*=\s*"([\w-]+)"/m.exec(text ?? '')?.[1];
  return name?.replaceAll('-', '_') ?? null;
}

/** The nearest Cargo.toml. */
function manifestOf(path: string, files: ReadonlySet<string>): string | undefined {
  const parts = path.split('/');
  return parts
    .map((_, index) => [...parts.slice(0, parts.length - 1 - index), 'Cargo.toml'].join('/'))
    .find((each) => files.has(each));
}

/** In its own crate, or where the crate is named: libraries have types with the same names, and variables those of functions. */
function meansRust({ namespace, path, symbol }: Removed, use: Use): boolean {
  const isOwn = manifestOf(path, use.files) === manifestOf(use.path, use.files);
  const isCrate = (module: string) => {
    const first = module.split('::')[0]!;
    return /^(crate|self|super)$/.test(first) ? isOwn : first === namespace;
  };
  const importsOf = (wanted: string) =>
    use.facts.imports.filter(({ names }) => names.some(({ as, name }) => [as, name].includes(wanted)));
  const imported = importsOf(symbol.name);
  if (imported.length > 0) return imported.every(({ module }) => isCrate(module));
  // `list.to_vec()` is a method.
  const called = new RegExp(`(?<![.\\w])${symbol.name}\\s*[!(<:]`);
  if (symbol.kind === 'function' && !called.test(use.text)) return false;
  const written = new RegExp(`(\\w+)(::\\w+)*::${symbol.name}\\b`).exec(use.text)?.[1];
  if (written !== undefined) return isCrate(importsOf(written)[0]?.module ?? written);
  return isOwn || importsOf('*').some(({ module }) => isCrate(module));
}

/** `Vendor::Failure` is not the removed `Shop::Failure`. */
function meansRuby({ symbol: { container, name } }: Removed, { text }: Use): boolean {
  const written = new RegExp(`(\\w+)::${name}\\b`).exec(text)?.[1];
  return written === undefined || written === container?.split('::').at(-1);
}

/**
 * A method has no import: nothing else may have its name, and the file must name its class. Classes of libraries have methods such as
 * `insert`, so a single word counts only after its class.
 */
function meansMethod(removed: Removed, use: Use): boolean {
  const { container, name } = removed.symbol;
  if (container === undefined || name.length < MIN_UNIQUE_CHARACTERS || !use.isComplete) return false;
  const isTelling = /[a-z\d][A-Z]|\w_\w/.test(name);
  const called = new RegExp(isTelling ? `[.>:]${name}\\b` : `\\b${container}(\\.|::|->)${name}\\b`);
  if (use.definedIn.length > 0 || !called.test(use.text)) return false;
  return (
    use.facts.uses.some((each) => each.name === container) ||
    use.facts.symbols.some((each) => each.name === container)
  );
}

/** Where imports don't say it: a long name that nothing else has. */
function isOnlyOne(removed: Removed, use: Use, change: Change): boolean {
  const { symbol } = removed;
  if (symbol.name.length < MIN_UNIQUE_CHARACTERS || !use.isComplete || use.definedIn.length > 0) return false;
  if (!mayNameClass(removed, use)) return false;
  // The use must have been there before: what came with the change may bring its own.
  const file = change.files.find(({ path }) => path === use.path);
  return !file?.hunks.some(
    ({ newLines, newStart }) => use.line >= newStart && use.line < newStart + newLines,
  );
}

/** `use Illuminate\\Kernel` and `import org.acme.Kernel` don't mean the removed `App\\Kernel`. */
function mayNameClass({ namespace, symbol }: Removed, { facts, text }: Use): boolean {
  if (namespace === null) return true;
  const imported = facts.imports.filter(({ names }) =>
    names.some(({ as, name }) => name === symbol.name || as === symbol.name),
  );
  if (imported.length > 0) return imported.every(({ module }) => module === namespace);
  const written = new RegExp(`([\\w\\\\.]+)[\\\\.]${symbol.name}\\b`).exec(text)?.[1];
  return written === undefined || written.replace(/^\\/, '') === namespace;
}

async function describe(
  change: Change,
  code: ReviewCode,
  { path, symbol }: Removed,
  uses: FoundLine[],
): Promise<Found> {
  const text = (await code.read('base', path))?.split('\n')[symbol.line - 1] ?? symbol.name;
  const [first] = uses;
  const more =
    uses.length > 1 ? ` and ${uses.length - 1} more ${uses.length === 2 ? 'place' : 'places'}` : '';
  return {
    claim: 'removed_but_used',
    subject: nameIn(symbol),
    title: `${nameIn(symbol)} was removed but is still used`,
    scenario: `${first!.path}:${first!.line}${more} still use${more === '' ? 's' : ''} \`${symbol.name}\`, which ${path} no longer defines: the build fails, or that line fails when it runs.`,
    file: path,
    side: 'base',
    line: symbol.line,
    quote: text,
    evidence: uses.map(
      (use): Evidence => ({ side: 'head', path: use.path, line: use.line, quote: use.text.trim() }),
    ),
    command: `git grep -nw -e ${shellWord(symbol.name)} ${change.head.slice(0, 12)}`,
  };
}
