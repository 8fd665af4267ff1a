/** Definitions and imports of Go. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type { SymbolKind } from '../../../platform/core/ports/code-facts.ts';
import { type Collector, children, field, fields, type LanguageRules, type Scope, unquote } from './rules.ts';

/** Uses are found by `scanGo`. */
export const GO: LanguageRules = { identifiers: [], visit };

const KIND_OF_TYPE: Record<string, SymbolKind> = { struct_type: 'class', interface_type: 'interface' };

function visit(node: Node, scope: Scope, collector: Collector): void {
  switch (node.type) {
    case 'import_declaration':
    case 'import_spec_list':
    case 'const_declaration':
    case 'var_declaration':
    case 'var_spec_list':
    case 'type_declaration':
      collector.visitChildren(node, scope);
      break;
    case 'import_spec': {
      const alias = field(node, 'name')?.text;
      collector.import(node, unquote(field(node, 'path')), [
        alias ? { name: '*', as: alias } : { name: '*' },
      ]);
      break;
    }
    case 'function_declaration':
      define(node, field(node, 'name'), 'function', scope, collector);
      break;
    case 'method_declaration':
      define(node, field(node, 'name'), 'method', { ...scope, container: receiverOf(node) }, collector);
      break;
    case 'method_elem':
      define(node, field(node, 'name'), 'method', scope, collector);
      break;
    case 'type_spec':
    case 'type_alias':
      visitType(node, scope, collector);
      break;
    case 'const_spec':
    case 'var_spec':
      for (const name of fields(node, 'name')) {
        const kind = node.type === 'const_spec' ? 'constant' : 'variable';
        if (name.type === 'identifier') define(node, name, kind, scope, collector);
      }
      break;
    case 'field_declaration':
      for (const name of fields(node, 'name')) define(node, name, 'field', scope, collector);
      break;
  }
}

function visitType(node: Node, scope: Scope, collector: Collector): void {
  const name = field(node, 'name');
  const type = field(node, 'type');
  define(node, name, KIND_OF_TYPE[type?.type ?? ''] ?? 'type', scope, collector);
  const within: Scope = { container: name?.text, inside: 'class', isVisible: startsUpper(name) };
  if (type?.type === 'struct_type') collector.visitChildren(type.firstNamedChild, within);
  if (type?.type === 'interface_type') collector.visitChildren(type, within);
}

const startsUpper = (name: Node | null): boolean => /^\p{Lu}/u.test(name?.text ?? '');

/** `func (r *Reader[T]) Read()` belongs to `Reader`. */
function receiverOf(node: Node): string | undefined {
  return /\(\s*(?:\w+\s+)?\*?\s*(\w+)\s*(?:\[|\))/.exec(field(node, 'receiver')?.text ?? '')?.[1];
}

function define(node: Node, name: Node | null, kind: SymbolKind, scope: Scope, collector: Collector): void {
  collector.define({
    node,
    name,
    kind,
    isExported: startsUpper(name),
    container: scope.container,
    ...((kind === 'function' || kind === 'method') && { parameters: parametersOf(node) }),
  });
}

function parametersOf(node: Node): { required: number; total: number | null } {
  let required = 0;
  let isVariadic = false;
  for (const parameter of children(field(node, 'parameters'))) {
    if (parameter.type === 'variadic_parameter_declaration') isVariadic = true;
    else if (parameter.type === 'parameter_declaration')
      required += Math.max(1, fields(parameter, 'name').length);
  }
  return { required, total: isVariadic ? null : required };
}
