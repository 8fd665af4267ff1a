/** Routes of Rails and Sinatra. */
import type { FileSource } from '../../extractor.ts';
import type { FactList } from '../fact-list.ts';
import { addRoute, joinPaths } from './route-name.ts';

const ROUTES_FILE = /(?:^|\/)config\/routes(?:\/[\w/]{1,200})?\.rb$/;
const VERB = /^(get|post|put|patch|delete|match)[\s(]{1,4}(.{1,400})$/;
const BLOCK = /\bdo\b(?:\s{0,4}\|[^|\n]{0,80}\|)?$|\{\s{0,4}(?:\|[^|\n]{0,80}\|)?$/;
const NAME = /^(?::(\w{1,80})|["']([^"'\s]{0,200})["'])/;

const RESOURCE_ROUTES: Record<string, [string, string][]> = {
  index: [['GET', '']],
  create: [['POST', '']],
  new: [['GET', '/new']],
  edit: [['GET', '/{}/edit']],
  show: [['GET', '/{}']],
  update: [
    ['PATCH', '/{}'],
    ['PUT', '/{}'],
  ],
  destroy: [['DELETE', '/{}']],
};

interface Block {
  prefix: string;
  /** Nested routes of a resource are below one of its items. */
  item: string;
}

export function readRubyRoutes(file: FileSource, facts: FactList): void {
  if (ROUTES_FILE.test(file.path)) readRails(file.text, facts);
  else if (/\bSinatra::(?:Base|Application)\b|require ['"]sinatra/.test(file.text))
    readSinatra(file.text, facts);
}

function readSinatra(source: string, facts: FactList): void {
  const blocks: string[] = [];
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw.slice(0, 600).trim();
    const namespace = /^namespace[\s(]{1,4}["']([^"'\s]{1,200})["']\)?\s{1,4}do\b/.exec(line);
    const match =
      /^(get|post|put|patch|delete|head|options)[\s(]{1,4}["']([^"'\s]{1,200})["'].{0,200}\bdo\b/.exec(line);
    if (match?.[2]?.startsWith('/')) {
      addRoute(facts, {
        method: match[1]!,
        path: joinPaths(...blocks, match[2]),
        line: index + 1,
        detail: 'sinatra',
      });
    }
    if (namespace) blocks.push(namespace[1]!);
    else if (
      /\bdo\b(?:\s{0,4}\|[^|\n]{0,80}\|)?$/.test(line) ||
      /^(?:if|unless|case|def|class|module|begin|while)\b/.test(line)
    )
      blocks.push('');
    else if (/^end\b/.test(line)) blocks.pop();
    if (blocks.length > 100) return;
  }
}

function readRails(source: string, facts: FactList): void {
  const blocks: Block[] = [];
  for (const [index, raw] of source.split('\n').entries()) {
    const line = raw
      .slice(0, 600)
      .replace(/\s#.*$/, '')
      .trim();
    const around = blocks.at(-1) ?? { prefix: '', item: '' };
    const opens = BLOCK.test(line);
    const inner = readRailsLine(line, index + 1, around, facts);
    if (opens || /^(?:if|unless|case|def|class|module|begin)\b/.test(line)) blocks.push(inner ?? around);
    else if (/^(?:end|\})/.test(line)) blocks.pop();
    if (blocks.length > 100) return;
  }
}

/** Returns what holds inside of the line's block, if that is something else. */
function readRailsLine(line: string, number: number, around: Block, facts: FactList): Block | null {
  const directive = /^(namespace|scope|resources?|member|collection|root)\b[\s(]{0,4}(.{0,500})$/.exec(line);
  const base = joinPaths(around.prefix, around.item);
  if (directive) {
    const [, word, rest] = directive;
    if (word === 'root') addRoute(facts, { method: 'GET', path: base || '/', line: number, detail: 'rails' });
    if (word === 'namespace')
      return { prefix: joinPaths(base, pathOption(rest!) ?? nameOf(rest!)), item: '' };
    if (word === 'scope') {
      const path = pathOption(rest!) ?? (/^["':]/.test(rest!) ? nameOf(rest!) : '');
      return { prefix: joinPaths(base, path), item: '' };
    }
    if (word === 'member') return around;
    if (word === 'collection') return { prefix: around.prefix, item: '' };
    if (word === 'resources' || word === 'resource') return addResources(word, rest!, number, base, facts);
    return null;
  }
  const verb = VERB.exec(line);
  if (!verb) return null;
  const path = nameOf(verb[2]!);
  if (path === null) return null;
  const own = /\bon:\s{0,4}:collection\b/.test(verb[2]!) ? around.prefix : base;
  for (const method of methodsOf(verb[1]!, verb[2]!)) {
    const clean = path.replace(/\(\.?:\w{1,40}\)$/, '').replace(/[()]/g, '');
    addRoute(facts, { method, path: joinPaths(own, clean), line: number, detail: 'rails' });
  }
  return null;
}

function addResources(word: string, rest: string, line: number, base: string, facts: FactList): Block | null {
  const names = [
    ...rest
      .split(/\b(?:only|except|path|controller|as|module|param|do)\b/)[0]!
      .matchAll(/(?:^|,\s{0,8}):(\w{1,80})/g),
  ];
  const path = pathOption(rest);
  const actions = actionsOf(rest).filter((action) => word === 'resources' || action !== 'index');
  let inner: Block | null = null;
  for (const [, name] of names) {
    const prefix = joinPaths(base, path ?? name);
    for (const action of actions) {
      for (const [method, suffix] of RESOURCE_ROUTES[action]!) {
        const tail = word === 'resource' ? suffix.replace('/{}', '') : suffix;
        addRoute(facts, { method, path: `${prefix}${tail}`, line, detail: 'rails' });
      }
    }
    inner = { prefix, item: word === 'resources' ? '/{}' : '' };
  }
  return inner;
}

function actionsOf(rest: string): string[] {
  const all = Object.keys(RESOURCE_ROUTES);
  const only = /\bonly:\s{0,4}(\[[^\]]{0,200}\]|:\w{1,20}|%i\[[^\]]{0,200}\])/.exec(rest)?.[1];
  if (only) return all.filter((action) => new RegExp(`\\b${action}\\b`).test(only));
  const except = /\bexcept:\s{0,4}(\[[^\]]{0,200}\]|:\w{1,20}|%i\[[^\]]{0,200}\])/.exec(rest)?.[1];
  return except ? all.filter((action) => !new RegExp(`\\b${action}\\b`).test(except)) : all;
}

function pathOption(rest: string): string | null {
  return /\bpath:\s{0,4}["']([^"']{0,200})["']/.exec(rest)?.[1] ?? null;
}

function nameOf(rest: string): string | null {
  const match = NAME.exec(rest);
  return match ? (match[1] ?? match[2]!) : null;
}

function methodsOf(verb: string, rest: string): string[] {
  if (verb !== 'match') return [verb];
  const via = /\bvia:\s{0,4}(\[[^\]]{0,100}\]|:\w{1,10})/.exec(rest)?.[1] ?? '';
  const methods = [...via.matchAll(/\b(get|post|put|patch|delete)\b/g)].map(([method]) => method);
  return methods.length > 0 ? methods : ['ANY'];
}
