/** Definitions and imports of PHP. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type { SymbolKind } from '../../../platform/core/ports/code-facts.ts';
import { type Collector, children, countParameters, field, type LanguageRules, type Scope } from './rules.ts';

export const PHP: LanguageRules = { identifiers: ['name'], visit };

const TYPES: Record<string, SymbolKind> = {
  class_declaration: 'class',
  trait_declaration: 'class',
  interface_declaration: 'interface',
  enum_declaration: 'enum',
};

function visit(node: Node, scope: Scope, collector: Collector): void {
  const type = TYPES[node.type];
  if (type) {
    const name = field(node, 'name');
    define(node, name, type, scope, collector);
    collector.visitChildren(field(node, 'body'), { container: name?.text, inside: 'class', isVisible: true });
    return;
  }
  switch (node.type) {
    case 'namespace_definition':
    case 'compound_statement':
      collector.visitChildren(node, scope);
      break;
    case 'function_definition':
      define(node, field(node, 'name'), 'function', scope, collector);
      break;
    case 'method_declaration':
      define(node, field(node, 'name'), 'method', scope, collector);
      break;
    case 'const_declaration':
      for (const element of children(node)) {
        if (element.type === 'const_element')
          define(node, element.firstNamedChild, 'constant', scope, collector);
      }
      break;
    case 'enum_case':
      define(node, field(node, 'name'), 'constant', scope, collector);
      break;
    case 'property_declaration':
      for (const element of children(node)) {
        if (element.type !== 'property_element') continue;
        const variable = field(element, 'name') ?? element.firstNamedChild;
        define(node, variable?.firstNamedChild ?? variable, 'field', scope, collector);
      }
      break;
    case 'namespace_use_declaration':
      visitUse(node, collector);
      break;
  }
}

function define(node: Node, name: Node | null, kind: SymbolKind, scope: Scope, collector: Collector): void {
  const isPrivate = children(node).some(
    ({ text, type }) => type === 'visibility_modifier' && text === 'private',
  );
  collector.define({
    node,
    name,
    kind,
    isExported: scope.isVisible && !isPrivate,
    container: scope.container,
    ...((kind === 'function' || kind === 'method') && { parameters: parametersOf(node) }),
  });
}

/** `use A\B as C;`, `use function A\b;` and `use A\{B, C as D};` */
function visitUse(node: Node, collector: Collector): void {
  const group = children(node).find(({ type }) => type === 'namespace_use_group');
  const prefix = children(node).find(({ type }) => type === 'namespace_name')?.text;
  for (const clause of children(group ?? node)) {
    if (!/^namespace_use_(?:group_)?clause$/.test(clause.type)) continue;
    const [written, alias] = clause.text.split(/\s+as\s+/i);
    const path = `${prefix && group ? `${prefix}\\` : ''}${written}`.replace(/^(?:function|const)\s+/, '');
    const last = path.lastIndexOf('\\');
    const name = path.slice(last + 1);
    collector.import(clause, path.slice(0, Math.max(0, last)), [alias ? { name, as: alias } : { name }]);
  }
}

const parametersOf = (node: Node) =>
  countParameters(field(node, 'parameters'), (parameter) => {
    if (parameter.type === 'variadic_parameter') return 'rest';
    if (!/^(?:simple|property_promotion)_parameter$/.test(parameter.type)) return 'none';
    return field(parameter, 'default_value') ? 'optional' : 'required';
  });
