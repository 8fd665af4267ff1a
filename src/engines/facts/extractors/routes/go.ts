/** Routes of net/http, gin, echo, chi, gorilla/mux, fiber, httprouter and macaron. */
import type { FileSource } from '../../extractor.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { stringList, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { addRoute, joinPaths } from './route-name.ts';
import { lastName, RouteScopes, variable } from './scopes.ts';

const ROUTERS =
  /^(?:net\/http|github\.com\/(?:gin-gonic\/gin|labstack\/echo|go-chi\/chi|gorilla\/mux|gofiber\/fiber|julienschmidt\/httprouter|flamego\/flamego|bmizerany\/pat|go-macaron\/macaron)|gopkg\.in\/macaron)/;
const VERB = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Get|Post|Put|Patch|Delete|Head|Options|Any|All)$/;
const JOINING = /^github\.com\/(?:gin-gonic\/gin|labstack\/echo)/;
const GROUPS = new Set(['Group', 'Route']);

export function readGoRoutes(file: FileSource, facts: FactList): void {
  if (!file.imports.some(({ module }) => ROUTERS.test(module))) return;
  const code = readCode(file);
  const scopes = new RouteScopes();
  for (const call of code.calls) {
    const module = call.origin?.module;
    if (!module || !ROUTERS.test(module)) continue;
    if (module === 'net/http' && !isNetHttpServer(call)) continue;
    readGroups(code, call, scopes);
    readRoute(code, call, scopes, module, facts);
  }
}

/** The package itself or a mux, but not a client, a request or a response. */
function isNetHttpServer(call: Call): boolean {
  const path = call.origin!.path;
  return (
    path === '' ||
    /^(?:NewServeMux\(\)|ServeMux|DefaultServeMux|ServeMux\(\)|Handler|HandleFunc\(\))$/.test(path)
  );
}

function readGroups(code: Code, call: Call, scopes: RouteScopes): void {
  const name = lastName(call);
  const prefix = stringValue(code, call.args[0]);
  if (name === 'Subrouter' && call.previous && call.assignedTo) {
    const before = lastName(call.previous) === 'PathPrefix' ? stringValue(code, call.previous.args[0]) : null;
    scopes.mount(call.assignedTo, joinPaths(scopes.prefixOf(call), before));
    return;
  }
  // `r.Mount("/x", admin)` comes before or after the routes of the other router; those after it are below the prefix.
  const mounted = name === 'Mount' && prefix ? variable(code, call.args[1]) : null;
  if (mounted) scopes.mount(mounted, joinPaths(scopes.prefixOf(call), prefix));
  if (!GROUPS.has(name)) return;
  const whole = joinPaths(scopes.prefixOf(call), prefix);
  if (call.assignedTo) scopes.mount(call.assignedTo, whole);
  // `r.Route("/x", func(r chi.Router) {…})`: the inner router has the outer one's name, whose prefix holds already.
  else if (call.args.length > 1 && prefix) scopes.enclose(call, prefix);
}

function readRoute(code: Code, call: Call, scopes: RouteScopes, module: string, facts: FactList): void {
  const name = lastName(call);
  const prefix = joinPaths(scopes.prefixOf(call), groupBefore(code, call));
  const detail = frameworkOf(module);
  const first = stringValue(code, call.args[0]);
  const isOnRouter = call.chain.length > 1 || call.previous !== null;
  if (VERB.test(name) && module !== 'net/http') {
    // Gin and Echo join paths with a slash.
    const isJoined = JOINING.test(module) && /^[A-Z]+$/.test(name) && /^[\w:*]/.test(first ?? '');
    const isPath = first?.startsWith('/') || isJoined || (isEmptyString(code, call) && call.args.length > 1);
    if (!isPath || !isOnRouter || call.args.length < 2) return;
    const method = /^(?:Any|All)$/.test(name) ? 'ANY' : name;
    addRoute(facts, { method, path: joinPaths(prefix, first), line: call.line, detail });
    return;
  }
  if (!first || !/^(?:Handle|HandleFunc|HandlerFunc|Handler|Method|MethodFunc)$/.test(name)) return;
  const second = call.args.length > 2 ? stringValue(code, call.args[1]) : null;
  if (second?.startsWith('/')) {
    addRoute(facts, { method: first, path: joinPaths(prefix, second), line: call.line, detail });
    return;
  }
  const pattern = /^(?:([A-Z]{3,7}) )?[\w.-]{0,100}(\/\S{0,300})$/.exec(first);
  if (!pattern || call.args.length < 2) return;
  const methods = pattern[1] ? [pattern[1]] : followingMethods(code, call);
  for (const method of methods) {
    addRoute(facts, { method, path: joinPaths(prefix, pattern[2]), line: call.line, detail });
  }
  const mounted = variable(code, call.args[1]);
  if (mounted && name === 'Handle') scopes.mount(mounted, joinPaths(prefix, pattern[2]));
}

/** `r.Group("/x").GET(…)`; an assigned group is known by its name instead. */
function groupBefore(code: Code, call: Call): string | null {
  const before = call.previous;
  return before && lastName(before) === 'Group' ? stringValue(code, before.args[0]) : null;
}

function isEmptyString(code: Code, call: Call): boolean {
  const token = call.args[0] && code.tokens[call.args[0].start];
  return token?.kind === 'string' && token.text === '';
}

/** `.Methods("GET", http.MethodPost)` behind a gorilla route. */
function followingMethods(code: Code, call: Call): string[] {
  const { next } = call;
  if (!next || lastName(next) !== 'Methods') return ['ANY'];
  const methods = next.args.flatMap((range) => {
    const constant = /^Method(\w+)$/.exec(code.tokens[range.end - 1]!.text)?.[1];
    return constant ? [constant.toUpperCase()] : stringList(code, range).map(({ value }) => value);
  });
  return methods.length > 0 ? methods : ['ANY'];
}

function frameworkOf(module: string): string {
  if (module === 'net/http') return module;
  return module
    .replace(/\/v\d+$/, '')
    .replace(/\.v\d+$/, '')
    .split('/')
    .at(-1)!;
}
