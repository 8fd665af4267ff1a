/** Routes of Express, Fastify, Koa, Hono, hapi, NestJS, routing-controllers and Next.js. */
import type { FileSource } from '../../extractor.ts';
import { classAnnotations } from '../code/class-annotations.ts';
import { type Call, type Code, readCode, type TokenRange } from '../code/read-code.ts';
import { option, stringList, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { addRoute, joinPaths } from './route-name.ts';
import { lastName, RouteScopes, receiverOf, variable } from './scopes.ts';

const SERVERS =
  /^(?:express|express-promise-router|fastify|koa-router|@koa\/router|hono|@hono\/zod-openapi|restify|polka|@hapi\/hapi|itty-router|elysia|find-my-way|router)$/;
const KOA_ROUTER = /^(?:koa-router|@koa\/router)$/;
const CONTROLLERS = /^(?:@nestjs\/common|routing-controllers)$/;
const CONTROLLER = /^(?:Json)?Controller$/;
const VERBS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all', 'del']);
const NEST_VERB = /^(?:Get|Post|Put|Patch|Delete|Head|Options|All)$/;

export function readJavaScriptRoutes(file: FileSource, facts: FactList): void {
  readRouteFile(file, facts);
  if (
    !/['"](?:express|fastify|koa|@koa|hono|@hono|restify|polka|@hapi|itty-router|elysia|find-my-way|router|@nestjs|routing-controllers)\b|fastify\b/.test(
      file.text,
    )
  )
    return;
  const code = readCode(file);
  const scopes = new RouteScopes();
  readMounts(code, scopes);
  for (const call of code.calls) {
    if (call.isAnnotation) readNest(code, call, facts);
    else if (serverOf(call)) {
      encloseInline(code, call, scopes);
      readServerCall(code, call, scopes, facts);
    }
  }
}

/** The parameter of a Fastify plugin is `fastify` by convention, and nothing else has that name. */
function serverOf(call: Call): string | null {
  if (call.origin && SERVERS.test(call.origin.module)) return call.origin.module;
  return receiverOf(call) === 'fastify' ? 'fastify' : null;
}

function methodOf(verb: string): string {
  return verb === 'all' ? 'ANY' : verb === 'del' ? 'DELETE' : verb.toUpperCase();
}

/** Mounts come after the routes of the router, and those of a router after what is mounted on it, so they are read first. */
function readMounts(code: Code, scopes: RouteScopes): void {
  const calls = code.calls.filter(serverOf);
  const own = new Map<string, string>();
  for (const call of calls) {
    const prefix = ownPrefix(code, call);
    const target = lastName(call) === 'prefix' ? receiverOf(call) : call.assignedTo;
    if (!prefix || !target) continue;
    own.set(target, prefix);
    scopes.mount(target, prefix);
  }
  const mounts = calls.filter(
    (call) => /^(?:use|route|register)$/.test(lastName(call)) && call.args.length > 1,
  );
  for (let depth = 0; depth < MAX_MOUNT_DEPTH; depth += 1) {
    for (const call of mounts) readMount(code, call, own, scopes);
  }
}

const MAX_MOUNT_DEPTH = 4;

/** `new Router({ prefix })`, `router.prefix('/x')` and `app.basePath('/x')`. */
function ownPrefix(code: Code, call: Call): string | null {
  const name = lastName(call);
  if (name === 'register') return null;
  return name === 'basePath' || name === 'prefix'
    ? stringValue(code, call.args[0])
    : stringValue(code, option(code, call, 'prefix'));
}

function readMount(code: Code, call: Call, own: Map<string, string>, scopes: RouteScopes): void {
  const isRegister = lastName(call) === 'register';
  const prefix = stringValue(code, isRegister ? option(code, call, 'prefix') : call.args[0]);
  if (!prefix?.startsWith('/')) return;
  const plugin = isRegister ? call.args[0] : call.args.at(-1);
  const mounted = variable(code, plugin) ?? routesOf(code, plugin);
  if (mounted) scopes.mount(mounted, joinPaths(scopes.prefixOf(call), prefix, own.get(mounted)));
}

/** `users.routes()` of Koa. */
function routesOf(code: Code, range: TokenRange | undefined): string | null {
  const tokens = range ? code.tokens.slice(range.start, range.end) : [];
  const [name, dot, method, open] = tokens;
  const isRoutes =
    tokens.length === 5 && dot?.text === '.' && method?.text === 'routes' && open?.text === '(';
  return isRoutes && name?.kind === 'word' ? name.text : null;
}

/** `fastify.register(async (app) => {…}, { prefix: '/x' })`: what is called inside is below the prefix. */
function encloseInline(code: Code, call: Call, scopes: RouteScopes): void {
  if (lastName(call) !== 'register' || call.args.length < 2 || variable(code, call.args[0])) return;
  const prefix = stringValue(code, option(code, call, 'prefix'));
  if (prefix) scopes.enclose(call, prefix);
}

function readServerCall(code: Code, call: Call, scopes: RouteScopes, facts: FactList): void {
  const name = lastName(call);
  const detail = serverOf(call)!;
  const prefix = scopes.prefixOf(call);
  if (name === 'route' && call.args.length === 1) {
    const path = stringValue(code, option(code, call, 'url') ?? option(code, call, 'path'));
    const methods = stringList(code, option(code, call, 'method'));
    if (!path?.startsWith('/')) return;
    for (const { value } of methods) {
      const method = value === '*' ? 'ANY' : value;
      addRoute(facts, { method, path: joinPaths(prefix, path), line: call.line, detail });
    }
    return;
  }
  if (!VERBS.has(name)) return;
  const before = routeBefore(code, call);
  if (before !== null && call.args.length > 0) {
    addRoute(facts, { method: methodOf(name), path: joinPaths(prefix, before), line: call.line, detail });
    return;
  }
  // `app.get('view engine')` reads a setting: a route has a handler.
  if (call.args.length < 2 || (call.chain.length < 2 && !call.previous)) return;
  const isKoa = KOA_ROUTER.test(detail);
  // Routes of Koa can have a name before their path, and the first slash is optional.
  const second = isKoa && call.args.length > 2 ? stringValue(code, call.args[1]) : null;
  const paths = second?.startsWith('/') ? [second] : stringList(code, call.args[0]).map(({ value }) => value);
  for (const value of paths) {
    if (!/^[/*]/.test(value) && value !== '' && !(isKoa && /^[\w:{]/.test(value))) continue;
    addRoute(facts, { method: methodOf(name), path: joinPaths(prefix, value), line: call.line, detail });
  }
}

/** The path of `route('/x').get(…).post(…)`. */
function routeBefore(code: Code, call: Call): string | null {
  let before = call.previous;
  for (let steps = 0; before && steps < 10; steps += 1, before = before.previous) {
    if (lastName(before) === 'route' && before.args.length === 1) return stringValue(code, before.args[0]);
    if (!VERBS.has(lastName(before))) return null;
  }
  return null;
}

function readNest(code: Code, call: Call, facts: FactList): void {
  const module = call.origin?.module ?? '';
  if (!CONTROLLERS.test(module) || !NEST_VERB.test(lastName(call)) || call.isOnClass) return;
  const controller = classAnnotations(code, call.index).find((one) => CONTROLLER.test(lastName(one)));
  if (!controller) return;
  const detail = module === '@nestjs/common' ? 'nestjs' : module;
  const options = option(code, controller, 'path');
  const prefixes = stringList(code, options ?? controller.args[0]).map(({ value }) => value);
  const paths = stringList(code, call.args[0]).map(({ value }) => value);
  for (const prefix of prefixes.length > 0 ? prefixes : ['']) {
    for (const path of paths.length > 0 ? paths : ['']) {
      const method = methodOf(lastName(call).toLowerCase());
      addRoute(facts, { method, path: joinPaths(prefix, path), line: call.line, detail });
    }
  }
}

const APP_ROUTE = /(?:^|\/)app\/((?:[^/]{1,200}\/){0,12})route\.[jt]sx?$/;
const PAGES_ROUTE = /(?:^|\/)pages\/(api\/(?:[^/]{1,200}\/){0,12}[^/]{1,200})\.[jt]sx?$/;
const SVELTE_ROUTE = /(?:^|\/)routes\/((?:[^/]{1,200}\/){0,12})\+server\.[jt]s$/;
const EXPORTED_VERB =
  /^export\s{1,4}(?:async\s{1,4}function|function|const)\s{1,4}(GET|POST|PUT|PATCH|DELETE)\b/;

/** Next.js and SvelteKit: the path of the file is the path of the route. */
function readRouteFile(file: FileSource, facts: FactList): void {
  const folder = APP_ROUTE.exec(file.path)?.[1] ?? SVELTE_ROUTE.exec(file.path)?.[1];
  const page = PAGES_ROUTE.exec(file.path)?.[1];
  if (folder === undefined && page === undefined) return;
  const path = pathOfFolders(folder ?? page!.replace(/(?:^|\/)index$/, ''));
  for (const [index, line] of file.text.split('\n').entries()) {
    const start = line.slice(0, 200);
    const method =
      folder === undefined
        ? /^export\s{1,4}default\b/.test(start)
          ? 'ANY'
          : null
        : EXPORTED_VERB.exec(start)?.[1];
    const detail = SVELTE_ROUTE.test(file.path) ? 'sveltekit' : 'next';
    if (method) addRoute(facts, { method, path, line: index + 1, detail });
  }
}

/** `(group)` and `@slot` folders are not part of the path. */
function pathOfFolders(folders: string): string {
  const parts = folders.split('/').filter((part) => part !== '' && !/^(?:\(.*\)|@.*)$/.test(part));
  return `/${parts.join('/')}`;
}
