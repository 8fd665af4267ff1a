/** Parses source text with tree-sitter: grammars are WebAssembly modules, loaded when first needed. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import TreeSitter, { type Language, type Parser, type Tree } from '@vscode/tree-sitter-wasm';
import type { Grammar } from './language.ts';
import { MAX_PARSE_MS } from './limits.ts';

const FOLDER = dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm'));

let starting: Promise<void> | undefined;
let parser: Parser | undefined;
const languages = new Map<Grammar, Promise<Language>>();

/** All files share one parser, so they are parsed one after another; `parse` is synchronous. */
export interface LoadedGrammar {
  language: Language;
  /** Null when it took too long. The caller deletes the tree. */
  parse(text: string): Tree | null;
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
  };
}
