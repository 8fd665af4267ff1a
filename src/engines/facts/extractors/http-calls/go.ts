/** HTTP calls of net/http and resty. */
import type { FileSource } from '../../extractor.ts';
import type { TokenRange } from '../code/read-code.ts';
import { type Call, type Code, readCode } from '../code/read-code.ts';
import { stringValue } from '../code/values.ts';
import type { FactList } from '../fact-list.ts';
import { lastName } from '../routes/scopes.ts';
import { addHttpCall } from './url.ts';

const RESTY = /^(?:github\.com\/go-resty\/resty|resty\.dev)/;
const CLIENT_PATH = /^(?:|Client|Client\(\)|DefaultClient)$/;

export function readGoCalls(file: FileSource, facts: FactList): void {
  if (!file.imports.some(({ module }) => module === 'net/http' || RESTY.test(module))) return;
  const code = readCode(file);
  for (const call of code.calls) {
    const module = call.origin?.module;
    if (module === 'net/http') addNetHttp(code, call, facts);
    else if (module && RESTY.test(module)) addResty(code, call, facts);
  }
}

function addNetHttp(code: Code, call: Call, facts: FactList): void {
  const name = lastName(call);
  if (!CLIENT_PATH.test(call.origin!.path)) return;
  const request = name === 'NewRequest' ? 0 : name === 'NewRequestWithContext' ? 1 : -1;
  if (request !== -1) {
    const method = methodValue(code, call.args[request]);
    const url = stringValue(code, call.args[request + 1]);
    if (method && url !== null) addHttpCall(facts, { method, url, line: call.line });
  } else if (/^(?:Get|Head|Post|PostForm)$/.test(name)) {
    const url = stringValue(code, call.args[0]);
    const method = name === 'PostForm' ? 'POST' : name;
    if (url !== null) addHttpCall(facts, { method, url, line: call.line });
  }
}

function addResty(code: Code, call: Call, facts: FactList): void {
  const url = stringValue(code, call.args[0]);
  if (!call.previous || url === null || !/^(?:Get|Post|Put|Patch|Delete|Head)$/.test(lastName(call))) return;
  addHttpCall(facts, { method: lastName(call), url, line: call.line });
}

/** `"GET"` or `http.MethodGet`. */
function methodValue(code: Code, range: TokenRange | undefined): string | null {
  if (!range) return null;
  const constant = /^Method(\w{3,7})$/.exec(code.tokens[range.end - 1]?.text ?? '')?.[1];
  return constant ?? stringValue(code, range);
}
