/** Routes of ASP.NET Core: attributes of controllers, and minimal APIs. */
import type { FileSource } from '../../extractor.ts';
import { classAnnotations, memberAnnotations } from '../code/class-annotations.ts';
import { classAt } from '../code/classes.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { option, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { addRoute, joinPaths } from './route-name.ts';
import { lastName, RouteScopes } from './scopes.ts';

const ATTRIBUTE = /^Http(Get|Post|Put|Patch|Delete|Head|Options)$/;
const MAP = /^Map(Get|Post|Put|Patch|Delete|Methods)$/;

export function readCSharpRoutes(file: FileSource, facts: FactList): void {
  const hasControllers = /\[(?:Http(?:Get|Post|Put|Patch|Delete)|Route)\b/.test(file.text);
  const hasMinimal = /\.Map(?:Get|Post|Put|Patch|Delete|Group)\s{0,4}\(/.test(file.text);
  if (!hasControllers && !hasMinimal) return;
  const code = readCode(file);
  if (hasControllers) for (const group of memberAnnotations(code)) readAttributes(code, group, facts);
  if (hasMinimal) readMinimal(code, facts);
}

function readAttributes(code: Code, group: Call[], facts: FactList): void {
  const verb = group.find((call) => ATTRIBUTE.test(lastName(call)));
  const owner = classAt(code.classes, group[0]!.index);
  if (!verb || !owner) return;
  const shared = classAnnotations(code, verb.index);
  // Refit clients have attributes of the same kind on interfaces.
  if (
    !owner.heritage.some((name) => /Controller/.test(name)) &&
    !shared.some((one) => lastName(one) === 'ApiController')
  )
    return;
  const template = stringValue(code, option(code, verb, 'template', 0) ?? verb.args[0]);
  const own = group.find((call) => lastName(call) === 'Route');
  const path = template ?? (own ? stringValue(code, own.args[0]) : '');
  const prefix = shared.find((one) => lastName(one) === 'Route');
  // Without any template, the route is a convention that is configured elsewhere.
  if (template === null && !own && !prefix) return;
  const isRooted = path?.startsWith('/') || path?.startsWith('~/');
  const whole = isRooted
    ? path!.replace(/^~/, '')
    : joinPaths(prefix ? stringValue(code, prefix.args[0]) : '', path);
  const replaced = whole
    .replace(/\[controller\]/gi, owner.name.replace(/Controller$/, '').toLowerCase())
    .replace(/\[action\]/gi, () => memberName(code, group.at(-1)!)?.toLowerCase() ?? '[action]')
    .replace(/v?\{version:apiVersion\}/i, '{}');
  addRoute(facts, {
    method: ATTRIBUTE.exec(lastName(verb))![1]!,
    path: replaced,
    line: verb.line,
    detail: 'asp.net',
  });
}

/** The name before the first parenthesis behind the attributes. */
function memberName(code: Code, last: Call): string | null {
  for (let i = last.end + 1; i < last.end + 40; i += 1) {
    if (code.tokens[i + 1]?.text === '(' && code.tokens[i]?.kind === 'word') return code.tokens[i]!.text;
  }
  return null;
}

function readMinimal(code: Code, facts: FactList): void {
  const scopes = new RouteScopes();
  for (const call of code.calls) {
    const path = stringValue(code, call.args[0]);
    const before = groupPrefix(code, call);
    if (lastName(call) === 'MapGroup' && path !== null && call.assignedTo) {
      scopes.mount(call.assignedTo, joinPaths(scopes.prefixOf(call), path));
    }
    const verb = MAP.exec(lastName(call))?.[1];
    if (!verb || call.args.length < 2 || (path === null && !isString(code, call))) continue;
    if (call.chain.length < 2 && !call.previous) continue;
    const method = verb === 'Methods' ? 'ANY' : verb;
    const whole = joinPaths(scopes.prefixOf(call), before, path);
    addRoute(facts, { method, path: whole, line: call.line, detail: 'asp.net' });
  }
}

/** `app.MapGroup("/x").MapGet(…)`; an assigned group is known by its name instead. */
function groupPrefix(code: Code, call: Call): string | null {
  let before = call.previous;
  for (let steps = 0; before && steps < 10; steps += 1, before = before.previous) {
    if (lastName(before) === 'MapGroup') return stringValue(code, before.args[0]);
  }
  return null;
}

function isString(code: Code, call: Call): boolean {
  return call.args[0] !== undefined && code.tokens[call.args[0].start]?.kind === 'string';
}
