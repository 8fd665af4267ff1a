/** HTTP calls in C# (HttpClient, Refit), Ruby (Net::HTTP, Faraday, HTTParty, RestClient) and PHP (Guzzle, Laravel, Symfony). */
import type { FileSource } from '../../extractor.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { option, stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { lastName, receiverOf } from '../routes/scopes.ts';
import { addHttpCall } from './url.ts';

const DOTNET_CALL =
  /^(Get|Post|Put|Patch|Delete)(?:AsJson|FromJson|String|Stream|ByteArray)?(?:AsyncEnumerable|Async)$/;

/** Wrappers of a client are named after it, or after what they send. */
const CLIENT_NAME = /http|client|request|rest(?![a-z])|api/i;

export function readCSharpCalls(file: FileSource, facts: FactList): void {
  const isRefit = file.imports.some(({ module }) => module === 'Refit');
  if (!isRefit && !/\bHttp(?:Client|RequestMessage)\b|(?:Get|Post|Put|Patch|Delete)Async\b/.test(file.text))
    return;
  const code = readCode(file);
  for (const call of code.calls) {
    const url = stringValue(code, call.args[0]);
    if (call.isAnnotation) {
      if (isRefit && url !== null && /^(?:Get|Post|Put|Patch|Delete)$/.test(lastName(call))) {
        addHttpCall(facts, { method: lastName(call), url, line: call.line });
      }
      continue;
    }
    const method = DOTNET_CALL.exec(lastName(call))?.[1];
    const isClient = call.origin?.module === 'System.Net.Http' || CLIENT_NAME.test(receiverOf(call) ?? '');
    if (method && url !== null && isClient)
      addHttpCall(facts, { method, url, isRelative: url.includes('/'), line: call.line });
    if (lastName(call) !== 'HttpRequestMessage') continue;
    const verb = call.args[0] && code.tokens[call.args[0].end - 1]?.text;
    const target = stringValue(code, call.args[1]);
    if (verb && target !== null)
      addHttpCall(facts, { method: verb, url: target, isRelative: true, line: call.line });
  }
}

const RUBY_CLIENTS = /^(?:faraday|httparty|rest-client|net\/http|http|typhoeus)$/;

export function readRubyCalls(file: FileSource, facts: FactList): void {
  if (!/\b(?:Faraday|HTTParty|RestClient|Net::HTTP|Typhoeus)\b/.test(file.text)) return;
  const code = readCode(file);
  const bases = new Map<string, string>();
  for (const call of code.calls) {
    if (!call.origin || !RUBY_CLIENTS.test(call.origin.module)) continue;
    if (lastName(call) === 'new' && call.assignedTo) {
      const base = stringValue(code, option(code, call, 'url') ?? call.args[0]);
      if (base !== null) bases.set(call.assignedTo, base);
    }
    const method = /^(get|post|put|patch|delete|head)(?:_response|_form)?$/.exec(lastName(call))?.[1];
    const isMade =
      /^(?:Get|Post|Put|Patch|Delete)$/.test(call.chain.at(-2) ?? '') && lastName(call) === 'new';
    const verb = method ?? (isMade ? call.chain.at(-2)! : null);
    const url = stringValue(code, call.args[0]);
    if (verb && url !== null)
      addHttpCall(facts, { method: verb, url, base: bases.get(receiverOf(call) ?? ''), line: call.line });
  }
}

export function readPhpCalls(file: FileSource, facts: FactList): void {
  const clients =
    /^(?:GuzzleHttp|Illuminate\\Support\\Facades|Symfony\\Contracts\\HttpClient|Symfony\\Component\\HttpClient)/;
  if (!file.imports.some(({ module }) => clients.test(module))) return;
  const code = readCode(file);
  for (const call of code.calls) {
    if (!call.origin || !clients.test(call.origin.module)) continue;
    if (call.origin.module.startsWith('Illuminate') && !/^Http\b/.test(rootName(call))) continue;
    readPhpCall(code, call, facts);
  }
}

function readPhpCall(code: Code, call: Call, facts: FactList): void {
  const name = lastName(call).replace(/Async$/, '');
  if (/^(?:get|post|put|patch|delete|head)$/.test(name)) {
    const url = stringValue(code, call.args[0]);
    if (url !== null) addHttpCall(facts, { method: name, url, line: call.line });
  }
  if (name !== 'request') return;
  const method = stringValue(code, call.args[0]);
  const url = stringValue(code, call.args[1]);
  if (method !== null && url !== null) addHttpCall(facts, { method, url, line: call.line });
}

function rootName(call: Call): string {
  let first = call;
  while (first.previous) first = first.previous;
  return first.chain[0]!;
}
