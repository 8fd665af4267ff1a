/** The host and path of a URL that is written in code, as far as they are known. */
import { HOLE } from '../code/tokens.ts';
import type { FactList } from '../fact-list.ts';
import { joinPaths, routeName } from '../routes/route-name.ts';

export interface WrittenUrl {
  host?: string;
  path: string;
}

const ABSOLUTE = /^(?:https?|wss?|lb):\/\/([^/?#]{0,300})([/?#][\s\S]{0,1000})?$/;

/** Null when the path isn't known. `isRelative`: the client adds a base, so the path can lack its first slash. */
export function readUrl(value: string, isRelative: boolean): WrittenUrl | null {
  const absolute = ABSOLUTE.exec(value);
  if (absolute) {
    const host = absolute[1]!.replace(/^[^@]*@/, '').replace(/:[\d\u0001]{1,6}$/, '');
    return { host: host.includes(HOLE) ? undefined : host, path: absolute[2] ?? '/' };
  }
  // A variable as the whole base: `${api}/users`, `http://${host}…` is above.
  const based = /^\u0001{1,3}(?::\u0001)?(\/[\s\S]{0,1000})$/.exec(value);
  if (based) return { path: based[1]! };
  if (value.startsWith('/') && !value.startsWith('//')) return { path: value };
  return isRelative && /^[\w-]/.test(value) ? { path: `/${value}` } : null;
}

export interface HttpCall {
  method: string;
  url: string;
  /** The client's base URL, if it has one. */
  base?: string | null;
  isRelative?: boolean;
  line: number;
}

export function addHttpCall(facts: FactList, { base, isRelative, line, method, url }: HttpCall): void {
  const own = readUrl(url, isRelative || Boolean(base));
  if (!own) return;
  const before = base && !own.host ? readUrl(base, true) : null;
  const path = joinPaths(before?.path, withoutQueryHole(own.path)) || '/';
  const host = own.host ?? before?.host;
  const name = routeName(method, path);
  // Without a word, the path fits every service.
  if (!name || (!/ .*[\w-]/.test(name) && !host) || /^\w+ (?:\/\{\})*$/.test(name)) return;
  facts.add({ kind: 'route', role: 'uses', name, line, detail: host });
}

/** `/users${query}`: what is attached to a word without a slash is a query string. */
function withoutQueryHole(path: string): string {
  return path.replace(/[?#].*$/s, '').replace(/([A-Za-z])\u0001$/, '$1');
}
