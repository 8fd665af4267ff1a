/** Maps each name of a file to the imported module that it stands for. */
import type { ImportedModule } from '../../../../platform/core/ports/code-facts.ts';
import type { FileSource } from '../../extractor.ts';

/** Where a value comes from: a module, and what was taken from it on the way, such as `Router()` of `express`. */
export interface Origin {
  module: string;
  /** Names and calls since the import: `Router`, `Router()`, `Group()`; empty for the module itself. */
  path: string;
}

export interface Bindings {
  names: Map<string, Origin>;
  /** Modules whose names are all visible: `import a.b.*`, and `using A.B` in C#. */
  wildcards: string[];
}

const KOTLIN_IMPORT = /^import\s{1,8}([\w.`]{1,300}?)(\.\*)?(?:\s{1,8}as\s{1,8}(\w{1,100}))?\s{0,8};?\s*$/;

export function importsOf(file: FileSource): ImportedModule[] {
  if (file.imports.length > 0 || (file.language !== 'kotlin' && file.language !== 'scala'))
    return file.imports;
  return file.text.split('\n', 500).flatMap((line, index) => {
    const match = KOTLIN_IMPORT.exec(line.slice(0, 600).trim());
    if (!match) return [];
    const [, path, star, as] = match;
    const names = [star ? { name: '*' } : { name: lastPart(path!, '.'), as }];
    return [{ module: star ? path! : withoutLast(path!, '.'), line: index + 1, names }];
  });
}

export function readBindings(file: FileSource): Bindings {
  const bindings: Bindings = { names: new Map(), wildcards: [] };
  for (const [name, module] of Object.entries(GLOBALS[file.language ?? ''] ?? {})) {
    bindings.names.set(name, { module, path: name });
  }
  for (const imported of importsOf(file)) bind(imported, file.language, bindings);
  return bindings;
}

/** Names that need no import: classes of the standard library, and what Bundler loads in Ruby. */
const GLOBALS: Record<string, Record<string, string>> = {
  ruby: {
    Faraday: 'faraday',
    HTTParty: 'httparty',
    RestClient: 'rest-client',
    Net: 'net/http',
    HTTP: 'http',
    Typhoeus: 'typhoeus',
  },
  csharp: { HttpClient: 'System.Net.Http', HttpRequestMessage: 'System.Net.Http' },
};

/** Languages that import a class by its whole path. */
const BY_CLASS = new Set(['java', 'kotlin', 'scala', 'php', 'rust', 'csharp']);

function bind({ module, names }: ImportedModule, language: string | null, bindings: Bindings): void {
  if (language === 'go') {
    bindGo(module, names[0]?.as, bindings);
    return;
  }
  for (const { as, name } of names) {
    const isWhole = name === '*' || name === 'default';
    const local = as ?? (isWhole ? null : name);
    if (local) bindings.names.set(local, { module, path: isWhole ? '' : name });
    else if (language && BY_CLASS.has(language)) bindings.wildcards.push(module);
  }
}

/** The package's name can differ from the end of its path: `nats.go`, `kafka-go`, `echo/v4`, `yaml.v3`. */
function bindGo(module: string, alias: string | undefined, bindings: Bindings): void {
  const origin = { module, path: '' };
  if (alias && alias !== '_' && alias !== '.') {
    bindings.names.set(alias, origin);
    return;
  }
  const last = lastPart(module.replace(/\/v\d{1,3}$/, ''), '/');
  const bare = last.replace(/\.v\d{1,3}$/, '').replace(/\.go$/, '');
  const names = [bare, bare.replace(/^go-/, ''), bare.replace(/-go$/, ''), bare.replaceAll('-', '')];
  for (const name of names) if (!bindings.names.has(name)) bindings.names.set(name, origin);
}

function lastPart(path: string, separator: string): string {
  return path.slice(path.lastIndexOf(separator) + (path.includes(separator) ? separator.length : 0));
}

function withoutLast(path: string, separator: string): string {
  return path.includes(separator) ? path.slice(0, path.lastIndexOf(separator)) : '';
}
