/** How a language shows where a name is declared and where it is used: each looks at one name in its tree. */
import type { Node } from '@vscode/tree-sitter-wasm';

/**
 * `declares` holds in the nearest scope around the name, `declares_outside` in the one around what it names, such as a function.
 * `unsure` says that the name can come from elsewhere, so that nothing is said about it.
 */
export type NameRole = 'declares' | 'declares_outside' | 'uses' | 'unsure' | 'none';

export interface NameRules {
  /** The types of nodes that can be names. */
  types: readonly string[];
  /** The nodes in which a declaration holds. Blocks are left out: a name that is declared in one counts as declared in its function. */
  scopes: ReadonlySet<string>;
  /** Texts of files about which nothing can be said, such as those that import everything of a module. */
  silencedBy?: RegExp;
  roleOf(node: Node, parent: Node): NameRole;
  /** Names that imports declare without writing them. */
  impliedImports?(root: Node): { name: string; line: number }[];
}

export function isField(parent: Node, field: string, node: Node): boolean {
  return parent.childrenForFieldName(field).some((child) => child?.id === node.id);
}
