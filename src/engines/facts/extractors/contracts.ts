/** Interface definitions: Protocol Buffers, GraphQL and AsyncAPI, and the code that serves or calls gRPC services. */
import type { Extractor, FileSource } from '../extractor.ts';
import { isTestPath } from '../path-kinds.ts';
import { at, entries } from './data/data-node.ts';
import { readJson } from './data/read-json.ts';
import { readYaml } from './data/read-yaml.ts';
import { FactList } from './fact-list.ts';
import { readGrpc } from './grpc.ts';

const GRAPHQL = /\.(?:graphql|gql|graphqls)$/i;
const CODE = new Set(['go', 'java', 'kotlin', 'python', 'csharp', 'javascript', 'typescript', 'cpp']);

export const contracts: Extractor = {
  name: 'contracts',
  accepts: (path, language) =>
    !isTestPath(path) &&
    (/\.proto$/.test(path) ||
      GRAPHQL.test(path) ||
      language === 'json' ||
      language === 'yaml' ||
      CODE.has(language ?? '')),
  extract(file) {
    const facts = new FactList();
    if (file.path.endsWith('.proto')) readProto(file.text, facts);
    else if (GRAPHQL.test(file.path)) readGraphql(file.text, facts);
    else if (file.language === 'json' || file.language === 'yaml') readAsyncApi(file, facts);
    else readGrpc(file, facts);
    return facts.facts;
  },
};

function add(facts: FactList, role: 'provides' | 'uses', name: string, line: number, detail?: string): void {
  facts.add({ kind: 'contract', role, name, line, detail });
}

function readProto(source: string, facts: FactList): void {
  let prefix = '';
  let service: string | null = null;
  let isComment = false;
  let depth = 0;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw
      .slice(0, 1000)
      .replace(/\/\*.{0,900}?\*\//g, '')
      .replace(/\/\/.*$/, '')
      .trim();
    if (isComment || line.startsWith('/*')) {
      isComment = !line.includes('*/');
      continue;
    }
    const declared = /^package\s{1,8}([\w.]{1,200})\s{0,4};/.exec(line);
    if (declared) prefix = `${declared[1]}.`;
    const imported = /^import\s{1,8}(?:(?:public|weak)\s{1,8})?"([^"]{1,300})"/.exec(line);
    if (imported) add(facts, 'uses', `proto:${imported[1]}`, index + 1, 'import');
    const opened = /^(service|message|enum)\s{1,8}(\w{1,200})/.exec(line);
    if (opened && depth === 0) {
      add(facts, 'provides', `proto:${prefix}${opened[2]}`, index + 1, opened[1]);
      service = opened[1] === 'service' ? opened[2]! : null;
    }
    const rpc = /^rpc\s{1,8}(\w{1,200})\s{0,4}\(/.exec(line);
    if (rpc && service) add(facts, 'provides', `proto:${prefix}${service}/${rpc[1]}`, index + 1, 'rpc');
    for (const character of line) depth += character === '{' ? 1 : character === '}' ? -1 : 0;
  }
}

const ROOTS = new Set(['Query', 'Mutation', 'Subscription']);

/** Types, and the fields of the root types. Documents of clients use the fields that they select first. */
function readGraphql(source: string, facts: FactList): void {
  let root: string | null = null;
  let operation: string | null = null;
  let depth = 0;
  let parentheses = 0;
  let isDescription = false;
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 1000).replace(/#.*$/, '').trim();
    if (line.startsWith('"""') && !(line.length > 5 && line.endsWith('"""'))) isDescription = !isDescription;
    else if (isDescription && line.endsWith('"""')) isDescription = false;
    if (isDescription || line.startsWith('"')) continue;
    const type = /^(?:extend\s{1,4})?(type|interface|input|enum|union|scalar)\s{1,4}(\w{1,200})/.exec(line);
    if (type && depth === 0) {
      root = ROOTS.has(type[2]!) ? type[2]! : null;
      operation = null;
      if (!root) add(facts, 'provides', `graphql:${type[2]}`, index + 1, type[1]);
    }
    const selected = depth === 0 && /^(query|mutation|subscription)\b/.exec(line)?.[1];
    if (selected) {
      root = null;
      operation = `${selected[0]!.toUpperCase()}${selected.slice(1)}`;
    }
    if (depth === 0 && /^fragment\b/.test(line)) operation = null;
    const field =
      depth === 1 &&
      parentheses === 0 &&
      /^(?:\w{1,100}\s{0,4}:\s{0,4}(?=\w{1,100}\s{0,4}[({]))?(\w{1,200})/.exec(line)?.[1];
    if (field && root) add(facts, 'provides', `graphql:${root}.${field}`, index + 1, 'field');
    else if (field && operation) add(facts, 'uses', `graphql:${operation}.${field}`, index + 1, 'operation');
    for (const character of line) {
      if (character === '{' && parentheses === 0) depth += 1;
      else if (character === '}' && parentheses === 0) depth -= 1;
      else if (character === '(') parentheses += 1;
      else if (character === ')') parentheses -= 1;
    }
  }
}

const ASYNC_API = /(?:^|[{,])\s{0,8}"?asyncapi"?\s{0,8}:\s{0,8}["']?[123]\./m;

/** Version 2 says from outside what may be done with a channel: `publish` there is what the service receives. */
function readAsyncApi(file: FileSource, facts: FactList): void {
  if (!ASYNC_API.test(file.text.slice(0, 4000))) return;
  const root = file.language === 'json' ? readJson(file.text) : readYaml(file.text)[0];
  const title = at(root, 'info', 'title');
  if (title) add(facts, 'provides', `asyncapi:${String(title.scalar)}`, title.line);
  for (const [channel, node] of entries(at(root, 'channels'))) {
    const address = at(node, 'address')?.scalar;
    const name = typeof address === 'string' ? address : channel;
    if (at(node, 'subscribe'))
      facts.add({ kind: 'event', role: 'provides', name, line: node.line, detail: 'asyncapi' });
    if (at(node, 'publish'))
      facts.add({ kind: 'event', role: 'uses', name, line: node.line, detail: 'asyncapi' });
  }
}
