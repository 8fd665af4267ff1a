/** The queries of the search form. */

import { globFor } from '../../frame/file-glob.ts';
import type { CodeSearch } from '../../page-search.ts';
import { codeQuery, filesQuery } from '../code/code-queries.ts';
import { escapeExpression } from '../code/escape-expression.ts';

export function codeSearchQuery(repository: string, search: CodeSearch) {
  const { path, ref } = search;
  return codeQuery({ repository, ref, path, pattern: expressionOf(search), order: 'code_first' });
}

/** The regular expression for what was typed. */
export function expressionOf({
  ignoreCase,
  pattern = '',
  regex,
}: Pick<CodeSearch, 'ignoreCase' | 'pattern' | 'regex'>): string {
  const expression = regex ? pattern : escapeExpression(pattern);
  return ignoreCase ? `(?i)${expression}` : expression;
}

export function fileSearchQuery(repository: string, ref: string | undefined, pattern: string) {
  return filesQuery({ repository, ref }, globFor(pattern));
}
