/** Definitions and imports of Ruby. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type { SymbolKind } from '../../../platform/core/ports/code-facts.ts';
import {
  type Collector,
  children,
  countParameters,
  field,
  type LanguageRules,
  type Scope,
  unquote,
} from './rules.ts';

export const RUBY: LanguageRules = { identifiers: ['identifier', 'constant'], visit };

const ATTRIBUTES = /^attr_(?:reader|writer|accessor)$/;
const REQUIRES = /^(?:require|require_relative|load|autoload)$/;

function visit(node: Node, scope: Scope, collector: Collector): void {
  switch (node.type) {
    case 'class':
    case 'module': {
      const name = field(node, 'name');
      define(node, lastName(name), node.type, scope, collector);
      visitBody(field(node, 'body'), { container: name?.text, inside: 'class', isVisible: true }, collector);
      break;
    }
    case 'singleton_class':
      visitBody(field(node, 'body'), scope, collector);
      break;
    case 'method':
    case 'singleton_method':
      define(node, field(node, 'name'), scope.inside === 'class' ? 'method' : 'function', scope, collector);
      break;
    case 'assignment': {
      const left = field(node, 'left');
      if (left?.type === 'constant') define(node, left, 'constant', scope, collector);
      break;
    }
    case 'call':
      visitCall(node, scope, collector);
      break;
  }
}

/** Methods after `private` or `protected` on a line of its own can't be called from outside. */
function visitBody(body: Node | null, scope: Scope, collector: Collector): void {
  const within = { ...scope };
  for (const child of children(body)) {
    if (child.type !== 'identifier') collector.visit(child, within);
    else if (/^(?:private|protected|public)$/.test(child.text)) within.isVisible = child.text === 'public';
  }
}

/** `class A::B` defines `B`. */
const lastName = (name: Node | null): Node | null =>
  name?.type === 'scope_resolution' ? field(name, 'name') : name;

function visitCall(node: Node, scope: Scope, collector: Collector): void {
  const method = field(node, 'method')?.text ?? '';
  const values = children(field(node, 'arguments'));
  if (field(node, 'receiver')) return;
  if (REQUIRES.test(method)) {
    const path = values.at(-1);
    if (path?.type === 'string') collector.import(node, unquote(path), []);
  } else if (ATTRIBUTES.test(method) && scope.inside === 'class') {
    for (const value of values) {
      if (value.type === 'simple_symbol') define(node, value, 'field', scope, collector);
    }
  } else if (/^(?:private|protected|module_function|private_class_method)$/.test(method)) {
    // `private def name` defines it too.
    for (const value of values) {
      collector.visit(value, { ...scope, isVisible: scope.isVisible && method === 'module_function' });
    }
  }
}

function define(node: Node, name: Node | null, kind: SymbolKind, scope: Scope, collector: Collector): void {
  collector.define({
    node,
    name,
    kind,
    isExported: scope.isVisible,
    container: scope.container,
    ...((kind === 'function' || kind === 'method') && { parameters: parametersOf(node) }),
  });
}

const parametersOf = (node: Node) =>
  countParameters(field(node, 'parameters'), ({ type, text }) => {
    if (type === 'splat_parameter' || type === 'hash_splat_parameter' || type === 'forward_parameter')
      return 'rest';
    if (type === 'block_parameter') return 'none';
    if (type === 'optional_parameter') return 'optional';
    // Keyword arguments are passed as one.
    if (type === 'keyword_parameter') return text.endsWith(':') ? 'required' : 'optional';
    return 'required';
  });
