/** The queries of the search form. */

import { globFor } from '../../frame/file-glob.ts';
import type { CodeSearch } from '../../page-search.ts';
import { codeQuery, filesQuery } from '../code/code-queries.ts';

export function codeSearchQuery(repository: string, search: CodeSearch) {
  const { ignoreCase, path, pattern = '', ref, regex } = search;
  const expression = regex ? pattern : escapeExpression(pattern);
  return codeQuery({
    repository,
    ref,
    path,
    pattern: ignoreCase ? `(?i)${expression}` : expression,
    order: 'code_first',
  });
}

export function fileSearchQuery(repository: string, ref: string | undefined, pattern: string) {
  return filesQuery({ repository, ref }, globFor(pattern));
}

/** A regular expression that matches this text literally. */
function escapeExpression(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, String.raw`\$&`);
}
