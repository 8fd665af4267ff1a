/** HTTP calls of requests, httpx, aiohttp and urllib. */
import type { FileSource } from '../../extractor.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { option, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { lastName, receiverOf } from '../routes/scopes.ts';
import { addHttpCall } from './url.ts';

const CLIENTS = /^(?:requests|httpx|aiohttp|urllib\.request|urllib3)(?:\.|$)/;
const VERBS = /^(?:get|post|put|patch|delete|head)$/;
/** The module itself or a session of it, but not a response. */
const CLIENT_PATH =
  /^(?:|Session|session|Client|AsyncClient|ClientSession|get|post|put|patch|delete|head|request|urlopen)(?:\(\))?$/;

export function readPythonCalls(file: FileSource, facts: FactList): void {
  if (!file.imports.some(({ module }) => CLIENTS.test(module))) return;
  const code = readCode(file);
  const bases = new Map<string, string>();
  for (const call of code.calls) {
    if (!call.origin || !CLIENTS.test(call.origin.module) || call.isAnnotation) continue;
    const base = option(code, call, 'base_url', 0);
    const target = call.assignedTo ?? nameBehindAs(code, call);
    if (base && target) bases.set(target, stringValue(code, base) ?? '/');
    if (call.previous ? !VERBS.test(lastName(call)) : !CLIENT_PATH.test(call.origin.path)) continue;
    addCall(code, call, bases.get(receiverOf(call) ?? ''), facts);
  }
}

function nameBehindAs(code: Code, call: Call): string | null {
  return code.tokens[call.end + 1]?.text === 'as' ? (code.tokens[call.end + 2]?.text ?? null) : null;
}

function addCall(code: Code, call: Call, base: string | undefined, facts: FactList): void {
  const name = lastName(call);
  const isResponse = /^(?:get|post|put|patch|delete|head|request)\(\)$/.test(call.origin!.path);
  if (isResponse) return;
  if (VERBS.test(name)) {
    const url = stringValue(code, option(code, call, 'url', 0) ?? call.args[0]);
    if (url !== null) addHttpCall(facts, { method: name, url, base, line: call.line });
  }
  if (name === 'request' || name === 'stream') {
    const method = stringValue(code, option(code, call, 'method', 0) ?? call.args[0]);
    const url = stringValue(code, option(code, call, 'url', 0) ?? call.args[1]);
    if (method !== null && url !== null) addHttpCall(facts, { method, url, base, line: call.line });
  }
  if (name === 'urlopen' || name === 'Request') {
    const url = stringValue(code, call.args[0]);
    const method =
      stringValue(code, option(code, call, 'method', 0)) ?? (option(code, call, 'data', 0) ? 'POST' : 'GET');
    if (url !== null) addHttpCall(facts, { method, url, line: call.line });
  }
}
