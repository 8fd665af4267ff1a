/** Functions of shell scripts. */
import { field, type LanguageRules } from './rules.ts';

export const BASH: LanguageRules = {
  identifiers: ['command_name', 'variable_name'],
  visit(node, scope, collector) {
    if (node.type === 'function_definition') {
      collector.define({
        node,
        name: field(node, 'name'),
        kind: 'function',
        isExported: scope.isVisible,
      });
    }
  },
};
