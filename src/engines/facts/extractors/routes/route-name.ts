/** One spelling for a route, however a framework, a document or a client writes it. */

import { HOLE } from '../code/tokens.ts';
import type { FactList } from '../fact-list.ts';

export const METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'ANY'],
]);
const MAX_PATH_CHARACTERS = 300;

/** `METHOD /path/{}`; null when the path can't be one. */
export function routeName(method: string, path: string): string | null {
  const upper = method.toUpperCase();
  const normalized = normalizePath(path);
  return METHODS.has(upper) && normalized !== null ? `${upper} ${normalized}` : null;
}

const isUpperCase = (text: string) => /^[A-Z]+$/.test(text);

export function isMethod(text: string): boolean {
  return (
    METHODS.has(text.toUpperCase()) &&
    (isUpperCase(text) || text === text.toLowerCase() || /^[A-Z][a-z]+$/.test(text))
  );
}

export function normalizePath(path: string): string | null {
  if (path.length > MAX_PATH_CHARACTERS) return null;
  const bare = path.replace(/[?#].*$/s, '').replace(/^\^|\$$/g, '');
  const parts = bare.split('/').filter((part) => part !== '' && part !== '.');
  const normalized = parts.map(normalizePart);
  if (normalized.includes(null)) return null;
  return `/${normalized.join('/')}`;
}

/** `:id`, `{id}`, `{id:int}`, `<int:id>`, `[id]`, `[...slug]`, `*` and interpolated values are parameters. */
function normalizePart(part: string): string | null {
  const replaced = part
    .replaceAll(HOLE, '{}')
    .replace(/\$?\{[^{}]{0,100}\}|<[^<>]{0,100}>|\[{1,2}[^[\]]{0,100}\]{1,2}/g, '{}')
    .replace(/:[A-Za-z_]\w{0,60}(?:\([^()]{0,100}\))?[?*+]?/g, '{}')
    .replace(/\*{1,2}\w{0,40}/g, '{}')
    .replace(/(?:\{\}){2,}/g, '{}');
  const decided = /^\{\}[?+*]?$/.test(replaced) ? '{}' : replaced;
  return /^(?:[\w.~!$&'+,;=@%-]|\{\}){1,200}$/.test(decided) ? decided : null;
}

export function joinPaths(...paths: (string | null | undefined)[]): string {
  return paths
    .filter((path): path is string => Boolean(path))
    .map((path) => path.replace(/^\/+|\/+$/g, ''))
    .filter((path) => path !== '')
    .map((path) => `/${path}`)
    .join('');
}

export function addRoute(
  facts: FactList,
  { detail, line, method, path }: { method: string; path: string; line: number; detail: string },
): void {
  const name = routeName(method, path);
  if (name) facts.add({ kind: 'route', role: 'provides', name, line, detail });
}
