/** Environment variables, options, routes and exports that the code no longer has but documents still mention. */
import type { Check, Found } from '../check.ts';
import { fileClassOf } from '../code/file-class.ts';
import { type Change, removedLines } from '../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../code/review-code.ts';
import { shellWord } from '../code/shell-word.ts';
import { HISTORY } from './named-paths.ts';
import { listRemoved } from './removed/removed-but-used.ts';
import { listRemovedRoutes } from './removed/removed-routes.ts';

const DOCUMENT = /\.(md|mdx|rst|adoc|asciidoc)$/i;
/** Lines that say that something is gone, and documents about earlier versions. */
const ABOUT_THE_PAST =
  /\b(removed?|removal|deprecat\w*|renamed?|replaced?|no longer|formerly|previously|legacy|until|before)\b/i;
const OLD_DOCUMENT =
  /(^|\/)[^/]*(upgrad|migrat|deprecat|versioned_docs|archive|plans?|todo|roadmap|tests?|skills?|\.claude|\.agents|\.cursor)[^/]*(\/|$)/i;
const OPTION = /(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?![\w-])/g;
const MAX_NAMES = 200;
const MIN_SYMBOL_CHARACTERS = 8;

interface Gone {
  kind: 'environment variable' | 'option' | 'route' | 'export';
  name: string;
  path: string;
  line: number;
  quote: string;
}

export const documentedNames: Check = {
  name: 'documented_but_removed',
  reviewer: 'documentation_drift',
  looksFor: 'removed environment variables, options, routes and exports that documents still mention',
  // Its findings on merged changes were in designs and posts, which describe the time when they were written.
  isOffByDefault: true,
  async run(change, code) {
    const gone = await listGone(change, code);
    if (gone.length === 0) return [];
    const { lines, truncated } = await code.find('head', [...new Set(gone.map(({ name }) => name))], {
      wholeWords: false,
    });
    if (truncated) return [];
    const results: Found[] = [];
    for (const each of gone) {
      const naming = lines.filter(({ text }) => isNamedIn(text, each.name));
      // Anything but a document may still have it.
      if (naming.some(({ path }) => !DOCUMENT.test(path) && fileClassOf(path) !== 'docs')) continue;
      const documents = naming.filter((line) => isPromise(line, each));
      if (documents.length > 0) results.push(describe(change, each, documents));
    }
    return results;
  },
};

async function listGone(change: Change, code: ReviewCode): Promise<Gone[]> {
  const gone: Gone[] = [];
  for (const file of change.files) {
    if (file.fileClass !== 'code' || file.change === 'added') continue;
    const path = file.oldPath ?? file.path;
    const removed = new Map(removedLines(file).map(({ number, text }) => [number, text] as const));
    for (const [line, quote] of removed)
      for (const [name] of quote.matchAll(OPTION)) gone.push({ kind: 'option', name, path, line, quote });
    const before = (await code.facts('base', path))?.facts ?? [];
    for (const { kind, line, name, role } of before) {
      const quote = removed.get(line);
      if (kind !== 'environment' || role !== 'uses' || quote === undefined) continue;
      gone.push({ kind: 'environment variable', name, path, line, quote });
    }
  }
  for (const { file, line, name, quote } of await listRemovedRoutes(change, code)) {
    // A path with parameters is written in many ways.
    const [, path] = name.split(' ');
    if (path && !path.includes('{}')) gone.push({ kind: 'route', name: path, path: file, line, quote });
  }
  for (const { path, symbol } of await listRemoved(change, code)) {
    const isTelling = symbol.name.length >= MIN_SYMBOL_CHARACTERS && /[a-z][A-Z]|\w_\w/.test(symbol.name);
    if (!isTelling || symbol.container !== undefined) continue;
    const quote = (await code.read('base', path))?.split('\n')[symbol.line - 1] ?? '';
    gone.push({ kind: 'export', name: symbol.name, path, line: symbol.line, quote });
  }
  return [...new Map(gone.map((each) => [each.name, each])).values()].slice(0, MAX_NAMES);
}

/** Not as a part of a longer name. */
function isNamedIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!/[\w-]$/.test(text.slice(0, at)) && !/^(\w|-\w|\/\w)/.test(text.slice(at + name.length)))
      return true;
  return false;
}

/** Whether a document says that it is there: in code, and not about the past. */
function isPromise({ path, text }: FoundLine, { kind, name }: Gone): boolean {
  if (!DOCUMENT.test(path) || HISTORY.test(path) || OLD_DOCUMENT.test(path)) return false;
  if (ABOUT_THE_PAST.test(text)) return false;
  return kind !== 'export' || new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\`|\\b${name}\\(`).test(text);
}

function describe(change: Change, { kind, line, name, path, quote }: Gone, documents: FoundLine[]): Found {
  const [first] = documents;
  return {
    claim: 'missing',
    subject: name,
    title: `The ${kind} ${name} was removed but is still documented`,
    scenario: `${first!.path}:${first!.line} documents the ${kind} ${name}, which the code no longer has.`,
    file: path,
    side: 'base',
    line,
    quote,
    evidence: documents
      .slice(0, 3)
      .map((each) => ({ side: 'head', path: each.path, line: each.line, quote: each.text.trim() })),
    command: `git grep -nF -e ${shellWord(name)} ${change.head.slice(0, 12)}`,
  };
}
