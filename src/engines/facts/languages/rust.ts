/** Definitions and imports of Rust. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type { ImportedModule, SymbolKind } from '../../../platform/core/ports/code-facts.ts';
import { type Collector, children, countParameters, field, type LanguageRules, type Scope } from './rules.ts';

export const RUST: LanguageRules = {
  identifiers: ['identifier', 'type_identifier', 'field_identifier', 'shorthand_field_identifier'],
  visit,
};

const KINDS: Record<string, SymbolKind> = {
  struct_item: 'class',
  union_item: 'class',
  enum_item: 'enum',
  trait_item: 'interface',
  mod_item: 'module',
  type_item: 'type',
  associated_type: 'type',
  const_item: 'constant',
  static_item: 'variable',
  field_declaration: 'field',
  enum_variant: 'constant',
  macro_definition: 'function',
};

function visit(node: Node, scope: Scope, collector: Collector): void {
  const kind = KINDS[node.type];
  if (kind) {
    const name = field(node, 'name');
    define(node, name, kind, scope, collector);
    const container = name?.text;
    // Members of traits and enums are as visible as these are; others say so themselves.
    const isWhole = node.type === 'trait_item' || node.type === 'enum_item';
    const inside = isWhole ? 'interface' : node.type === 'mod_item' ? 'namespace' : 'class';
    collector.visitChildren(field(node, 'body'), { container, inside, isVisible: isExported(node, scope) });
    return;
  }
  switch (node.type) {
    case 'function_item':
    case 'function_signature_item': {
      const isMethod = scope.inside === 'class' || scope.inside === 'interface';
      define(node, field(node, 'name'), isMethod ? 'method' : 'function', scope, collector);
      break;
    }
    case 'impl_item': {
      const container = /^[\w:]+/.exec(field(node, 'type')?.text ?? '')?.[0];
      const inside = field(node, 'trait') ? 'interface' : 'class';
      collector.visitChildren(field(node, 'body'), { container, inside, isVisible: true });
      break;
    }
    case 'foreign_mod_item':
      collector.visitChildren(field(node, 'body'), scope);
      break;
    case 'use_declaration':
      visitUse(node, field(node, 'argument'), '', collector);
      break;
    case 'extern_crate_declaration':
      collector.import(node, field(node, 'name')?.text ?? '', [{ name: '*' }]);
      break;
  }
}

function isExported(node: Node, scope: Scope): boolean {
  if (!scope.isVisible || scope.inside === 'interface') return scope.isVisible;
  return (
    node.type === 'macro_definition' || children(node).some(({ type }) => type === 'visibility_modifier')
  );
}

function define(node: Node, name: Node | null, kind: SymbolKind, scope: Scope, collector: Collector): void {
  const isCalled = node.type === 'function_item' || node.type === 'function_signature_item';
  collector.define({
    node,
    name,
    kind,
    isExported: isExported(node, scope),
    container: scope.container,
    ...(isCalled && { parameters: parametersOf(node) }),
  });
}

/** `use a::{b::c, d as e, f::*};` imports from three modules. */
function visitUse(statement: Node, part: Node | null, prefix: string, collector: Collector): void {
  if (!part) return;
  const join = (path: string) => (prefix && path ? `${prefix}::${path}` : prefix || path);
  const add = (path: string, as?: string) => {
    const last = path.lastIndexOf('::');
    const name: ImportedModule['names'][number] = { name: path.slice(last === -1 ? 0 : last + 2) };
    collector.import(statement, last === -1 ? path : path.slice(0, last), [as ? { ...name, as } : name]);
  };
  switch (part.type) {
    case 'scoped_use_list':
      visitUse(statement, field(part, 'list'), join(field(part, 'path')?.text ?? ''), collector);
      break;
    case 'use_list':
      for (const child of children(part)) visitUse(statement, child, prefix, collector);
      break;
    case 'use_as_clause':
      add(join(field(part, 'path')?.text ?? ''), field(part, 'alias')?.text);
      break;
    case 'use_wildcard':
      collector.import(statement, join(part.text.replace(/(?:::)?\*$/, '')), [{ name: '*' }]);
      break;
    case 'self':
      collector.import(statement, prefix, [{ name: '*' }]);
      break;
    default:
      add(join(part.text));
  }
}

const parametersOf = (node: Node) =>
  countParameters(field(node, 'parameters'), ({ type }) => {
    if (type === 'variadic_parameter') return 'rest';
    return type === 'parameter' ? 'required' : 'none';
  });
