/** Where Java declares and uses names of classes, and names that are imported from them. */
import type { Node } from '@vscode/tree-sitter-wasm';
import { isField, type NameRole, type NameRules } from './name-rules.ts';

const DECLARING =
  /^(class|interface|enum|record|annotation_type|method|constructor|annotation_type_element)_declaration$|^(variable_declarator|formal_parameter|catch_formal_parameter|enhanced_for_statement|resource|enum_constant|record_pattern_component|type_pattern|instanceof_expression)$/;

function roleOf(node: Node, parent: Node): NameRole {
  const { type } = parent;
  if (DECLARING.test(type) && isField(parent, 'name', node)) return 'declares';
  switch (type) {
    case 'type_parameter':
    case 'inferred_parameters':
      return 'declares';
    case 'lambda_expression':
      return isField(parent, 'parameters', node) ? 'declares' : 'uses';
    case 'scoped_identifier':
      return roleOfScoped(node, parent);
    case 'scoped_type_identifier':
      return parent.firstNamedChild?.id === node.id ? 'uses' : 'none';
    case 'import_declaration':
    case 'package_declaration':
    case 'labeled_statement':
    case 'break_statement':
    case 'continue_statement':
    case 'element_value_pair':
      return type === 'element_value_pair' && isField(parent, 'value', node) ? 'uses' : 'none';
    case 'method_invocation':
      return isField(parent, 'name', node) && parent.childForFieldName('object') ? 'none' : 'uses';
    case 'field_access':
      return isField(parent, 'object', node) ? 'uses' : 'none';
    case 'method_reference':
      return parent.firstNamedChild?.id === node.id ? 'uses' : 'none';
    // Constants of an enum are named alone there.
    case 'switch_label':
      return 'none';
    default:
      return 'uses';
  }
}

function roleOfScoped(node: Node, scoped: Node): NameRole {
  let outer = scoped;
  while (outer.parent?.type === 'scoped_identifier') outer = outer.parent;
  const around = outer.parent;
  if (around?.type === 'import_declaration') {
    const isWhole = around.namedChildren.some((child) => child?.type === 'asterisk');
    return !isWhole && outer.id === scoped.id && isField(scoped, 'name', node) ? 'declares' : 'none';
  }
  if (around?.type === 'package_declaration') return 'none';
  return isField(scoped, 'scope', node) ? 'uses' : 'none';
}

/** A class that is declared anywhere in the file counts as declared: others can inherit it. */
export const JAVA_NAMES: NameRules = {
  types: ['identifier', 'type_identifier'],
  scopes: new Set(['program']),
  silencedBy: /^import\s+(?:static\s+)?[\w.]+\.\*\s*;/m,
  roleOf,
};
