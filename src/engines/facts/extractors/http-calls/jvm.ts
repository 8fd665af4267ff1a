/** HTTP calls of RestTemplate, WebClient, RestClient, OkHttp, java.net.http, Retrofit and the client of Ktor. */
import type { FileSource } from '../../extractor.ts';
import { importsOf } from '../code/bindings.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { lastName } from '../routes/scopes.ts';
import { addHttpCall } from './url.ts';

const CLIENTS =
  /^(?:org\.springframework\.web\.(?:client|reactive\.function\.client)|okhttp3|java\.net\.http|retrofit2\.http|io\.ktor\.client\.request|org\.springframework\.boot\.web\.client)/;
const TEMPLATE_METHODS: Record<string, string> = {
  getForObject: 'GET',
  getForEntity: 'GET',
  postForObject: 'POST',
  postForEntity: 'POST',
  postForLocation: 'POST',
  patchForObject: 'PATCH',
  put: 'PUT',
  delete: 'DELETE',
};
const VERB = /^(?:get|post|put|patch|delete|head)$/;

export function readJvmCalls(file: FileSource, facts: FactList): void {
  const modules = importsOf(file)
    .map(({ module }) => module)
    .filter((module) => CLIENTS.test(module));
  if (modules.length === 0) return;
  const code = readCode(file);
  for (const call of code.calls) {
    if (call.isAnnotation) readRetrofit(code, call, facts);
    else readCall(code, call, modules, facts);
  }
}

function readCall(code: Code, call: Call, modules: string[], facts: FactList): void {
  const name = lastName(call);
  const from = (prefix: string) => modules.some((module) => module.startsWith(prefix));
  const isTemplate =
    call.origin?.path.includes('RestTemplate') || /resttemplate/i.test(call.chain.at(-2) ?? '');
  if (isTemplate && from('org.springframework')) {
    const url = stringValue(code, call.args[0]);
    const method = name === 'exchange' ? exchangeMethod(code, call) : TEMPLATE_METHODS[name];
    if (url !== null && method) addHttpCall(facts, { method, url, line: call.line });
    return;
  }
  // `client.get().uri("/x")` of WebClient and RestClient.
  const before = call.previous && lastName(call.previous);
  if (name === 'uri' && before && VERB.test(before) && from('org.springframework')) {
    const url = stringValue(code, call.args[0]);
    if (url !== null) addHttpCall(facts, { method: before, url, line: call.line });
  }
  if (name === 'url' && from('okhttp3') && isBuilder(call)) addBuilt(code, call, facts);
  if (name === 'uri' && from('java.net.http') && isBuilder(call)) addBuilt(code, call, facts);
  if (VERB.test(name) && call.chain.length === 2 && from('io.ktor.client.request')) {
    const url = stringValue(code, call.args[0]);
    if (url !== null && /client/i.test(call.chain[0]!))
      addHttpCall(facts, { method: name, url, line: call.line });
  }
}

function isBuilder(call: Call): boolean {
  return /^(?:Builder|newBuilder)$/.test(lastName(call.previous ?? call));
}

/** The method is named further down the chain; without one it's GET. */
function addBuilt(code: Code, call: Call, facts: FactList): void {
  let method = 'GET';
  for (let next = call.next; next; next = next.next) {
    const verb = lastName(next).toLowerCase();
    if (VERB.test(verb)) method = verb;
    if (verb === 'method') method = stringValue(code, next.args[0]) ?? method;
  }
  const url = stringValue(code, call.args[0]);
  if (url !== null) addHttpCall(facts, { method, url, line: call.line });
}

function exchangeMethod(code: Code, call: Call): string | null {
  const range = call.args[1];
  const tokens = range ? code.tokens.slice(range.start, range.end).map(({ text }) => text) : [];
  return tokens[0] === 'HttpMethod'
    ? (tokens.at(-1) ?? null)
    : tokens.length === 1 && /^[A-Z]+$/.test(tokens[0]!)
      ? tokens[0]!
      : null;
}

function readRetrofit(code: Code, call: Call, facts: FactList): void {
  if (call.origin?.module !== 'retrofit2.http' && !code.bindings.wildcards.includes('retrofit2.http')) return;
  const url = stringValue(code, call.args[0]);
  if (url === null || !/^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/.test(lastName(call))) return;
  addHttpCall(facts, { method: lastName(call), url, isRelative: true, line: call.line });
}
