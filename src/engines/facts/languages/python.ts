/** Definitions and imports of Python. */
import type { Node } from '@vscode/tree-sitter-wasm';
import {
  type Collector,
  children,
  countParameters,
  field,
  fields,
  type LanguageRules,
  type Scope,
} from './rules.ts';

export const PYTHON: LanguageRules = { identifiers: ['identifier'], visit };

function visit(node: Node, scope: Scope, collector: Collector): void {
  switch (node.type) {
    case 'function_definition':
      define(node, field(node, 'name'), scope.inside === 'class' ? 'method' : 'function', scope, collector);
      break;
    case 'class_definition': {
      const name = field(node, 'name');
      define(node, name, 'class', scope, collector);
      const isVisible = scope.isVisible && !isPrivate(name);
      collector.visitChildren(field(node, 'body'), { container: name?.text, inside: 'class', isVisible });
      break;
    }
    case 'decorated_definition': {
      const definition = field(node, 'definition');
      if (definition) collector.visit(definition, scope);
      break;
    }
    case 'type_alias_statement':
      define(node, field(node, 'left')?.firstNamedChild ?? null, 'type', scope, collector);
      break;
    case 'expression_statement':
      visitAssignment(node.firstNamedChild, scope, collector);
      break;
    // Imports and definitions often depend on a version or on an optional package.
    case 'if_statement':
    case 'try_statement':
    case 'else_clause':
    case 'elif_clause':
    case 'except_clause':
    case 'finally_clause':
    case 'block':
      collector.visitChildren(node, scope);
      break;
    case 'import_statement':
      for (const name of fields(node, 'name')) {
        const [module, alias] = aliased(name);
        collector.import(node, module, [{ name: '*', as: alias ?? module.split('.')[0]! }]);
      }
      break;
    case 'import_from_statement':
      collector.import(node, field(node, 'module_name')?.text ?? '', importedNames(node));
      break;
  }
}

function importedNames(node: Node): { name: string; as?: string }[] {
  if (children(node).some(({ type }) => type === 'wildcard_import')) return [{ name: '*' }];
  return fields(node, 'name').map((imported) => {
    const [name, alias] = aliased(imported);
    return alias === undefined ? { name } : { name, as: alias };
  });
}

function aliased(node: Node): [name: string, alias?: string] {
  if (node.type !== 'aliased_import') return [node.text];
  return [field(node, 'name')?.text ?? '', field(node, 'alias')?.text ?? ''];
}

function isPrivate(name: Node | null): boolean {
  return /^_(?!_.*__$)/.test(name?.text ?? '_');
}

function define(
  node: Node,
  name: Node | null,
  kind: 'function' | 'method' | 'class' | 'type' | 'constant' | 'variable' | 'field',
  scope: Scope,
  collector: Collector,
): void {
  collector.define({
    node,
    name,
    kind,
    isExported: scope.isVisible && !isPrivate(name),
    container: scope.container,
    ...((kind === 'function' || kind === 'method') && { parameters: parametersOf(node, kind) }),
  });
}

function visitAssignment(node: Node | null, scope: Scope, collector: Collector): void {
  const left = node?.type === 'assignment' ? field(node, 'left') : null;
  if (left?.type !== 'identifier') return;
  const isConstant = /^[A-Z][A-Z0-9_]*$/.test(left.text);
  const kind = scope.inside === 'class' ? 'field' : isConstant ? 'constant' : 'variable';
  define(node!, left, kind, scope, collector);
}

function parametersOf(node: Node, kind: 'function' | 'method') {
  let isFirst = kind === 'method';
  return countParameters(field(node, 'parameters'), (parameter) => {
    const name = parameter.type === 'typed_parameter' ? parameter.firstNamedChild! : parameter;
    // A method is called without its object.
    const isReceiver = isFirst && /^(?:self|cls|mcs)$/.test(name.text);
    isFirst = false;
    if (isReceiver) return 'none';
    if (/^(?:list|dictionary)_splat_pattern$/.test(name.type)) return 'rest';
    if (/default_parameter$/.test(parameter.type)) return 'optional';
    return name.type === 'identifier' || name.type === 'tuple_pattern' ? 'required' : 'none';
  });
}
