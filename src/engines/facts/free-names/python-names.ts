/** Where Python declares and uses names. */
import type { Node } from '@vscode/tree-sitter-wasm';
import { isField, type NameRole, type NameRules } from './name-rules.ts';

const BY_PARENT: Record<string, NameRole> = {
  parameters: 'declares',
  lambda_parameters: 'declares',
  list_splat_pattern: 'declares',
  dictionary_splat_pattern: 'declares',
  pattern_list: 'declares',
  tuple_pattern: 'declares',
  list_pattern: 'declares',
  as_pattern_target: 'declares',
  splat_pattern: 'declares',
  global_statement: 'unsure',
  nonlocal_statement: 'unsure',
  delete_statement: 'none',
};

const BY_FIELD: Record<string, { field: string; role: NameRole }> = {
  attribute: { field: 'attribute', role: 'none' },
  keyword_argument: { field: 'name', role: 'none' },
  default_parameter: { field: 'name', role: 'declares' },
  typed_default_parameter: { field: 'name', role: 'declares' },
  function_definition: { field: 'name', role: 'declares_outside' },
  class_definition: { field: 'name', role: 'declares_outside' },
  assignment: { field: 'left', role: 'declares' },
  named_expression: { field: 'name', role: 'declares' },
  for_statement: { field: 'left', role: 'declares' },
  for_in_clause: { field: 'left', role: 'declares' },
  aliased_import: { field: 'alias', role: 'declares' },
};

function roleOf(node: Node, parent: Node): NameRole {
  const { type } = parent;
  const known = BY_PARENT[type];
  if (known) return known;
  const named = BY_FIELD[type];
  if (named) return isField(parent, named.field, node) ? named.role : 'uses';
  if (type === 'typed_parameter') return parent.firstNamedChild?.id === node.id ? 'declares' : 'uses';
  if (type === 'dotted_name') return roleOfDotted(node, parent);
  if (type === 'keyword_pattern') return parent.firstNamedChild?.id === node.id ? 'none' : 'declares';
  // `except Failed as error` uses the first and binds the second.
  if (type === 'as_pattern') return parent.firstNamedChild?.id === node.id ? 'uses' : 'declares';
  if (/pattern$/.test(type)) return 'declares';
  // `with open() as (one, other)`
  if (/^(tuple|list)$/.test(type) && parent.parent?.type === 'as_pattern_target') return 'declares';
  return isTypeName(parent) ? 'declares' : 'uses';
}

/** `type Name[T] = …`, `def f[T]()` and `class Name[T: Bound]` */
function isTypeName(parent: Node): boolean {
  const isAlias = (type: Node | null) =>
    type?.parent?.type === 'type_alias_statement' && isField(type.parent, 'left', type);
  if (parent.type === 'generic_type') return isAlias(parent.parent);
  if (parent.type !== 'type') return false;
  const isBound = parent.parent?.type === 'constrained_type';
  if (isBound && parent.parent!.firstNamedChild?.id !== parent.id) return false;
  const list = isBound ? parent.parent!.parent?.parent : parent.parent;
  if (list?.type !== 'type_parameter') return isAlias(parent);
  const owner = list.parent;
  return owner?.type === 'generic_type' ? isAlias(owner.parent) : /definition$/.test(owner?.type ?? '');
}

function roleOfDotted(node: Node, dotted: Node): NameRole {
  const isFirst = dotted.firstNamedChild?.id === node.id;
  const around = dotted.parent;
  switch (around?.type) {
    case 'import_statement':
      return isFirst ? 'declares' : 'none';
    case 'import_from_statement':
      return isField(around, 'name', dotted) ? 'declares' : 'none';
    case 'aliased_import':
    case 'future_import_statement':
    case 'relative_import':
      return 'none';
    case 'class_pattern':
      return isFirst ? 'uses' : 'none';
    default:
      if (!isFirst) return 'none';
      // A single name in a pattern is bound to what is there.
      return around?.type.endsWith('pattern') && dotted.namedChildCount === 1 ? 'declares' : 'uses';
  }
}

export const PYTHON_NAMES: NameRules = {
  types: ['identifier'],
  scopes: new Set([
    'module',
    'function_definition',
    'class_definition',
    'lambda',
    'list_comprehension',
    'set_comprehension',
    'dictionary_comprehension',
    'generator_expression',
  ]),
  // Names that are made while it runs, or whose absence is handled.
  silencedBy: /\bimport\s*\(?\s*\*|\b(?:globals|locals|vars)\(\)|(?<![.\w])exec\(|\bNameError\b/,
  roleOf,
};
