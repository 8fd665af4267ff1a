/** Definitions and includes of C and C++. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type { SymbolKind } from '../../../platform/core/ports/code-facts.ts';
import {
  type Collector,
  children,
  countParameters,
  field,
  fields,
  type LanguageRules,
  type Scope,
  unquote,
} from './rules.ts';

export const C: LanguageRules = {
  identifiers: ['identifier', 'type_identifier', 'field_identifier', 'namespace_identifier'],
  visit,
};

const TYPES: Record<string, SymbolKind> = {
  class_specifier: 'class',
  struct_specifier: 'class',
  union_specifier: 'class',
  enum_specifier: 'enum',
};

/** Declarations can be inside conditions of the preprocessor, templates and linkage specifications. */
const TRANSPARENT =
  /^(?:preproc_(?:if|ifdef|else|elif|elifdef)|linkage_specification|template_declaration|declaration_list)$/;

function visit(node: Node, scope: Scope, collector: Collector): void {
  if (TRANSPARENT.test(node.type)) {
    collector.visitChildren(node, scope);
    return;
  }
  if (TYPES[node.type]) {
    visitType(node, scope, collector);
    return;
  }
  switch (node.type) {
    case 'namespace_definition': {
      const name = field(node, 'name');
      const within: Scope = { container: name?.text, inside: 'namespace', isVisible: name !== null };
      collector.visitChildren(field(node, 'body'), within);
      break;
    }
    case 'function_definition':
      defineDeclared(node, field(node, 'declarator'), scope, collector);
      break;
    case 'declaration':
    case 'field_declaration':
    case 'type_definition': {
      const type = field(node, 'type');
      if (type && TYPES[type.type]) visitType(type, scope, collector);
      for (const declarator of fields(node, 'declarator')) defineDeclared(node, declarator, scope, collector);
      break;
    }
    case 'alias_declaration':
      define(node, field(node, 'name'), 'type', scope, collector);
      break;
    case 'preproc_def':
      define(node, field(node, 'name'), 'constant', scope, collector);
      break;
    case 'preproc_function_def':
      define(node, field(node, 'name'), 'function', scope, collector, node);
      break;
    case 'preproc_include':
      collector.import(node, unquote(field(node, 'path')), [{ name: '*' }]);
      break;
  }
}

/** Without a body it is only mentioned. */
function visitType(node: Node, scope: Scope, collector: Collector): void {
  const body = field(node, 'body');
  if (!body) return;
  const name = field(node, 'name');
  define(node, name, TYPES[node.type]!, scope, collector);
  if (node.type === 'enum_specifier') {
    for (const value of children(body)) {
      if (value.type === 'enumerator') define(value, field(value, 'name'), 'constant', scope, collector);
    }
    return;
  }
  const within: Scope = {
    container: name?.text,
    inside: 'class',
    isVisible: scope.isVisible && node.type !== 'class_specifier',
  };
  for (const member of children(body)) {
    if (member.type === 'access_specifier')
      within.isVisible = scope.isVisible && !member.text.startsWith('private');
    else collector.visit(member, within);
  }
}

/** Follows pointers, references, arrays and initial values to what is declared. */
function defineDeclared(node: Node, declarator: Node | null, scope: Scope, collector: Collector): void {
  let called: Node | undefined;
  let name = declarator;
  while (name && /_declarator$/.test(name.type)) {
    if (name.type === 'function_declarator') called ??= name;
    name = field(name, 'declarator') ?? name.firstNamedChild;
  }
  let { container } = scope;
  while (name?.type === 'qualified_identifier') {
    container = field(name, 'scope')?.text ?? container;
    name = field(name, 'name');
  }
  const isMethod = scope.inside === 'class' || (container !== scope.container && called !== undefined);
  if (node.type === 'type_definition') define(node, name, 'type', scope, collector);
  else if (called)
    define(node, name, isMethod ? 'method' : 'function', { ...scope, container }, collector, called);
  else define(node, name, scope.inside === 'class' ? 'field' : 'variable', scope, collector);
}

function define(
  node: Node,
  name: Node | null,
  kind: SymbolKind,
  scope: Scope,
  collector: Collector,
  called?: Node,
): void {
  const isStatic =
    scope.inside !== 'class' &&
    children(node).some(({ text, type }) => type === 'storage_class_specifier' && text === 'static');
  collector.define({
    node,
    name,
    kind,
    isExported: scope.isVisible && !isStatic,
    container: scope.container,
    parameters: called && parametersOf(called),
  });
}

const parametersOf = (node: Node) =>
  countParameters(field(node, 'parameters'), ({ text, type }) => {
    if (type === '...' || /^variadic_parameter/.test(type)) return 'rest';
    if (type === 'optional_parameter_declaration') return 'optional';
    // `f(void)` has no parameters; those of macros are identifiers.
    if (type === 'parameter_declaration') return text === 'void' ? 'none' : 'required';
    return type === 'identifier' ? 'required' : 'none';
  });
