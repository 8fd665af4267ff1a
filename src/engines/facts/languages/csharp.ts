/** Definitions and imports of C#. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type { SymbolKind } from '../../../platform/core/ports/code-facts.ts';
import { type Collector, children, countParameters, field, type LanguageRules, type Scope } from './rules.ts';

export const CSHARP: LanguageRules = { identifiers: ['identifier'], visit };

const TYPES: Record<string, SymbolKind> = {
  class_declaration: 'class',
  struct_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
};

function visit(node: Node, scope: Scope, collector: Collector): void {
  const type = TYPES[node.type];
  if (type) {
    const name = field(node, 'name');
    define(node, name, type, scope, collector);
    const within: Scope = {
      container: name?.text,
      inside: type === 'interface' || type === 'enum' ? 'interface' : 'class',
      isVisible: isExported(node, scope),
    };
    collector.visitChildren(field(node, 'body'), within);
    return;
  }
  switch (node.type) {
    case 'namespace_declaration':
    case 'file_scoped_namespace_declaration':
    case 'declaration_list':
      // The rest of a file can be part of a namespace declaration, depending on the grammar.
      collector.visitChildren(field(node, 'body') ?? node, scope);
      break;
    case 'method_declaration':
    case 'constructor_declaration':
      define(node, field(node, 'name'), 'method', scope, collector);
      break;
    case 'delegate_declaration':
      define(node, field(node, 'name'), 'type', scope, collector);
      break;
    case 'property_declaration':
    case 'enum_member_declaration':
      define(node, field(node, 'name'), 'field', scope, collector);
      break;
    case 'field_declaration':
    case 'event_field_declaration':
      visitFields(node, scope, collector);
      break;
    case 'using_directive':
      visitUsing(node, collector);
      break;
  }
}

function modifiersOf(node: Node): string {
  return children(node)
    .filter(({ type }) => type === 'modifier')
    .map(({ text }) => text)
    .join(' ');
}

/** Types without a modifier can be seen in their assembly, members only in their type. */
function isExported(node: Node, scope: Scope): boolean {
  if (!scope.isVisible || scope.inside === 'interface') return scope.isVisible;
  const modifiers = modifiersOf(node);
  if (/\b(?:public|internal|protected)\b/.test(modifiers)) return true;
  return scope.inside !== 'class' && !/\b(?:private|file)\b/.test(modifiers);
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

function visitFields(node: Node, scope: Scope, collector: Collector): void {
  const isConstant = /\b(?:const|static readonly)\b/.test(modifiersOf(node));
  for (const declaration of children(node)) {
    if (declaration.type !== 'variable_declaration') continue;
    for (const declarator of children(declaration)) {
      if (declarator.type === 'variable_declarator')
        define(node, field(declarator, 'name'), isConstant ? 'constant' : 'field', scope, collector);
    }
  }
}

function visitUsing(node: Node, collector: Collector): void {
  const alias = field(node, 'name');
  const path = children(node).findLast(({ id }) => id !== alias?.id);
  if (path) collector.import(node, path.text, [alias ? { name: '*', as: alias.text } : { name: '*' }]);
}

const parametersOf = (node: Node) =>
  countParameters(field(node, 'parameters'), (parameter) => {
    if (parameter.type === 'params') return 'rest';
    if (parameter.type !== 'parameter') return 'none';
    // In this grammar a default value is `= …` among the children.
    return parameter.children.some((child) => child?.type === '=') ? 'optional' : 'required';
  });
