/** Matches facts about the same thing: how a name that somebody writes is stored, and which stored names match each other. */
import {
  languageOf,
  METHODS,
  normalizePath,
  normalizePythonName,
  tableName,
} from '../../../engines/facts/index.ts';
import type { UsedKind } from '../contract.ts';

export interface FactName {
  kind: UsedKind;
  name: string;
}

/** How each registry compares names. */
const ECOSYSTEMS: Record<string, (name: string) => string> = {
  npm: (name) => name,
  pypi: normalizePythonName,
  go: (name) => name,
  cargo: (name) => name,
  maven: (name) => name,
  nuget: (name) => name.toLowerCase(),
  gem: (name) => name,
  composer: (name) => name.toLowerCase(),
};
/** Servers add prefixes such as `/api/v2` in one place; a longer one would leave too little of the path to be about it. */
const MAX_PREFIX_SEGMENTS = 2;
/** A router, a gateway or the base address of a client adds them in one place for all routes. */
const COMMON_PREFIXES = [
  ...['api', 'rest', 'v1', 'v2', 'v3', 'api/v1', 'api/v2', 'api/v3', 'api/v4'],
  ...['api/rest', 'rest/api', 'rest/v1', 'v1/api', 'public/api', 'api/public'],
];
const COMMON_PREFIX = /^(?:api|rest|v\d{1,2})$/;
const CONTRACTS = ['proto', 'graphql', 'openapi', 'asyncapi'];

/** The stored names that a written one can mean, for each kind. */
const NAMES_OF: Record<UsedKind, (written: string) => string[]> = {
  package: (written) =>
    withEcosystem(written).map(({ ecosystem, rest }) => `${ecosystem}:${ECOSYSTEMS[ecosystem]!(rest)}`),
  route: routeNames,
  event: (written) => [written],
  table(written) {
    const name = tableName(written);
    return name === null ? [] : [name];
  },
  contract: (written) =>
    CONTRACTS.some((prefix) => written.startsWith(`${prefix}:`))
      ? contractNames(written)
      : CONTRACTS.flatMap((prefix) => contractNames(`${prefix}:${written}`)),
  environment: (written) => [written],
  symbol: (written) => withEcosystem(written).map(({ ecosystem, rest }) => `${ecosystem}:${rest}`),
};

/** Without a kind, what it means as each of them. Nothing if it can't be a name of that kind. */
export function factsNamed(kind: UsedKind | undefined, written: string): FactName[] {
  const trimmed = written.trim();
  // A method and a path can be nothing else; the method alone could be the name of a table.
  const isRoute = /^[A-Za-z]{3,7}\s+\S*\//.test(trimmed) && routeNames(trimmed).length > 0;
  const kinds = kind ? [kind] : isRoute ? (['route'] as const) : (Object.keys(NAMES_OF) as UsedKind[]);
  return kinds.flatMap((each) => [...new Set(NAMES_OF[each](trimmed))].map((name) => ({ kind: each, name })));
}

const DECLARATION =
  /^(?:(?:export|default|async|function\*?|func|fn|def|class|interface|struct|trait|type|enum|const|let|var|public|private|protected|internal|static|final|abstract|override|new)\s+)+/;

export interface SymbolName {
  /** The identifier, which code has. */
  name: string;
  /** The file that the name was written with. */
  file: string | null;
  /** The packages, folders, modules or classes before the identifier, outermost first. */
  within: string[];
}

/** Null if it can't be a symbol. Names are written with their package, module or file, with parameters, and as they are declared. */
export function symbolNamed(kind: UsedKind | undefined, written: string): SymbolName | null {
  if (kind !== undefined && kind !== 'symbol') return null;
  const trimmed = written.trim();
  const [, receiver] = /^func\s*\((?:[^()]*[\s*])?(\w+)(?:\[[^()]*)?\)/.exec(trimmed) ?? [];
  const declared = trimmed.replace(/^func\s*\([^()]*\)\s*/, '').replace(DECLARATION, '');
  const whole = declared.replace(/^(.*?[\p{L}\p{N}_$])\s*\(.*\)$/su, '$1');
  const [, before, ofPackage] = /^([^#]*)#(.*)$/s.exec(whole) ?? [];
  const placed =
    ofPackage === undefined ? withoutFolders(whole) : { file: null, folders: before!, inside: ofPackage };
  if (placed === null || /[\s/@]/.test(placed.inside)) return null;
  const words = placed.inside.split(/[.:\\]+|->/);
  const name = words.pop()!;
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*[!?]?$/u.test(name)) return null;
  const folders = placed.file === null ? placed.folders.split(/[/.:\\]+/) : [];
  const within = [...folders, ...words, ...(receiver ? [receiver] : [])].filter((word) => word !== '');
  return { name, file: placed.file, within };
}

interface PlacedName {
  file: string | null;
  folders: string;
  inside: string;
}

const IN_FILE = /^([^:]+\.\w+)::?([^:].*)$/s;

/** `render.JSON` of `github.com/gin-gonic/gin/render.JSON`, `load` of `src/cli.py:load`; null for files, packages and paths alone. */
function withoutFolders(name: string): PlacedName | null {
  const at = name.lastIndexOf('/');
  const inFolder = name.slice(at + 1);
  const [, file, inFile] = IN_FILE.exec(inFolder) ?? [];
  const isInFile = file !== undefined && languageOf(file) !== null;
  if (at !== -1 && /^[/.]*\/|:\/\//.test(name)) return null;
  const folders = name.slice(0, Math.max(at, 0));
  if (isInFile) return { file: at === -1 ? file : `${folders}/${file}`, folders, inside: inFile! };
  if (at === -1) return { file: null, folders, inside: name };
  const isSymbol = /^[\w-]+\.[A-Za-z_$][\w$.]*$/.test(inFolder) && !/\.v\d+$/.test(inFolder);
  return isSymbol && !languageOf(inFolder) ? { file: null, folders, inside: inFolder } : null;
}

/** `acme/shop#users`: a name with the repository that provides it. */
export function inRepository(written: string): { repository: string | null; name: string } {
  const [, repository, name] = /^([\w.-]+\/[\w.-]+)#(\S.*)$/s.exec(written.trim()) ?? [];
  return name === undefined ? { repository: null, name: written } : { repository: repository!, name };
}

/** Whether the name says which package has the symbol: `npm:@acme/ui#Button`. */
export const namesPackage = (written: string): boolean =>
  written.includes('#') && Object.hasOwn(ECOSYSTEMS, written.trim().split(':', 1)[0]!);

/** The packages that the named symbol can be in: `go:host/a/b#C` is in one of its folders, a Python module in its first part. */
export function packagesOf({ kind, name }: FactName): string[] {
  if (kind !== 'symbol' || !name.includes('#')) return [];
  const [ecosystem = '', ...rest] = name.slice(0, name.indexOf('#')).split(':');
  const path = rest.join(':');
  if (ecosystem === 'pypi') return [`pypi:${normalizePythonName(path.split('.')[0]!)}`];
  const parts = path.split('/');
  return parts.map((_, index) => `${ecosystem}:${parts.slice(0, index + 1).join('/')}`);
}

/** A regular expression for lines that have the written name, or a path of the route in any spelling of its parameters. */
export function textPattern(kind: UsedKind | undefined, written: string): string {
  const trimmed = written.trim();
  const [route] = kind === undefined || kind === 'route' ? routeNames(trimmed) : [];
  if (route === undefined) {
    const name = symbolNamed(kind, trimmed)?.name ?? trimmed;
    const word = (character: string | undefined) => (/^[\p{L}\p{N}_]$/u.test(character ?? '') ? '\\b' : '');
    return `${word(name.at(0))}${escapePattern(name)}${word(name.at(-1))}`;
  }
  // A client can add the common prefix elsewhere; lines that have it match too.
  const path = isLongRoute(route)
    ? `/${withoutCommonPrefix(route).join('/')}`
    : route.slice(route.indexOf(' ') + 1);
  // After a base URL it has no slash: `${url}users/${id}`. A single segment would then be any word.
  const isLong = segmentsOf(path).length > 1;
  const parts = (isLong ? path.slice(1) : path).split('{}').map(escapePattern);
  return `${isLong ? '(?:^|[^\\w-])' : ''}${parts.join('[^/\\s"\'`?]+')}/?(?:[^\\w/{}:$<*-]|$)`;
}

/** The same route without its first segments, which a router or the address of a client may add: `/api` or `/api/v1`. */
export function withoutPrefix(kind: UsedKind | undefined, written: string): string[] {
  const [route] = kind === undefined || kind === 'route' ? routeNames(written.trim()) : [];
  if (route === undefined) return [];
  const method = /^[A-Za-z]+\s/.exec(written.trim())?.[0] ?? '';
  const segments = segmentsOf(route.slice(route.indexOf(' ') + 1));
  return Array.from({ length: MAX_PREFIX_SEGMENTS }, (_, index) => segments.slice(index + 1))
    .filter(([first, ...rest]) => rest.length > 0 && !first!.includes('{}'))
    .map((rest) => `${method}/${rest.join('/')}`);
}

/** Whether the path says enough without a common prefix: a single word is served by many. */
export const isLongRoute = (route: string): boolean => withoutCommonPrefix(route).length > 1;

/** The same routes with another common prefix, or without one. */
export function otherPrefixes(routes: readonly FactName[]): FactName[] {
  const known = new Set(routes.map(({ name }) => name));
  const others = new Set<string>();
  for (const { kind, name } of routes) {
    if (kind !== 'route') continue;
    const method = name.slice(0, name.indexOf(' '));
    const core = withoutCommonPrefix(name);
    if (core.length === 0 || core[0]!.includes('{}')) continue;
    for (const prefix of ['', ...COMMON_PREFIXES]) {
      const path = [...segmentsOf(prefix), ...core].join('/');
      others.add(`${method} /${path}`);
    }
  }
  return [...others.difference(known)].map((name) => ({ kind: 'route', name }));
}

function withoutCommonPrefix(route: string): string[] {
  const segments = segmentsOf(route.slice(route.indexOf(' ') + 1));
  const at = segments.findIndex((segment) => !COMMON_PREFIX.test(segment));
  if (at === -1) return [];
  // `/v1/{}/items` without its prefix would be about anything.
  return segments[at]!.includes('{}') ? segments : segments.slice(at);
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&');

/** The names under which the other side of a stored fact is stored. */
export function matchesOf({ kind, name }: FactName): string[] {
  return kind === 'route' ? routeNames(name) : [name];
}

/** A definition has the package of its service; the code that serves or calls it doesn't. */
function contractNames(name: string): string[] {
  return name.startsWith('proto:') ? [name, name.replace(/^proto:.*\./s, 'proto:')] : [name];
}

/** A prefix that isn't an ecosystem is part of the name, such as the group of a Maven package. */
function withEcosystem(written: string): { ecosystem: string; rest: string }[] {
  const [prefix, ...rest] = written.split(':');
  if (rest.length > 0 && Object.hasOwn(ECOSYSTEMS, prefix!)) {
    return [{ ecosystem: prefix!, rest: rest.join(':') }];
  }
  return Object.keys(ECOSYSTEMS).map((ecosystem) => ({ ecosystem, rest: written }));
}

/** Routes with the same path and a method that can be the same one. Without a method, every method. */
function routeNames(written: string): string[] {
  const [, method = 'ANY', address = ''] =
    /^(?:([A-Za-z]{3,7})\s+)?((?:https?:\/)?\/.*)$/.exec(written) ?? [];
  const upper = method.toUpperCase();
  const path = normalizePath(address.replace(/^https?:\/\/[^/]*/, ''));
  if (!METHODS.has(upper) || path === null || !hasLiteralSegment(path)) return [];
  const methods = upper === 'ANY' ? [...METHODS] : [upper, 'ANY'];
  return methods.map((each) => `${each} ${path}`);
}

/** A path of parameters alone says nothing about whose route it is. */
function hasLiteralSegment(path: string): boolean {
  return path.split('/').some((segment) => segment.replaceAll('{}', '') !== '');
}
