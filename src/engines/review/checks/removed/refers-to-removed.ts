/**
 * Whether a use of a name means a definition that was removed. Precision over recall: a use counts only where the language says that it
 * means the definition (an import of its file, the same package), or where nothing else has that name.
 */
import type { FileSymbols, SymbolDefinition } from '../../../../platform/core/ports/code-facts.ts';
import { type Change, isWrittenFor, type ReviewedFile } from '../../code/read-change.ts';
import {
  folderOf,
  isScript,
  meansAlias,
  meansGoFolder,
  meansPythonFile,
  resolveScript,
} from '../../code/resolve-module.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';

/** Names that are found without an import must be longer. */
export const MIN_UNIQUE_CHARACTERS = 6;

export interface Removed {
  file: ReviewedFile;
  /** Where it was. */
  path: string;
  language: string | null;
  /** The namespace of a class in Java, Kotlin and PHP; the crate in Rust; null elsewhere. */
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

export interface Use extends FoundLine {
  facts: FileSymbols;
  /** Where something with this name is defined at the head. */
  definedIn: string[];
  /** Files at the head that have the name in some way. */
  namedIn: ReadonlySet<string>;
  files: Set<string>;
  /** Whether all lines with the name are known. */
  isComplete: boolean;
  /** Whether nothing with this name is defined or passed on anymore, wherever imports lead. */
  isNowhere: boolean;
  /** Modules of Go that go.mod finds in a folder of the repository. */
  replaced: Map<string, string>;
}

/** Whether the language tells definitions with one name apart: always, or by an import in the file that uses it. */
export function saysWhich({ language, namespace, symbol }: Removed, { imports }: FileSymbols): boolean {
  if (isScript(language) || language === 'python' || language === 'go') return true;
  return (
    namespace !== null &&
    imports.some(({ names }) => names.some(({ as, name }) => name === symbol.name || as === symbol.name))
  );
}

/** Whether a use at the head means what was removed. */
export function refersToRemoved(removed: Removed, use: Use, change: Change): boolean {
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
  if (!isNamedInGo(symbol, text)) return false;
  if (symbol.kind === 'method' || symbol.kind === 'variable') return false;
  const isImported = facts.imports.some(({ names }) =>
    names.some(({ as, name }) => (as ?? name) === symbol.name),
  );
  return !definedIn.includes(path) && !isImported && facts.language === 'go' && definedIn.length === 0;
}

function meansScript(removed: Removed, use: Use): boolean {
  const { file, passesOn, path, symbol } = removed;
  if (passesOn && use.definedIn.length > 0) return false;
  if (isOfNamespace(removed, use)) return true;
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
  return isImportLine && (resolved === file.path || !mayPassOn(use, resolved));
}

/** A file that names it without defining it may pass it on. */
function mayPassOn({ definedIn, namedIn }: Use, path: string | undefined): boolean {
  return path !== undefined && namedIn.has(path) && !definedIn.includes(path);
}

/** `import * as money from './money.ts'` and a use as `money.name`: the file exists, but no longer has the name. */
function isOfNamespace({ file, isMentioned, passesOn, path, symbol }: Removed, use: Use): boolean {
  if (passesOn || isMentioned || file.change === 'deleted' || file.path !== path) return false;
  return use.facts.imports.some(({ module, names }) => {
    const as = names.find(({ name }) => name === '*')?.as;
    if (as === undefined) return false;
    if (resolveScript(use.path, module).find((each) => use.files.has(each)) !== path) return false;
    return new RegExp(`(?<![.\\w$])${as.replaceAll('$', '\\$')}\\.${symbol.name}(?![\\w$])`).test(use.text);
  });
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
      ((meansPythonFile(use.path, module, path) && !isElsewhere(use, module, path)) ||
        (use.isNowhere &&
          meansPythonPackage(use, module) &&
          // The name can be that of a file or folder.
          !meansPythonPackage(
            use,
            module.endsWith('.') ? `${module}${symbol.name}` : `${module}.${symbol.name}`,
          ))),
  );
}

/** The module can be another file by now: a folder with the name of the file, or the same path below another folder. */
function isElsewhere({ files, namedIn, path: from }: Use, module: string, path: string): boolean {
  return [...namedIn].some(
    (other) => other !== path && files.has(other) && meansPythonFile(from, module, other),
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
      if (!meansPythonFile(use.path, imported, path) || isElsewhere(use, imported, path)) return false;
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

/**
 * Within its package. `http.Redirect` belongs to another one, `Backend: b` sets a field that is named like an embedded type, and
 * `Packs, Size uint` declares fields.
 */
function isNamedInGo({ kind, name }: SymbolDefinition, text: string): boolean {
  if (new RegExp(`^\\s*(?:\\w+, )*${name}(?:, \\w+)*\\s+[*\\w[]`).test(text)) return false;
  const isType = kind === 'class' || kind === 'interface' || kind === 'type';
  const mayBeKey = isType && !/^\s*case\b/.test(text);
  return new RegExp(`(?<![.\\w])${name}\\b${mayBeKey ? '(?!\\s*:(?!=))' : ''}`).test(text);
}

/** In the same folder by its name, elsewhere as `package.Name`. */
function meansGo({ path, symbol }: Removed, use: Use): boolean {
  const folder = folderOf(path);
  if (use.definedIn.some((each) => folderOf(each) === folder)) return false;
  if (folderOf(use.path) === folder) return isNamedInGo(symbol, use.text) && use.isComplete;
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
export function readReplacements(text: string | null): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, module, folder] of text?.matchAll(/^\s*(?:replace\s+)?(\S+)(?: v\S+)? => \.\/(\S+)/gm) ?? [])
    found.set(module!, folder!.replace(/\/$/, ''));
  return found;
}

export function inRepository(replaced: Map<string, string>, module: string): string {
  for (const [prefix, folder] of replaced)
    if (module === prefix || module.startsWith(`${prefix}/`))
      return `${folder}${module.slice(prefix.length)}`;
  return module;
}

/** The name of the crate that a file is part of, as code writes it. */
export async function crateOf(code: ReviewCode, path: string): Promise<string | null> {
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
  // `Other(x).name()`.
  const made = new RegExp(`(?<![\\w$.])([A-Z]\\w*)\\([^()]*\\)(?:\\.|->)${name}\\b`).exec(use.text)?.[1];
  if (made !== undefined && made !== container) return false;
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
  return !isWrittenFor(change, removed.file, use);
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
