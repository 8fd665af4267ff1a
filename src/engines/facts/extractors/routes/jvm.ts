/** Routes of Spring, JAX-RS, Micronaut and Ktor, in Java and Kotlin. The interface of a Feign client calls its routes. */
import type { FileSource } from '../../extractor.ts';
import { importsOf } from '../code/bindings.ts';
import { classAnnotations, memberAnnotations } from '../code/class-annotations.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { option, stringList, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { joinPaths, routeName } from './route-name.ts';
import { lastName, RouteScopes } from './scopes.ts';

const FRAMEWORKS =
  /^(?:org\.springframework\.(?:web|cloud\.openfeign)|(?:javax|jakarta)\.ws\.rs|io\.micronaut\.http|io\.ktor\.server\.routing)/;
const MAPPING = /^(Get|Post|Put|Patch|Delete|Request)Mapping$/;
const MICRONAUT_VERB = /^(?:Get|Post|Put|Patch|Delete|Head|Options)$/;
const JAX_VERB = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

export function readJvmRoutes(file: FileSource, facts: FactList): void {
  const imports = importsOf(file);
  if (!imports.some(({ module }) => FRAMEWORKS.test(module))) return;
  const code = readCode(file);
  for (const group of memberAnnotations(code)) readMember(code, group, facts);
  if (imports.some(({ module }) => /^io\.ktor\.server\.routing/.test(module))) readKtor(code, facts);
  if (
    imports.some(({ module }) =>
      /^org\.springframework\.web\.(?:reactive\.)?(?:servlet\.)?function/.test(module),
    )
  ) {
    readRouterFunctions(code, facts);
  }
}

/** Imported by name or with its whole package. */
function isFrom(code: Code, call: Call, packages: RegExp): boolean {
  if (call.origin) return packages.test(call.origin.module);
  return code.bindings.wildcards.some((module) => packages.test(module));
}

const SPRING = /^org\.springframework\./;
const JAX = /^(?:javax|jakarta)\.ws\.rs/;
const MICRONAUT = /^io\.micronaut\.http/;

function readMember(code: Code, group: Call[], facts: FactList): void {
  const owners = classAnnotations(code, group[0]!.index);
  for (const call of group) {
    const mapping = MAPPING.exec(lastName(call));
    if (mapping && isFrom(code, call, SPRING)) addSpring(code, call, mapping[1]!, owners, facts);
    if (JAX_VERB.test(lastName(call)) && isFrom(code, call, JAX)) {
      const paths = [owners, group].map((calls) => {
        const path = calls.find((one) => lastName(one) === 'Path');
        return path ? stringValue(code, path.args[0]) : '';
      });
      if (!owners.some((one) => lastName(one) === 'Path') && paths[1] === '') continue;
      const role = owners.some((one) => lastName(one) === 'RegisterRestClient') ? 'uses' : 'provides';
      add(facts, lastName(call), joinPaths(...paths), call.line, 'jax-rs', role);
    }
    if (MICRONAUT_VERB.test(lastName(call)) && isFrom(code, call, MICRONAUT)) {
      const controller = owners.find((one) => /^(?:Controller|Client)$/.test(lastName(one)));
      if (!controller) continue;
      const paths = [controller, call].map((one) => stringValue(code, one.args[0]));
      const role = lastName(controller) === 'Client' ? 'uses' : 'provides';
      add(facts, lastName(call), joinPaths(...paths), call.line, 'micronaut', role);
    }
  }
}

function addSpring(code: Code, call: Call, kind: string, owners: Call[], facts: FactList): void {
  const feign = owners.find((one) => lastName(one) === 'FeignClient');
  const isController = owners.some((one) =>
    /Controller$|^(?:RequestMapping|HttpExchange)$/.test(lastName(one)),
  );
  // Interfaces with mappings, as generators write them, have neither; the class that implements one serves it.
  if (!feign && !isController && owners.length > 0) return;
  const shared = owners.find((one) => lastName(one) === 'RequestMapping');
  const prefix = feign ? stringValue(code, option(code, feign, 'path', 0)) : null;
  const methods = kind === 'Request' ? requestMethods(code, call) : [kind];
  for (const base of mappingPaths(code, shared)) {
    for (const path of mappingPaths(code, call)) {
      for (const method of methods) {
        const detail = feign
          ? (stringValue(
              code,
              option(code, feign, 'name', 0) ?? option(code, feign, 'value', 0) ?? feign.args[0],
            ) ?? 'feign')
          : 'spring';
        add(facts, method, joinPaths(prefix, base, path), call.line, detail, feign ? 'uses' : 'provides');
      }
    }
  }
}

function mappingPaths(code: Code, call: Call | undefined): string[] {
  if (!call) return [''];
  const named = option(code, call, 'value', 0) ?? option(code, call, 'path', 0);
  const first = call.args[0];
  const isNamed = first && code.tokens[first.start + 1]?.text === '=';
  const paths = stringList(code, named ?? (isNamed ? undefined : first)).map(({ value }) => value);
  return paths.length > 0 ? paths : [''];
}

function requestMethods(code: Code, call: Call): string[] {
  const range = option(code, call, 'method', 0);
  const methods = range
    ? code.tokens
        .slice(range.start, range.end)
        .map(({ text }) => text)
        .filter((text) => JAX_VERB.test(text))
    : [];
  return methods.length > 0 ? methods : ['ANY'];
}

function add(
  facts: FactList,
  method: string,
  path: string,
  line: number,
  detail: string,
  role: 'provides' | 'uses',
): void {
  const name = routeName(method, path);
  if (name) facts.add({ kind: 'route', role, name, line, detail });
}

/** `route("/x") { get("/y") {…} }`: the block belongs to the call before it. */
function readKtor(code: Code, facts: FactList): void {
  const scopes = new RouteScopes();
  for (const call of code.calls) {
    const path = stringValue(code, call.args[0]);
    const block = code.tokens[call.end + 1]?.text === '{' ? code.partners[call.end + 1]! : -1;
    if (block === -1 || call.chain.length > 1) continue;
    const name = lastName(call);
    if (name === 'route' && path) scopes.enclose({ ...call, end: block }, path);
    if (!/^(?:get|post|put|patch|delete|head|options)$/.test(name) || call.args.length > 1) continue;
    if (path !== null || call.args.length === 0) {
      add(facts, name, joinPaths(scopes.prefixOf(call), path), call.line, 'ktor', 'provides');
    }
  }
}

/** `route().GET("/x", handler)` and `route(GET("/x"), handler)`. */
function readRouterFunctions(code: Code, facts: FactList): void {
  for (const call of code.calls) {
    const path = stringValue(code, call.args[0]);
    if (!JAX_VERB.test(lastName(call)) || call.isAnnotation || !path?.startsWith('/')) continue;
    add(facts, lastName(call), path, call.line, 'spring', 'provides');
  }
}
