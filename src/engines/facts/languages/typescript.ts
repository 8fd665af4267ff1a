/** Definitions and imports of TypeScript and JavaScript. */
import type { Node } from '@vscode/tree-sitter-wasm';
import type { ImportedModule, SymbolKind } from '../../../platform/core/ports/code-facts.ts';
import {
  type Collector,
  children,
  countParameters,
  field,
  type LanguageRules,
  type Scope,
  unquote,
} from './rules.ts';

const FUNCTIONS = new Set(['arrow_function', 'function_expression', 'generator_function', 'function']);

export const TYPESCRIPT: LanguageRules = {
  identifiers: [
    'identifier',
    'property_identifier',
    'type_identifier',
    'shorthand_property_identifier',
    'shorthand_property_identifier_pattern',
  ],
  visit,
};

/** The grammar of JavaScript has no types. */
export const JAVASCRIPT: LanguageRules = {
  identifiers: TYPESCRIPT.identifiers.filter((type) => type !== 'type_identifier'),
  visit,
};

function visit(node: Node, scope: Scope, collector: Collector): void {
  switch (node.type) {
    case 'export_statement':
      visitExport(node, scope, collector);
      break;
    case 'import_statement':
      visitImport(node, collector);
      break;
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_signature':
      define(node, field(node, 'name'), 'function', scope, collector, node);
      break;
    case 'class_declaration':
    case 'abstract_class_declaration':
      defineContainer(node, 'class', 'class', scope, collector);
      break;
    case 'interface_declaration':
      defineContainer(node, 'interface', 'interface', scope, collector);
      break;
    case 'internal_module':
    case 'module':
      defineContainer(node, 'module', 'namespace', scope, collector);
      break;
    case 'type_alias_declaration':
      define(node, field(node, 'name'), 'type', scope, collector);
      break;
    case 'enum_declaration':
      visitEnum(node, scope, collector);
      break;
    case 'lexical_declaration':
    case 'variable_declaration':
      for (const declarator of children(node)) visitVariable(node, declarator, scope, collector);
      break;
    case 'ambient_declaration':
      collector.visitChildren(node, scope);
      break;
    case 'expression_statement':
      visitStatement(node, scope, collector);
      break;
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature':
      defineMember(node, field(node, 'name'), 'method', scope, collector);
      break;
    case 'public_field_definition':
    case 'field_definition':
    case 'property_signature':
      visitField(node, scope, collector);
      break;
  }
}

function visitExport(node: Node, scope: Scope, collector: Collector): void {
  const source = field(node, 'source');
  if (source) {
    collector.import(node, unquote(source), specifiersIn(node));
    return;
  }
  const visible = { ...scope, isVisible: true };
  const declaration = field(node, 'declaration');
  if (declaration) collector.visit(declaration, { ...visible, inside: 'namespace' });
  else if (children(node).some(({ type }) => type === 'export_clause')) {
    for (const { name } of specifiersIn(node)) collector.export(name);
  } else collector.export(field(node, 'value')?.text ?? '');
}

function visitEnum(node: Node, scope: Scope, collector: Collector): void {
  const name = field(node, 'name');
  define(node, name, 'enum', scope, collector);
  for (const member of children(field(node, 'body'))) {
    const within = { ...scope, container: name?.text };
    if (member.type === 'enum_assignment')
      define(member, field(member, 'name'), 'constant', within, collector);
    else if (member.type !== 'comment') define(member, member, 'constant', within, collector);
  }
}

/** Reads `{ a, b as c }`, on either side. */
function specifiersIn(node: Node): ImportedModule['names'] {
  const names: ImportedModule['names'] = [];
  for (const clause of children(node)) {
    for (const specifier of children(clause)) {
      if (!/^(?:im|ex)port_specifier$/.test(specifier.type)) continue;
      const name = unquote(field(specifier, 'name'));
      const alias = field(specifier, 'alias');
      names.push(alias ? { name, as: unquote(alias) } : { name });
    }
  }
  return names.length > 0 ? names : [{ name: '*' }];
}

function visitImport(node: Node, collector: Collector): void {
  const names: ImportedModule['names'] = [];
  let source = field(node, 'source');
  for (const clause of children(node)) {
    if (clause.type === 'import_require_clause') {
      source = field(clause, 'source');
      names.push({ name: '*', as: clause.firstNamedChild?.text ?? '' });
    }
    if (clause.type !== 'import_clause') continue;
    for (const part of children(clause)) {
      if (part.type === 'identifier') names.push({ name: 'default', as: part.text });
      if (part.type === 'namespace_import') names.push({ name: '*', as: part.firstNamedChild?.text ?? '' });
      if (part.type === 'named_imports') names.push(...specifiersIn(clause));
    }
  }
  if (source) collector.import(node, unquote(source), names);
}

/** `inside: 'file'` means that a declaration is exported only when it says so. */
function isExported(scope: Scope): boolean {
  return scope.inside !== 'file' && scope.isVisible;
}

function define(
  node: Node,
  name: Node | null,
  kind: SymbolKind,
  scope: Scope,
  collector: Collector,
  called?: Node,
): void {
  collector.define({
    node,
    name,
    kind,
    isExported: isExported(scope),
    container: scope.container,
    parameters: called && parametersOf(called),
  });
}

function defineContainer(
  node: Node,
  kind: SymbolKind,
  inside: Scope['inside'],
  scope: Scope,
  collector: Collector,
): void {
  const name = field(node, 'name');
  define(node, name, kind, scope, collector);
  const isVisible = isExported(scope);
  const within: Scope = {
    container: name ? unquote(name) : undefined,
    // Members of a namespace are seen outside only when they are exported.
    inside: inside === 'namespace' ? 'file' : inside,
    isVisible,
  };
  collector.visitChildren(field(node, 'body'), within);
}

function defineMember(
  node: Node,
  name: Node | null,
  kind: SymbolKind,
  scope: Scope,
  collector: Collector,
  called: Node = node,
): void {
  if (name?.type === 'computed_property_name' || name?.type === 'private_property_identifier') return;
  const isPrivate = children(node).some(
    ({ text, type }) => type === 'accessibility_modifier' && text === 'private',
  );
  const isVisible = scope.isVisible && !isPrivate;
  define(node, name, kind, { ...scope, isVisible }, collector, kind === 'method' ? called : undefined);
}

function visitField(node: Node, scope: Scope, collector: Collector): void {
  const value = field(node, 'value');
  const name = field(node, 'name') ?? field(node, 'property');
  if (value && FUNCTIONS.has(value.type)) defineMember(node, name, 'method', scope, collector, value);
  else defineMember(node, name, 'field', scope, collector);
}

function visitVariable(statement: Node, declarator: Node, scope: Scope, collector: Collector): void {
  if (declarator.type !== 'variable_declarator') return;
  const name = field(declarator, 'name');
  const value = field(declarator, 'value');
  const required = value && requiredModule(value);
  if (required !== null && required !== undefined) {
    collector.import(declarator, required, namesOfPattern(name));
    return;
  }
  if (name?.type !== 'identifier') return;
  if (value && FUNCTIONS.has(value.type)) define(declarator, name, 'function', scope, collector, value);
  else if (value?.type === 'class') define(declarator, name, 'class', scope, collector);
  else {
    const isConstant = statement.firstChild?.type === 'const';
    define(declarator, name, isConstant ? 'constant' : 'variable', scope, collector);
  }
}

/** The module of `require('…')`, also of `require('…').name`. */
function requiredModule(value: Node): string | null {
  const call = value.type === 'member_expression' ? field(value, 'object') : value;
  if (call?.type !== 'call_expression' || field(call, 'function')?.text !== 'require') return null;
  const argument = field(call, 'arguments')?.firstNamedChild;
  return argument?.type === 'string' ? unquote(argument) : null;
}

function namesOfPattern(pattern: Node | null): ImportedModule['names'] {
  if (pattern?.type !== 'object_pattern') return [{ name: '*', as: pattern?.text ?? '' }];
  return children(pattern).map((part) => {
    if (part.type !== 'pair_pattern') return { name: part.text };
    return { name: field(part, 'key')?.text ?? '', as: field(part, 'value')?.text ?? '' };
  });
}

/** Namespaces are statements; so are `require('…')`, `exports.name = …` and `module.exports.name = …`. */
function visitStatement(node: Node, scope: Scope, collector: Collector): void {
  const expression = node.firstNamedChild;
  if (!expression) return;
  if (expression.type === 'internal_module') collector.visit(expression, scope);
  else if (expression.type === 'call_expression') {
    const module = requiredModule(expression);
    if (module !== null) collector.import(node, module, []);
  } else if (expression.type === 'assignment_expression') {
    const left = field(expression, 'left');
    const right = field(expression, 'right');
    const object = left?.type === 'member_expression' ? field(left, 'object')?.text : undefined;
    if (left?.text === 'module.exports' && right) exportAll(right, collector);
    if (!left || !right || (object !== 'exports' && object !== 'module.exports')) return;
    const exported: Scope = { inside: 'namespace', isVisible: true };
    const isFunction = FUNCTIONS.has(right.type);
    const kind = isFunction ? 'function' : right.type === 'class' ? 'class' : 'constant';
    // `exports.a = a` defines nothing new.
    if (right.type === 'identifier') collector.export(right.text);
    else define(node, field(left, 'property'), kind, exported, collector, isFunction ? right : undefined);
  }
}

/** `module.exports = name` and `module.exports = { name, other: name }` */
function exportAll(value: Node, collector: Collector): void {
  if (value.type === 'identifier') collector.export(value.text);
  if (value.type !== 'object') return;
  for (const part of children(value)) {
    collector.export(part.type === 'pair' ? (field(part, 'value')?.text ?? '') : part.text);
  }
}

function parametersOf(called: Node) {
  const single = field(called, 'parameter');
  if (single) return { required: 1, total: 1 };
  return countParameters(field(called, 'parameters'), (parameter) => {
    const pattern = field(parameter, 'pattern') ?? parameter;
    if (pattern.type === 'rest_pattern') return 'rest';
    if (pattern.type === 'this') return 'none';
    if (parameter.type === 'optional_parameter' || parameter.type === 'assignment_pattern') return 'optional';
    if (parameter.type === 'required_parameter' && field(parameter, 'value')) return 'optional';
    return parameter.type === 'comment' || parameter.type === 'decorator' ? 'none' : 'required';
  });
}
