/** How definitions and imports of a language are found: each language has a function that looks at one declaration after another. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type {
  ImportedModule,
  SymbolDefinition,
  SymbolKind,
} from '../../../platform/core/ports/code-facts.ts';

/** The surroundings of a declaration. */
export interface Scope {
  /** The class or module that it is part of. */
  container?: string | undefined;
  /** The kind of container. */
  inside: 'file' | 'class' | 'interface' | 'namespace';
  /** False in a container, or after a marker such as `private`, whose members can't be seen from other files. */
  isVisible: boolean;
}

export interface Definition {
  /** The whole definition, from its first to its last line. */
  node: Node;
  name: Node | null;
  kind: SymbolKind;
  isExported: boolean;
  container?: string | undefined;
  parameters?: SymbolDefinition['parameters'] | undefined;
}

export interface Collector {
  define(definition: Definition): void;
  import(node: Node, module: string, names: ImportedModule['names']): void;
  /** Says that a name that the file defines can be imported. */
  export(name: string): void;
  /** Looks at the named children of a node, one after another. */
  visitChildren(node: Node | null, scope: Scope): void;
  visit(node: Node, scope: Scope): void;
}

export interface LanguageRules {
  /** The types of nodes that are names; none when uses are found without a tree. */
  identifiers: readonly string[];
  visit(node: Node, scope: Scope, collector: Collector): void;
}

export const field = (node: Node, name: string): Node | null => node.childForFieldName(name);

export const children = (node: Node | null): Node[] =>
  node ? node.namedChildren.filter((child) => child !== null) : [];

export const fields = (node: Node, name: string): Node[] =>
  node.childrenForFieldName(name).filter((child) => child !== null);

/** The text of a string literal without its quotes. */
export const unquote = (node: Node | null): string => node?.text.replace(/^["'`<]|["'`>]$/g, '') ?? '';

/** How many arguments a call has at least and at most. */
export function countParameters(
  list: Node | null,
  roleOf: (parameter: Node) => 'required' | 'optional' | 'rest' | 'none',
): SymbolDefinition['parameters'] {
  const counted = { required: 0, total: 0 as number | null };
  for (const parameter of list?.children ?? []) {
    const role = parameter ? roleOf(parameter) : 'none';
    // Brackets and commas are skipped, but a sign such as `...` counts.
    if (role === 'rest') counted.total = null;
    else if (!parameter?.isNamed) continue;
    else if (role !== 'none' && counted.total !== null) counted.total += 1;
    if (role === 'required') counted.required += 1;
  }
  return counted;
}
