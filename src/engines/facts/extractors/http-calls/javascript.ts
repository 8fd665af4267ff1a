/** HTTP calls of fetch, axios, got, ky, superagent, ofetch and the HttpClient of Angular and NestJS. */

import type { FileSource } from '../../extractor.ts';
import { type Call, type Code, readCode, type TokenRange } from '../code/read-code.ts';
import { option, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { isMethod } from '../routes/route-name.ts';
import { lastName, receiverOf } from '../routes/scopes.ts';
import { addHttpCall } from './url.ts';

const CLIENTS =
  /^(?:axios|got|ky|request|request-promise|request-promise-native|superagent|ofetch|node-fetch|cross-fetch|undici|needle|wretch|@angular\/common\/http|@nestjs\/axios)$/;
const FETCH = /^(?:fetch|\$fetch|ofetch|useFetch|useLazyFetch|useSWR|getJSON)$/;
/** The result of a call is a response, not a client. */
const RESPONSE = /(?:^|\.)(?:get|post|put|patch|delete|head|request)\(\)$/;
/** An object of the repository that wraps a client, such as an axios instance that another file makes. */
const OWN_CLIENT =
  /^(?:\$?(?:api|http|https|axios|ajax|rest)|(?:api|http|axios|rest|request|fetch)_?(?:client|service|instance)?|[\w$]{1,40}(?:Api|API|Http|Axios|HttpClient|ApiClient|RestClient)|client|socket|requests?)$/i;
const HTTP = /^\$?(?:https?|axios)$/i;
const LOCAL_MODULE =
  /^(?:vue$|[.~#]|@\/|\$(?:lib|app)|src\/|app\/|lib\/|utils?\/|services?\/|api(?:\/|$)|boot\/)/;
const OPTIONS = /^(?:config|options?|opts|params|headers|query)$/i;
/** A function of the repository that sends requests: `request({ url: '/x', method: 'POST' })`. */
const WRAPPER = /^(?:(?:api|http|send|do|make|auth)?_?(?:request|fetch)(?:api|json|data)?|\$?http|ajax)$/i;
const VERBS = /^(?:get|post|put|patch|delete|head)$/;

export function readJavaScriptCalls(file: FileSource, facts: FactList): void {
  if (
    !/\b(?:fetch|request)\w{0,4}(?:<[^<>()\n]{0,80}>)?\s{0,2}\(|\b(?:ajax|getJSON|\$?http)\s{0,2}\(|useSWR|(?:api|http|https|axios|ajax|rest|client|service|instance|socket|requests?|\$|jQuery)\s{0,2}\.\s{0,2}(?:get|post|put|patch|delete|head|request)\s{0,2}[(<]|['"](?:axios|got|ky|request|superagent|ofetch|node-fetch|cross-fetch|undici|needle|wretch|@angular\/common\/http|@nestjs\/axios)\b/i.test(
      file.text,
    )
  )
    return;
  const code = readCode(file);
  const bases = new Map<string, string>();
  for (const call of code.calls) {
    readBase(code, call, bases);
    const base = bases.get(receiverOf(call) ?? call.chain[0]!);
    if (isFetch(call)) addRequest(code, call, 'GET', base, facts);
    else if (call.origin && CLIENTS.test(call.origin.module)) readClientCall(code, call, base, facts);
    else if (isOwnClient(code, call)) addOwnClient(code, call, base, facts);
    else if (isWrapper(code, call)) addRequest(code, call, 'GET', base, facts);
  }
}

/** `fetch(…)`, `window.fetch(…)`; methods with that name belong to something else. */
function isFetch(call: Call): boolean {
  if (!FETCH.test(lastName(call)) || call.previous) return false;
  return call.chain.length === 1 || /^(?:window|globalThis|self|global|\$|jQuery)$/.test(call.chain[0]!);
}

/** Only with an option that has the address: many other things are called a request. */
function isWrapper(code: Code, call: Call): boolean {
  if (call.previous || call.chain.length > 2 || !WRAPPER.test(lastName(call))) return false;
  const [first] = call.args;
  return Boolean(first && code.tokens[first.start]?.text === '{' && option(code, call, 'url'));
}

/** Routes are written the same way, `api.get('/x', handler)`, so nothing in the arguments may be a function. */
function isOwnClient(code: Code, call: Call): boolean {
  const receiver = call.chain.at(-2);
  if (
    !/^(?:get|post|put|patch|delete|head|request)$/.test(lastName(call)) ||
    receiver === undefined ||
    call.previous ||
    call.isAnnotation
  )
    return false;
  if (call.origin && !LOCAL_MODULE.test(call.origin.module)) return false;
  const isJquery = /^(?:\$|jQuery)$/.test(receiver);
  if (!isJquery && !OWN_CLIENT.test(receiver)) return false;
  const hasBody = /^(?:post|put|patch)$/.test(lastName(call)) || isJquery;
  return call.args.slice(1).every((range, index) => {
    const tokens = code.tokens.slice(range.start, range.end);
    if (tokens[0]?.text === '{' || (hasBody && index === 0)) return !isFunction(code, range);
    return isJquery || OPTIONS.test(tokens.at(-1)?.text ?? '');
  });
}

function isFunction(code: Code, { end, start }: TokenRange): boolean {
  const first = code.tokens[start]?.text === 'async' ? start + 1 : start;
  if (code.tokens[first]?.text === 'function') return true;
  const behind = code.partners[first]! > first ? code.partners[first]! + 1 : first + 1;
  return behind < end && code.tokens[behind]?.text === '=>';
}

function addOwnClient(code: Code, call: Call, base: string | undefined, facts: FactList): void {
  const url = stringValue(code, call.args[0]);
  const isRequest = lastName(call) === 'request';
  const range = isRequest ? option(code, call, 'method') : undefined;
  const method = range ? stringValue(code, range) : isRequest ? 'GET' : lastName(call);
  if (url === null || method === null) return;
  // Others have keys: `client.get('user')`.
  const isRelative =
    /^[\w-]+\//.test(url) ||
    ((isRequest || HTTP.test(call.chain.at(-2)!)) && /^[\w-]+(?:$|[?\u0001])/.test(url));
  addHttpCall(facts, { method, url, base, isRelative, line: call.line });
}

function readBase(code: Code, call: Call, bases: Map<string, string>): void {
  if (!call.assignedTo || !call.origin || !CLIENTS.test(call.origin.module)) return;
  if (!/^(?:create|extend|defaults)$/.test(lastName(call))) return;
  const range =
    option(code, call, 'baseURL') ?? option(code, call, 'prefixUrl') ?? option(code, call, 'baseUrl');
  // An unknown base is a base nevertheless.
  if (range) bases.set(call.assignedTo, stringValue(code, range) ?? '/');
}

function readClientCall(code: Code, call: Call, base: string | undefined, facts: FactList): void {
  if (RESPONSE.test(call.origin!.path)) return;
  const name = lastName(call);
  if (VERBS.test(name) && (call.chain.length > 1 || call.previous)) {
    const url = stringValue(code, call.args[0]);
    if (url !== null) addHttpCall(facts, { method: name, url, base, line: call.line });
  } else if (name === 'request' || (call.chain.length === 1 && !call.previous))
    addRequest(code, call, 'GET', base, facts);
}

/** `fetch(url, { method })`, `axios({ url, method })`. */
function addRequest(
  code: Code,
  call: Call,
  otherwise: string,
  base: string | undefined,
  facts: FactList,
): void {
  const range =
    option(code, call, 'method') ?? (lastName(call) === 'ajax' ? option(code, call, 'type') : undefined);
  const method = range ? stringValue(code, range) : otherwise;
  const isOptions = call.args[0] && code.tokens[call.args[0].start]?.text === '{';
  const url = stringValue(
    code,
    isOptions ? (option(code, call, 'url') ?? option(code, call, 'uri')) : call.args[0],
  );
  if (method !== null && url !== null && isMethod(method))
    addHttpCall(facts, {
      method,
      url,
      base,
      isRelative: /^(?:ajax|getJSON)$/.test(lastName(call)),
      line: call.line,
    });
}
