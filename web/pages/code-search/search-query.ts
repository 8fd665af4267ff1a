/** What is asked of the service for what stands in the fields of the search. */
import type { CodeSearch } from '../../page-search.ts';
import { codeQuery, filesQuery } from '../code/code-queries.ts';
import { globFor } from '../code/file-glob.ts';

export function codeSearchQuery(repository: string, search: CodeSearch) {
  const { ignoreCase, literal, path, pattern = '', ref } = search;
  const expression = literal ? escapeExpression(pattern) : pattern;
  return codeQuery({ repository, ref, path, pattern: ignoreCase ? `(?i)${expression}` : expression });
}

export function fileSearchQuery(repository: string, ref: string | undefined, pattern: string) {
  return filesQuery({ repository, ref }, globFor(pattern));
}

/** A regular expression that matches this text and nothing else. */
function escapeExpression(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, String.raw`\$&`);
}
