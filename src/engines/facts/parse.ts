/** Parses source text with tree-sitter: grammars are WebAssembly modules, loaded when first needed. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import TreeSitter, { type Language, type Parser, type Query, type Tree } from '@vscode/tree-sitter-wasm';
import type { Grammar } from './language.ts';
import { MAX_PARSE_MS } from './limits.ts';

const FOLDER = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));

let starting: Promise<void> | undefined;
let parser: Parser | undefined;
const languages = new Map<Grammar, Promise<Language>>();
/** By grammar and text: compiling one takes as long as a small file. */
const queries = new Map<string, Query>();

/** All files share one parser, so they are parsed one after another; `parse` is synchronous. */
export interface LoadedGrammar {
  language: Language;
  /** Null when it took too long. The caller deletes the tree. */
  parse(text: string): Tree | null;
  /** The same query each time it is asked for by the same text. */
  query(source: string): Query;
}

export async function loadGrammar(grammar: Grammar): Promise<LoadedGrammar> {
  starting ??= TreeSitter.Parser.init({ locateFile: (file) => join(FOLDER, file) });
  await starting;
  const loading =
    languages.get(grammar) ?? TreeSitter.Language.load(join(FOLDER, `tree-sitter-${grammar}.wasm`));
  languages.set(grammar, loading);
  const language = await loading;
  parser ??= new TreeSitter.Parser();
  const own = parser;
  return {
    language,
    parse(text) {
      const endsAt = performance.now() + MAX_PARSE_MS;
      own.setLanguage(language);
      const tree = own.parse(text, null, { progressCallback: () => performance.now() > endsAt });
      // Otherwise the next call would continue with this text.
      if (!tree) own.reset();
      return tree;
    },
    query(source) {
      const key = `${grammar} ${source}`;
      const query = queries.get(key) ?? new TreeSitter.Query(language, source);
      queries.set(key, query);
      return query;
    },
  };
}
