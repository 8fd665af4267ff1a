/** Routes of Flask, FastAPI, Starlette, Django, Django REST framework, aiohttp, Sanic and Bottle. */
import type { FileSource } from '../../extractor.ts';
import { type Call, type Code, readCode, type TokenRange } from '../code/read-code.ts';
import { option, stringList, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { addRoute, joinPaths } from './route-name.ts';
import { lastName, RouteScopes, variable } from './scopes.ts';

const DECORATING =
  /^(?:flask|quart|fastapi|starlette|sanic|bottle|aiohttp|ninja|litestar|flask_smorest|flask_openapi3|flask_restful|flask_restx|apiflask)(?:\.|$)/;
const VERBS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
const DJANGO_PATH = /^(?:path|re_path|url)$/;
const PREFIX_OPTIONS = ['url_prefix', 'prefix'];

export function readPythonRoutes(file: FileSource, facts: FactList): void {
  const framework = file.imports.map(({ module }) => DECORATING.exec(module)?.[0]).find(Boolean);
  const isDjango = file.imports.some(({ module }) =>
    /^(?:django\.(?:urls|conf\.urls)|rest_framework)/.test(module),
  );
  if (!framework && !isDjango) return;
  const code = readCode(file);
  const scopes = new RouteScopes();
  readMounts(code, scopes);
  const includes = isDjango ? readIncludes(code) : [];
  for (const call of code.calls) {
    if (framework) readCall(code, call, scopes, framework.replace(/\.$/, ''), facts);
    if (isDjango) readDjango(code, call, includes, facts);
  }
}

type Include = TokenRange & { prefix: string };

/** The lists of paths in this file that are included below a prefix: `path('x/', include(more))`, also in place. */
function readIncludes(code: Code): Include[] {
  const lists = new Map<string, TokenRange>();
  for (const [index, token] of code.tokens.entries()) {
    const end = code.partners[index]!;
    const isAssigned = token.text === '[' && end > index && code.tokens[index - 1]?.text === '=';
    const name = isAssigned ? code.tokens[index - 2] : undefined;
    if (name?.kind === 'word') lists.set(name.text, { start: index, end });
  }
  return code.calls.flatMap((call) => {
    const [first, second] = call.args;
    const written = stringValue(code, first);
    const isInclude = second && code.tokens[second.start]?.text === 'include';
    if (!isInclude || written === null || !DJANGO_PATH.test(lastName(call))) return [];
    const prefix = lastName(call) === 'path' ? written : fromRegex(written);
    const target = code.tokens[second.start + 2];
    const list =
      target?.text === '[' ? { start: second.start, end: call.end } : lists.get(target?.text ?? '');
    return list && prefix !== null ? [{ ...list, prefix }] : [];
  });
}

/** `Blueprint(url_prefix=…)`, `APIRouter(prefix=…)`, and where they are registered. */
function readMounts(code: Code, scopes: RouteScopes): void {
  const own = new Map<string, string>();
  const mounts: Mount[] = [];
  for (const call of code.calls) {
    const prefix =
      PREFIX_OPTIONS.map((key) => stringValue(code, option(code, call, key, 0))).find(Boolean) ?? null;
    if (prefix && call.assignedTo) own.set(call.assignedTo, prefix);
    if (!MOUNTING.test(lastName(call))) continue;
    // `users.router` is the router of another file.
    const [first] = call.args;
    const mounted = first && first.end - first.start === 1 ? variable(code, first) : null;
    const parent = call.chain.at(-2);
    if (mounted && parent)
      mounts.push({ mounted, parent, prefix, isNested: lastName(call) === 'include_router' });
  }
  for (const name of new Set([...own.keys(), ...mounts.map(({ mounted }) => mounted)]))
    scopes.mount(name, wholePrefix(name, own, mounts, 0));
}

const MOUNTING = /^(?:register_blueprint|include_router)$/;
const MAX_MOUNT_DEPTH = 4;

interface Mount {
  mounted: string;
  parent: string;
  prefix: string | null;
  /** FastAPI adds both prefixes, Flask takes that of the registration. */
  isNested: boolean;
}

function wholePrefix(
  name: string,
  own: Map<string, string>,
  mounts: readonly Mount[],
  depth: number,
): string {
  const mount = mounts.findLast(({ mounted }) => mounted === name);
  if (!mount || depth > MAX_MOUNT_DEPTH) return own.get(name) ?? '';
  const kept = mount.isNested || mount.prefix === null ? own.get(name) : undefined;
  return joinPaths(wholePrefix(mount.parent, own, mounts, depth + 1), mount.prefix, kept);
}

function readCall(code: Code, call: Call, scopes: RouteScopes, framework: string, facts: FactList): void {
  const name = lastName(call);
  const add = (method: string, path: string | null) => {
    if (path?.startsWith('/') || path === '') {
      addRoute(facts, {
        method,
        path: joinPaths(scopes.prefixOf(call), path),
        line: call.line,
        detail: framework,
      });
    }
  };
  if (call.isAnnotation && call.chain.length > 1 && call.args.length > 0) {
    const path = stringValue(code, option(code, call, 'path', 0) ?? call.args[0]);
    if (VERBS.has(name)) add(name, path);
    if (name !== 'route' && name !== 'api_route') return;
    const methods = stringList(code, option(code, call, 'methods', 0));
    for (const { value } of methods.length > 0 ? methods : [{ value: 'GET' }]) add(value, path);
    return;
  }
  // Flask-RESTful; which methods the class has is not read.
  if (name === 'add_resource' && call.args.length > 1) {
    for (const range of call.args.slice(1)) {
      const path = stringValue(code, range);
      if (path?.startsWith('/')) add('ANY', path);
    }
  }
  if (name === 'add_url_rule' || name === 'add_api_route') {
    const methods = stringList(code, option(code, call, 'methods', 0));
    for (const { value } of methods.length > 0 ? methods : [{ value: 'GET' }])
      add(value, stringValue(code, call.args[0]));
  }
  if (framework === 'aiohttp') {
    const verb = /^(?:add_)?(get|post|put|patch|delete|head)$/.exec(name)?.[1];
    const isServer =
      name.startsWith('add_') ||
      (call.origin?.module.startsWith('aiohttp') &&
        /(?:^|\.)web/.test(`${call.origin.path}.${call.chain.at(-2)}`));
    if (verb && isServer && call.args.length > 1) add(verb, stringValue(code, call.args[0]));
    if (name === 'add_route')
      add((stringValue(code, call.args[0]) ?? '').replace('*', 'ANY'), stringValue(code, call.args[1]));
  }
  if (framework === 'starlette' && name === 'Route' && call.args.length > 1) {
    const methods = stringList(code, option(code, call, 'methods', 0));
    for (const { value } of methods.length > 0 ? methods : [{ value: 'GET' }])
      add(value, stringValue(code, call.args[0]));
  }
}

/** Django doesn't know methods; an `include` is only a prefix. */
function readDjango(code: Code, call: Call, includes: Include[], facts: FactList): void {
  const name = lastName(call);
  const module = call.origin?.module ?? '';
  const written = stringValue(code, call.args[0]) ?? emptyString(code, call);
  if (written === null || call.args.length < 2) return;
  const add = (path: string, detail: string) =>
    addRoute(facts, { method: 'ANY', path, line: call.line, detail });
  if (name === 'register' && module.startsWith('rest_framework')) {
    add(`/${written}`, 'django rest framework');
    add(`/${written}/{}`, 'django rest framework');
  }
  if (!DJANGO_PATH.test(name) || call.chain.length > 1 || !module.startsWith('django')) return;
  const view = code.tokens[call.args[1]!.start];
  if (view?.text === 'include' || view?.text === '[') return;
  const path = name === 'path' ? written : fromRegex(written);
  const around = includes.filter(({ end, start }) => start < call.index && call.index < end);
  if (path !== null) add(joinPaths(...around.map(({ prefix }) => prefix), path), 'django');
}

function emptyString(code: Code, call: Call): string | null {
  const token = call.args[0] && code.tokens[call.args[0].start];
  return token?.kind === 'string' && token.text === '' ? '' : null;
}

/** `^users/(?P<id>\d+)/$` becomes `users/{}/`. */
function fromRegex(pattern: string): string | null {
  if (pattern.length > 300) return null;
  const simple = pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/\((?:\?P<\w{1,60}>)?[^()]{0,150}\)[?*+]?/g, '{}')
    .replace(/\\([.-])/g, '$1')
    .replace(/\/\?$/, '');
  return /[\\^$|()[\]?*+]/.test(simple) ? null : simple;
}
