/** The interface of an extractor: it finds facts of one kind in a file. */
import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import type { Fact, ImportedModule, SymbolDefinition } from '../../platform/core/ports/code-facts.ts';

export interface FileSource {
  path: string;
  /** As `languageOf` names it; null for files of unknown languages. */
  language: string | null;
  text: string;
  /** Null when there is no grammar for the language, or the file could not be parsed within the limits. */
  tree: Tree | null;
  imports: ImportedModule[];
  symbols: SymbolDefinition[];
}

/**
 * Extractors are pure, synchronous and bounded, and never throw because of what a file contains. Look at the path, the
 * imports and the text before the tree: visiting a node takes as long as searching a kilobyte of text.
 */
export interface Extractor {
  name: string;
  accepts(path: string, language: string | null): boolean;
  extract(file: FileSource): Fact[];
}

/** The line of a node, from 1. */
export const lineOf = (node: Node): number => node.startPosition.row + 1;
