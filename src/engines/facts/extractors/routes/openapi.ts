/** Routes of OpenAPI and Swagger documents, in JSON or YAML. */
import { at, type DataNode, entries, items, text } from '../data/data-node.ts';
import { readJson } from '../data/read-json.ts';
import type { FactList } from '../fact-list.ts';
import { addRoute, joinPaths } from './route-name.ts';

const DOCUMENT = /(?:^|[{,])\s{0,20}"?(?:openapi|swagger)"?\s{0,8}:\s{0,8}["']?[23]\./m;
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);

export function isOpenApi(source: string): boolean {
  return DOCUMENT.test(source.slice(0, 4000));
}

export function readOpenApi(path: string, source: string, facts: FactList): void {
  if (!isOpenApi(source)) return;
  if (/\.json$/i.test(path)) readJsonDocument(readJson(source), facts);
  else readYamlDocument(source, facts);
}

function readJsonDocument(root: DataNode | null, facts: FactList): void {
  addTitle(text(at(root, 'info', 'title')), at(root, 'info', 'title')?.line ?? 1, facts);
  const server = text(at(root, 'basePath')) ?? serverPath(text(at(items(at(root, 'servers'))[0], 'url')));
  for (const [path, operations] of entries(at(root, 'paths'))) {
    for (const [method, operation] of entries(operations)) {
      if (!METHODS.has(method)) continue;
      const detail = text(at(operation, 'summary')) ?? text(at(operation, 'operationId')) ?? 'openapi';
      addRoute(facts, { method, path: joinPaths(server, path), line: operation.line, detail });
    }
  }
}

function addTitle(title: string | undefined, line: number, facts: FactList): void {
  if (title) facts.add({ kind: 'contract', role: 'provides', name: `openapi:${title}`, line });
}

/** The path of `https://host/api/v1` or `/api/v1`; nothing when it depends on variables. */
function serverPath(url: string | undefined): string | undefined {
  if (!url || url.includes('{')) return undefined;
  return url.replace(/^https?:\/\/[^/]{0,300}/, '');
}

const YAML_KEY =
  /^( {0,40})(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|([^\s"'#:][^\n:]{0,300}?)):(?:\s{1,8}([^\n]{0,400}))?$/;

/** By indentation, line by line: documents of several megabytes are common, and only the keys matter. */
function readYamlDocument(source: string, facts: FactList): void {
  let section = '';
  let server: string | undefined;
  let path: { indent: number; text: string } | null = null;
  let methodIndent = -1;
  let pending: { method: string; line: number; detail: string } | null = null;
  const flush = () => {
    if (pending && path) addRoute(facts, { ...pending, path: joinPaths(server, path.text) });
    pending = null;
  };
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 1000).trimEnd();
    const item = /^\s{0,40}-\s{1,8}url:\s{1,8}["']?([^"'\s]{1,300})/.exec(line);
    if (item && section === 'servers') server ??= serverPath(item[1]);
    const match = YAML_KEY.exec(line);
    if (!match) continue;
    const indent = match[1]!.length;
    const key = match[2] ?? match[3] ?? match[4]!;
    const value = match[5]?.replace(/^["']|["']$/g, '');
    if (indent === 0) {
      flush();
      section = key;
      path = null;
      if (key === 'basePath') server = value;
    } else if (section === 'info' && key === 'title' && value) addTitle(value, index + 1, facts);
    else if (section === 'paths') {
      if (key.startsWith('/') && (!path || indent <= path.indent)) {
        flush();
        path = { indent, text: key };
        methodIndent = -1;
      } else if (path && METHODS.has(key) && (methodIndent === -1 || indent === methodIndent)) {
        flush();
        methodIndent = indent;
        pending = { method: key, line: index + 1, detail: 'openapi' };
      } else if (
        pending &&
        value &&
        indent === methodIndent + 2 &&
        (key === 'summary' || key === 'operationId')
      ) {
        if (key === 'summary' || pending.detail === 'openapi') pending.detail = value;
      }
    }
  }
  flush();
}
