/** Routes of Laravel, Symfony and Slim. */
import type { FileSource } from '../../extractor.ts';
import { classAnnotations } from '../code/class-annotations.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { option, stringList, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { addRoute, joinPaths } from './route-name.ts';
import { lastName, RouteScopes } from './scopes.ts';

const VERBS = /^(?:get|post|put|patch|delete|options|any)$/;
const RESOURCE_ROUTES: [string, string][] = [
  ['GET', ''],
  ['POST', ''],
  ['GET', '/{}'],
  ['PUT', '/{}'],
  ['PATCH', '/{}'],
  ['DELETE', '/{}'],
];
const PAGE_ROUTES: [string, string][] = [
  ['GET', '/create'],
  ['GET', '/{}/edit'],
];

export function readPhpRoutes(file: FileSource, facts: FactList): void {
  if (/\bRoute::/.test(file.text) && isLaravel(file)) readLaravel(readCode(file), facts);
  if (/#\[Route\b/.test(file.text) && file.text.includes('Symfony\\Component\\Routing'))
    readSymfony(readCode(file), facts);
  if (/\bSlim\\/.test(file.text)) readSlim(readCode(file), facts);
}

function isLaravel(file: FileSource): boolean {
  return (
    file.text.includes('Illuminate\\Support\\Facades\\Route') ||
    /(?:^|\/)routes\/[\w./-]{1,200}\.php$/.test(file.path)
  );
}

/** The calls of a chain, first one first: `Route::prefix('x')->middleware('y')->group(…)`. */
function chainOf(call: Call): Call[] {
  const chain = [call];
  for (let one = call.previous; one && chain.length < 20; one = one.previous) chain.unshift(one);
  return chain;
}

function readLaravel(code: Code, facts: FactList): void {
  const scopes = new RouteScopes();
  for (const call of code.calls) {
    const chain = chainOf(call);
    if (chain[0]!.chain.at(-2) !== 'Route') continue;
    const prefix = joinPaths(
      ...chain.filter((one) => lastName(one) === 'prefix').map((one) => stringValue(code, one.args[0])),
    );
    const name = lastName(call);
    const first = stringValue(code, call.args[0]);
    if (name === 'group') {
      const own = stringValue(code, option(code, call, 'prefix'));
      const whole = joinPaths(prefix, own);
      if (whole) scopes.enclose(call, whole);
    }
    const add = (method: string, path: string) => {
      const whole = joinPaths(scopes.prefixOf(call), prefix, path);
      addRoute(facts, { method, path: whole.replaceAll('?}', '}'), line: call.line, detail: 'laravel' });
    };
    const isEmpty = code.tokens[call.args[0]?.start ?? -1]?.kind === 'string';
    if (VERBS.test(name) && call.args.length > 1 && (first !== null || isEmpty)) add(name, first ?? '');
    if (name === 'match' && call.args.length > 2) {
      const path = stringValue(code, call.args[1]);
      if (path !== null) for (const { value } of stringList(code, call.args[0])) add(value, path);
    }
    if (first === null || call.args.length < 2 || !/^(?:apiR|r)esource$/.test(name)) continue;
    if (call.args.length > 2 || isRestricted(call)) continue;
    const routes = name === 'resource' ? [...RESOURCE_ROUTES, ...PAGE_ROUTES] : RESOURCE_ROUTES;
    for (const [method, suffix] of routes) add(method, `${first}${suffix}`);
  }
}

/** `->only([…])` and `->except([…])` take routes away. */
function isRestricted(call: Call): boolean {
  for (let next = call.next; next; next = next.next)
    if (/^(?:only|except)$/.test(lastName(next))) return true;
  return false;
}

function readSymfony(code: Code, facts: FactList): void {
  for (const call of code.calls) {
    if (!call.isAnnotation || call.isOnClass || lastName(call) !== 'Route') continue;
    const shared = classAnnotations(code, call.index).find((one) => lastName(one) === 'Route');
    const path = routePath(code, call);
    if (path === null) continue;
    const methods = stringList(code, option(code, call, 'methods', 0)).map(({ value }) => value);
    const prefix = shared ? routePath(code, shared) : '';
    for (const method of methods.length > 0 ? methods : ['ANY']) {
      addRoute(facts, { method, path: joinPaths(prefix, path), line: call.line, detail: 'symfony' });
    }
  }
}

function routePath(code: Code, call: Call): string | null {
  const named = option(code, call, 'path', 0);
  const first = call.args[0];
  const isNamed = first && code.tokens[first.start + 1]?.text === ':';
  return stringValue(code, named ?? (isNamed ? undefined : first));
}

function readSlim(code: Code, facts: FactList): void {
  const scopes = new RouteScopes();
  for (const call of code.calls) {
    const receiver = call.chain.at(-2);
    const path = stringValue(code, call.args[0]);
    if (path === null || call.args.length < 2 || !/^(?:\$app|\$group|\$router|app)$/.test(receiver ?? ''))
      continue;
    if (lastName(call) === 'group') scopes.enclose(call, path);
    else if (VERBS.test(lastName(call)) && /^[/[]/.test(path)) {
      addRoute(facts, {
        method: lastName(call),
        path: joinPaths(scopes.prefixOf({ ...call, chain: [] }), path),
        line: call.line,
        detail: 'slim',
      });
    }
  }
}
