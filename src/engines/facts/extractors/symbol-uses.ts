/** Names that a file takes from packages, as the package that has them names them. */
import type { ImportedModule } from '../../../platform/core/ports/code-facts.ts';
import type { Extractor, FileSource } from '../extractor.ts';
import { importsOf, readBindings } from './code/bindings.ts';
import { FactList } from './fact-list.ts';
import { LineCounter } from './line-counter.ts';

const MAX_SYMBOLS_OF_FILE = 150;
const NODE_MODULES = new Set(
  'assert async_hooks buffer child_process cluster console crypto dgram dns events fs http http2 https module net os path perf_hooks process querystring readline stream string_decoder timers tls tty url util v8 vm worker_threads zlib'.split(
    ' ',
  ),
);
const PYTHON_MODULES = new Set(
  '__future__ abc argparse array ast asyncio base64 binascii bisect builtins calendar codecs collections concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis email enum errno fcntl fnmatch fractions functools gc getpass gettext glob gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma math mimetypes multiprocessing numbers operator os pathlib pickle pkgutil platform pprint queue random re sched secrets select shlex shutil signal smtplib socket socketserver sqlite3 ssl stat statistics string struct subprocess sys sysconfig tarfile tempfile textwrap threading time timeit token tokenize tomllib traceback types typing unicodedata unittest urllib uuid warnings weakref xml zipfile zlib zoneinfo'.split(
    ' ',
  ),
);
const JVM_STANDARD = /^(?:java|javax|jdk|sun|kotlin|kotlinx|scala|android)(?:\.|$)/;
const LANGUAGES = new Set(['javascript', 'typescript', 'python', 'go', 'java', 'kotlin']);

export const symbolUses: Extractor = {
  name: 'symbol uses',
  accepts: (_path, language) => LANGUAGES.has(language ?? ''),
  extract(file) {
    const facts = new FactList(MAX_SYMBOLS_OF_FILE);
    const seen = new Set<string>();
    // The first place of each name is enough: all uses of a name are in the file's uses.
    const add = (name: string, line: number) => {
      if (seen.has(name)) return;
      seen.add(name);
      facts.add({ kind: 'symbol', role: 'uses', name, line });
    };
    const imports = importsOf(file);
    if (file.language === 'go') readGo(file, imports, add);
    else for (const imported of imports) readImport(imported, file.language!, add);
    if (file.language === 'java') readPublicClasses(file, facts);
    return facts.facts;
  },
};

type Add = (name: string, line: number) => void;

function readImport({ line, module, names }: ImportedModule, language: string, add: Add): void {
  if (language === 'python') {
    if (module.startsWith('.') || PYTHON_MODULES.has(module.split('.')[0]!)) return;
    for (const { name } of names) if (name !== '*') add(`pypi:${module}#${name}`, line);
    return;
  }
  if (language === 'java' || language === 'kotlin') {
    if (JVM_STANDARD.test(module) || module === '') return;
    for (const { name } of names)
      if (name !== '*' && /^[A-Z]/.test(name)) add(`maven:${module}.${name}`, line);
    return;
  }
  const name = packageOf(module);
  if (!name || NODE_MODULES.has(module.split('/')[0]!)) return;
  for (const one of names) if (one.name !== '*') add(`npm:${module}#${one.name}`, line);
}

/** The package of a module's name; null for files, addresses and aliases of bundlers such as `@/x` and `~/x`. */
function packageOf(module: string): string | null {
  return /^(?:@[\w.-]{1,100}\/[\w.-]{1,150}|[A-Za-z][\w.-]{0,150})(?=\/|$)/.exec(module)?.[0] ?? null;
}

const SELECTOR = /(?<![\w.])([A-Za-z_]\w{0,60})\.([A-Z]\w{0,150})/g;

/**
 * Uses of the names of imported packages; those of the standard library have no dot in their first part. Searching the
 * text takes a tenth of the time of reading it, and nearly every Go file has such imports.
 */
function readGo(file: FileSource, imports: ImportedModule[], add: Add): void {
  const isForeign = (module: string) => module.split('/', 1)[0]!.includes('.');
  if (!imports.some(({ module }) => isForeign(module))) return;
  const { names } = readBindings(file);
  const lines = new LineCounter(file.text);
  const seen = new Set<string>();
  for (const match of file.text.matchAll(SELECTOR)) {
    const module = names.get(match[1]!)?.module;
    if (!module || seen.has(match[0]) || !isForeign(module)) continue;
    const { before, line } = lines.at(match.index);
    if (isInCommentOrString(before)) continue;
    seen.add(match[0]);
    add(`go:${module}#${match[2]}`, line);
  }
}

function isInCommentOrString(before: string): boolean {
  if (/\/\/|^\s{0,40}\*/.test(before)) return true;
  return (before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1 || (before.match(/`/g)?.length ?? 0) % 2 === 1;
}

/** Java names a class by its package, so one file says all there is to say. */
function readPublicClasses(file: FileSource, facts: FactList): void {
  const declared = /^package\s{1,8}([\w.]{1,300})\s{0,4};/m.exec(file.text.slice(0, 20_000))?.[1];
  if (!declared) return;
  const lines = file.text.split('\n');
  for (const { container, isExported, kind, line, name } of file.symbols) {
    // Classes without a modifier are visible in their package alone.
    if (!/\bpublic\b/.test(lines[line - 1]?.slice(0, 400) ?? '')) continue;
    if (container || !isExported || !/^(?:class|interface|enum|type)$/.test(kind)) continue;
    facts.add({ kind: 'symbol', role: 'provides', name: `maven:${declared}.${name}`, line });
  }
}
