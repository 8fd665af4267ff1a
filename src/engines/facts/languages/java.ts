/** Definitions and imports of Java. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type { SymbolKind } from '../../../platform/core/ports/code-facts.ts';
import { type Collector, children, countParameters, field, type LanguageRules, type Scope } from './rules.ts';

export const JAVA: LanguageRules = { identifiers: ['identifier', 'type_identifier'], visit };

const TYPES: Record<string, SymbolKind> = {
  class_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  enum_declaration: 'enum',
};

function visit(node: Node, scope: Scope, collector: Collector): void {
  const type = TYPES[node.type];
  if (type) {
    const name = field(node, 'name');
    define(node, name, type, scope, collector);
    const isVisible = isExported(node, scope);
    const inside = type === 'interface' ? 'interface' : 'class';
    collector.visitChildren(field(node, 'body'), { container: name?.text, inside, isVisible });
    return;
  }
  switch (node.type) {
    case 'method_declaration':
    case 'constructor_declaration':
    case 'annotation_type_element_declaration':
      define(node, field(node, 'name'), 'method', scope, collector);
      break;
    case 'field_declaration':
    case 'constant_declaration':
      for (const declarator of children(node)) {
        if (declarator.type !== 'variable_declarator') continue;
        const isConstant = node.type === 'constant_declaration' || /\bfinal\b/.test(modifiersOf(node));
        const kind = isConstant && /\bstatic\b/.test(modifiersOf(node)) ? 'constant' : 'field';
        define(node, field(declarator, 'name'), kind, scope, collector);
      }
      break;
    case 'enum_constant':
      define(node, field(node, 'name'), 'constant', { ...scope, inside: 'interface' }, collector);
      break;
    case 'enum_body_declarations':
      collector.visitChildren(node, scope);
      break;
    case 'import_declaration':
      visitImport(node, collector);
      break;
  }
}

function modifiersOf(node: Node): string {
  const first = node.firstNamedChild;
  return first?.type === 'modifiers' ? first.text : '';
}

/** Classes without a modifier can be seen in their package, and so can members. */
function isExported(node: Node, scope: Scope): boolean {
  return scope.isVisible && (scope.inside === 'interface' || !/\bprivate\b/.test(modifiersOf(node)));
}

function define(node: Node, name: Node | null, kind: SymbolKind, scope: Scope, collector: Collector): void {
  collector.define({
    node,
    name,
    kind,
    isExported: isExported(node, scope),
    container: scope.container,
    ...(kind === 'method' && { parameters: parametersOf(node) }),
  });
}

function visitImport(node: Node, collector: Collector): void {
  const path = children(node).find(({ type }) => type === 'scoped_identifier' || type === 'identifier')?.text;
  if (!path) return;
  const isWhole = children(node).some(({ type }) => type === 'asterisk');
  const dot = path.lastIndexOf('.');
  if (isWhole) collector.import(node, path, [{ name: '*' }]);
  else collector.import(node, path.slice(0, Math.max(0, dot)), [{ name: path.slice(dot + 1) }]);
}

const parametersOf = (node: Node) =>
  countParameters(field(node, 'parameters'), ({ type }) => {
    if (type === 'spread_parameter') return 'rest';
    return type === 'formal_parameter' ? 'required' : 'none';
  });
