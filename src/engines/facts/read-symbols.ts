/** Reads definitions and imports from a tree, declaration by declaration, by the rules of its language. */
import type { Node, Tree } from '@vscode/tree-sitter-wasm';
import type { FileFacts, ImportedModule, SymbolDefinition } from '../../platform/core/ports/code-facts.ts';
import type { Collector, Definition, LanguageRules, Scope } from './languages/rules.ts';
import {
  MAX_CONTAINERS,
  MAX_IMPORTED_NAMES,
  MAX_IMPORTS,
  MAX_MODULE_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_SYMBOLS,
} from './limits.ts';

export interface DeclaredSymbols {
  symbols: SymbolDefinition[];
  imports: ImportedModule[];
  incomplete: FileFacts['incomplete'];
}

export function readSymbols(tree: Tree, rules: LanguageRules): DeclaredSymbols {
  const read: DeclaredSymbols = { symbols: [], imports: [], incomplete: null };
  let depth = 0;
  const exported = new Set<string>();
  const collector: Collector = {
    define(definition) {
      const symbol = toSymbol(definition);
      if (!symbol) return;
      if (read.symbols.length < MAX_SYMBOLS) read.symbols.push(symbol);
      else read.incomplete = 'too_many';
    },
    export: (name) => void exported.add(name),
    import(node, module, names) {
      if (module === '' || module.length > MAX_MODULE_CHARACTERS) return;
      const line = node.startPosition.row + 1;
      const isWhole = read.imports.length < MAX_IMPORTS && names.length <= MAX_IMPORTED_NAMES;
      if (read.imports.length < MAX_IMPORTS)
        read.imports.push({ module, line, names: names.slice(0, MAX_IMPORTED_NAMES) });
      if (!isWhole) read.incomplete = 'too_many';
    },
    visit(node, scope) {
      if (depth >= MAX_CONTAINERS) {
        read.incomplete = 'too_deep';
        return;
      }
      depth += 1;
      rules.visit(node, scope, collector);
      depth -= 1;
    },
    visitChildren(node, scope) {
      for (const child of node?.namedChildren ?? []) if (child) collector.visit(child, scope);
    },
  };
  const file: Scope = { inside: 'file', isVisible: true };
  collector.visitChildren(tree.rootNode, file);
  for (const symbol of read.symbols) {
    if (symbol.container === undefined && exported.has(symbol.name)) symbol.isExported = true;
  }
  return read;
}

/** A node that ends with its line feed doesn't reach the next line. */
function lastLine({ endPosition: { column, row } }: Node): number {
  return column === 0 ? row : row + 1;
}

function toSymbol({
  container,
  isExported,
  kind,
  name,
  node,
  parameters,
}: Definition): SymbolDefinition | undefined {
  const text = name && nameText(name);
  if (!text) return undefined;
  return {
    name: text,
    kind,
    line: name.startPosition.row + 1,
    endLine: lastLine(node),
    isExported,
    ...(container && container.length <= MAX_NAME_CHARACTERS && { container }),
    ...(parameters && { parameters }),
  };
}

/** Names of members can be quoted, and those of Ruby's attributes are symbols. */
function nameText(name: Node): string | undefined {
  const text = name.text.replace(/^[:"']|["']$/g, '');
  return text !== '' && text.length <= MAX_NAME_CHARACTERS && !/\s/.test(text) ? text : undefined;
}
