/** Where Go uses packages: before a dot. Other names can be declared in any file of the package. */
import type { Node } from '@vscode/tree-sitter-wasm';
import { isField, type NameRole, type NameRules } from './name-rules.ts';

const DECLARING = new Set([
  'parameter_declaration',
  'variadic_parameter_declaration',
  'var_spec',
  'const_spec',
  'type_parameter_declaration',
]);
const LEFT_SIDES = new Set([
  'short_var_declaration',
  'range_clause',
  'receive_statement',
  'type_switch_statement',
]);

function roleOf(node: Node, parent: Node): NameRole {
  const { type } = parent;
  if (type === 'import_spec') return 'declares';
  if (type === 'qualified_type') return isField(parent, 'package', node) ? 'uses' : 'none';
  if (type === 'selector_expression') return isField(parent, 'operand', node) ? 'uses' : 'none';
  if (DECLARING.has(type)) return isField(parent, 'name', node) ? 'declares' : 'none';
  if (type === 'function_declaration' || type === 'type_spec') return 'declares_outside';
  if (type === 'expression_list' && parent.parent && LEFT_SIDES.has(parent.parent.type))
    return isField(parent.parent, 'right', parent) ? 'none' : 'declares';
  return 'none';
}

export const GO_NAMES: NameRules = {
  types: ['identifier', 'package_identifier', 'type_identifier'],
  scopes: new Set(['source_file', 'function_declaration', 'method_declaration', 'func_literal']),
  roleOf,
  impliedImports(root) {
    return root.descendantsOfType('import_spec').flatMap((spec) => {
      const path = spec?.childForFieldName('path')?.text.replaceAll(/["`]/g, '');
      return path === undefined || spec?.childForFieldName('name')
        ? []
        : [{ name: packageName(path), line: spec!.startPosition.row + 1 }];
    });
  },
};

/** The name that a package most likely has: `gopkg.in/yaml.v3`, `example.com/name/v2` and `example.com/go-name`. */
export function packageName(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1)!;
  const name = /^v\d+$/.test(last) && parts.length > 1 ? parts.at(-2)! : last;
  return name
    .replace(/\.v\d+$/, '')
    .replace(/^go-|[-.]go$/g, '')
    .replaceAll('-', '_');
}
