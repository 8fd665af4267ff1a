/** Understands what a search is for: a pattern with separate limits, or a query in the language of the search form. */
import { globOfLanguage, LANGUAGES } from '../../engines/facts/index.ts';
import { compileGlob, joinGlobs } from '../../engines/search/index.ts';
import { parseSearchQuery, quoteSearchText, type SearchFilter } from '../../engines/text/index.ts';
import { invalidRequest, type Problem } from '../../platform/core/errors/errors.ts';
import { editDistance } from '../../platform/core/text/edit-distance.ts';
import { namesInPattern, namesInTerms } from './searched-names.ts';

export const CODE_FILTERS = ['repo', 'path', 'lang', 'branch'] as const;
export const COMMIT_FILTERS = ['repo', 'path', 'author', 'branch'] as const;
type FilterName = (typeof CODE_FILTERS | typeof COMMIT_FILTERS)[number];

/** Filters with the same name: any of the wanted ones, none of the unwanted ones. */
export interface FilterValues {
  wanted: string[];
  unwanted: string[];
}

export interface ParsedQuery {
  terms: string[];
  filters: Record<FilterName, FilterValues>;
}

export interface AcceptedSearch {
  /** In ripgrep's syntax. */
  pattern: string;
  /** The names that are searched for, whose definitions come first. */
  names: string[];
  globs: string[];
  excludedGlobs: string[];
  repositories: FilterValues;
  branch: string | undefined;
}

interface SearchFields {
  pattern?: string | undefined;
  query?: string | undefined;
  regex?: boolean | undefined;
  ignoreCase?: boolean | undefined;
}

/** Throws what is wrong with the field. */
export function acceptSearch({
  ignoreCase = false,
  pattern,
  query,
  regex = false,
}: SearchFields): AcceptedSearch {
  if (pattern !== undefined && query !== undefined)
    throw invalidRequest([{ path: 'query', message: 'replaces `pattern`: send one of them' }]);
  const none = { wanted: [], unwanted: [] };
  if (query === undefined) {
    if (pattern === undefined)
      throw invalidRequest([{ path: 'pattern', message: 'is required, unless there is a `query`' }]);
    const names = namesInPattern(pattern);
    return { pattern, names, globs: [], excludedGlobs: [], repositories: none, branch: undefined };
  }
  const { filters, terms } = acceptQuery(query, CODE_FILTERS, regex);
  if (terms.length === 0) throw badQuery('has no text to search for');
  const expression = regex ? terms[0]! : terms.map(escapeExpression).join('|');
  const [paths, languages] = [mapValues(filters.path, pathGlob), mapValues(filters.lang, languageGlob)];
  return {
    pattern: ignoreCase ? `(?i)${expression}` : expression,
    names: regex ? namesInPattern(expression) : namesInTerms(terms),
    globs: [paths.wanted, languages.wanted].filter((some) => some.length > 0).map(joinGlobs),
    excludedGlobs: [...paths.unwanted, ...languages.unwanted],
    repositories: filters.repo,
    branch: branchOf(filters.branch),
  };
}

/** Throws for unknown filters. */
export function acceptQuery(query: string, known: readonly FilterName[], isRegex: boolean): ParsedQuery {
  const { filters, terms, unknown } = parseSearchQuery(query, { isRegex, known });
  if (unknown[0]) throw badQuery(explainUnknown(unknown[0], known, query, isRegex));
  const valuesOf = (name: FilterName): FilterValues => {
    const same = filters.filter((filter) => filter.name === name);
    const values = (isNegated: boolean) =>
      same.filter((filter) => filter.isNegated === isNegated).map(({ value }) => value);
    return { wanted: values(false), unwanted: values(true) };
  };
  return {
    terms,
    filters: {
      repo: valuesOf('repo'),
      path: valuesOf('path'),
      lang: valuesOf('lang'),
      branch: valuesOf('branch'),
      author: valuesOf('author'),
    },
  };
}

export function badQuery(message: string): Problem {
  return invalidRequest([{ path: 'query', message }]);
}

function explainUnknown(
  { end, name, start }: SearchFilter,
  known: readonly string[],
  query: string,
  isRegex: boolean,
): string {
  const near = [...known].sort((one, other) => editDistance(name, one) - editDistance(name, other))[0]!;
  const isNear = editDistance(name, near) <= 2 || near.startsWith(name) || name.startsWith(near);
  const text = query.slice(start, end);
  const literal = isRegex ? text.replace(':', '\\:') : quoteSearchText(text);
  return [
    `has an unknown filter, ${name}:. ${isNear ? `Did you mean ${near}:? ` : ''}`,
    `Filters are ${known.map((each) => `${each}:`).join(', ')}. To search for this text, write ${literal}`,
  ].join('');
}

function mapValues({ unwanted, wanted }: FilterValues, map: (value: string) => string): FilterValues {
  return { wanted: wanted.map(map), unwanted: unwanted.map(map) };
}

/** A path without wildcards is a file, or a folder with everything in it. */
function pathGlob(value: string): string {
  const compiled = compileGlob(value);
  if (!compiled.ok) throw badQuery(`has an invalid glob in path:${value}: ${compiled.message}`);
  return /[*?[\]{}\\]/.test(value) || value.endsWith('/') ? value : joinGlobs([value, `${value}/`]);
}

function languageGlob(value: string): string {
  const glob = globOfLanguage(value);
  if (glob !== null) return glob;
  const wanted = value.toLowerCase();
  const near = LANGUAGES.filter((name) => name.startsWith(wanted) || editDistance(name, wanted) <= 2);
  throw badQuery(
    `has an unknown language, ${value}. ${near.length > 0 ? `Did you mean ${near.slice(0, 3).join(' or ')}?` : `Languages are ${LANGUAGES.join(', ')}.`}`,
  );
}

export function branchOf({ unwanted, wanted }: FilterValues): string | undefined {
  if (unwanted.length > 0) throw badQuery('can’t exclude a branch: code is searched on one branch');
  if (wanted.length > 1) throw badQuery('names several branches: search one at a time');
  return wanted[0];
}

/** A regular expression that matches this text literally. */
function escapeExpression(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, String.raw`\$&`);
}
