/** Where TypeScript and JavaScript declare and use names. */
import type { Node } from '@vscode/tree-sitter-wasm';
import { isField, type NameRole, type NameRules } from './name-rules.ts';

/** Types can name these without an import: their packages declare them for files that are no modules. */
const UMD_NAMES = new Set(['React', 'ReactDOM', 'JSX', 'L', 'THREE', 'd3', 'moment', '_', '$', 'jQuery']);

const NAMED: Record<string, NameRole> = {
  variable_declarator: 'declares',
  function_declaration: 'declares_outside',
  generator_function_declaration: 'declares_outside',
  function_signature: 'declares_outside',
  function_expression: 'declares',
  generator_function: 'declares',
  class_declaration: 'declares_outside',
  abstract_class_declaration: 'declares_outside',
  interface_declaration: 'declares_outside',
  type_alias_declaration: 'declares_outside',
  class: 'declares',
  enum_declaration: 'declares_outside',
  internal_module: 'declares_outside',
  module: 'declares_outside',
  type_parameter: 'declares',
  mapped_type_clause: 'declares',
  index_signature: 'declares',
  tuple_parameter: 'declares',
  optional_tuple_parameter: 'declares',
  type_predicate: 'none',
};

/** The parents that say what a name is, whichever child of them it is. */
const BY_PARENT: Record<string, NameRole> = {
  formal_parameters: 'declares',
  rest_pattern: 'declares',
  array_pattern: 'declares',
  object_pattern: 'declares',
  infer_type: 'declares',
  import_clause: 'declares',
  namespace_import: 'declares',
  import_require_clause: 'declares',
  namespace_export: 'none',
  jsx_namespace_name: 'none',
  asserts: 'none',
  meta_property: 'none',
};

const LEFT: Record<string, NameRole> = {
  assignment_pattern: 'declares',
  object_assignment_pattern: 'declares',
  assignment_expression: 'unsure',
  for_in_statement: 'declares',
};

function roleOf(node: Node, parent: Node): NameRole {
  if (node.type === 'property_identifier')
    // Members of an enum can be used in the values of others.
    return parent.type === 'enum_body' || (parent.type === 'enum_assignment' && isField(parent, 'name', node))
      ? 'declares'
      : 'none';
  if (node.type === 'shorthand_property_identifier') return 'uses';
  if (node.type === 'shorthand_property_identifier_pattern') return 'declares';
  const { type } = parent;
  const known = BY_PARENT[type];
  if (known) return known;
  if (NAMED[type] && isField(parent, 'name', node)) return NAMED[type];
  if (LEFT[type] && isField(parent, 'left', node)) return LEFT[type];
  switch (type) {
    case 'required_parameter':
    case 'optional_parameter':
      return isField(parent, 'pattern', node) || isField(parent, 'name', node) ? 'declares' : 'uses';
    case 'arrow_function':
      return isField(parent, 'parameter', node) ? 'declares' : 'uses';
    case 'catch_clause':
      return 'declares';
    case 'pair_pattern':
      return isField(parent, 'value', node) ? 'declares' : 'none';
    case 'import_alias':
      return parent.firstNamedChild?.id === node.id ? 'declares' : 'uses';
    case 'import_specifier':
      return (parent.childForFieldName('alias') ?? parent.childForFieldName('name'))?.id === node.id
        ? 'declares'
        : 'none';
    case 'export_specifier': {
      const statement = parent.parent?.parent;
      return isField(parent, 'name', node) && !statement?.childForFieldName('source') ? 'uses' : 'none';
    }
    // `export as namespace name`
    case 'export_statement':
      return /^export\s+as\b/.test(parent.text.slice(0, 20)) ? 'none' : 'uses';
    // `typeof name === 'undefined'` asks whether there is one.
    case 'unary_expression':
      return parent.childForFieldName('operator')?.text === 'typeof' ? 'unsure' : 'uses';
    case 'jsx_opening_element':
    case 'jsx_closing_element':
    case 'jsx_self_closing_element':
      return /^\p{Ll}/u.test(node.text) ? 'none' : 'uses';
    case 'nested_identifier':
      return parent.parent?.type.endsWith('module') || parent.firstNamedChild?.id !== node.id
        ? 'none'
        : parent.parent?.type === 'nested_type_identifier' && UMD_NAMES.has(node.text)
          ? 'none'
          : 'uses';
    case 'nested_type_identifier':
      return isField(parent, 'name', node) || UMD_NAMES.has(node.text) ? 'none' : 'uses';
    default:
      return 'uses';
  }
}

export const SCRIPT_NAMES: NameRules = {
  types: [
    'identifier',
    'type_identifier',
    'property_identifier',
    'shorthand_property_identifier',
    'shorthand_property_identifier_pattern',
  ],
  scopes: new Set([
    'program',
    'function_declaration',
    'function_expression',
    'generator_function',
    'generator_function_declaration',
    'arrow_function',
    'method_definition',
    'function_signature',
    'method_signature',
    'abstract_method_signature',
    'call_signature',
    'construct_signature',
    'function_type',
    'constructor_type',
    'conditional_type',
    'class',
    'class_declaration',
    'abstract_class_declaration',
    'interface_declaration',
    'type_alias_declaration',
    'enum_declaration',
    'internal_module',
    'module',
  ]),
  // Names of a global block, of code that runs in another place, and of `with`.
  silencedBy: /\bdeclare\s+global\b|@jsx\b|\/\*\s*globals?\s|^\s*with\s*\(/m,
  roleOf,
};

/** The grammar of JavaScript has no types. */
export const JAVASCRIPT_NAMES: NameRules = {
  ...SCRIPT_NAMES,
  types: SCRIPT_NAMES.types.filter((type) => type !== 'type_identifier'),
};
