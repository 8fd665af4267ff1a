/** The queries of the search form. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { parseSearchQuery, withoutSearchFilters } from '../../../src/engines/text/index.ts';
import { ApiProblem, type CallInput, call } from '../../api/client.ts';
import { globFor } from '../../frame/file-glob.ts';
import { CODE_FILTERS, COMMIT_FILTERS, type CodeSearch } from '../../page-search.ts';
import { codeQuery, type FoundFile, type FoundLines, filesQuery } from '../code/code-queries.ts';

/** The rest of a file is loaded on request. */
export const LINES_PER_FILE = 10;
const MAX_SKIPPED_FILES = 5000;
const STALE_MS = 30_000;

export interface SearchedRepository {
  id: string;
  name: string;
}

type SearchInput = CallInput<'search-code'>;

function inputOf(repository: string, { ignoreCase, query = '', ref, regex }: CodeSearch): SearchInput {
  return { repository, ref, query, ignoreCase, regex, order: 'code_first', linesPerFile: LINES_PER_FILE };
}

/** Pages of files, all at the commit of the first one. */
export function codePagesQuery(repository: string, search: CodeSearch) {
  const input = inputOf(repository, search);
  return infiniteQueryOptions({
    queryKey: ['search-code', 'pages', input],
    initialPageParam: {} as Pick<SearchInput, 'definitionsFirst' | 'ref' | 'skipFiles'>,
    queryFn: async ({ pageParam, signal }) => {
      const reply = await call('search-code', { ...input, ...pageParam }, { signal });
      if ('candidates' in reply) throw new Error('The repository was renamed. Reload the page.');
      return reply;
    },
    getNextPageParam: (page, pages) => {
      const skipFiles = pages.reduce((sum, { files }) => sum + files.length, 0);
      const isAll = page.total.files <= skipFiles && !page.total.isLowerBound;
      if (page.files.length === 0 || isAll || skipFiles > MAX_SKIPPED_FILES) return undefined;
      return { skipFiles, ref: page.commit, definitionsFirst: page.definitionsFirst };
    },
    staleTime: STALE_MS,
    retry: false,
  });
}

/** How many lines match in all, when the search stopped early. */
export function codeCountQuery(repository: string, search: CodeSearch, first: FoundLines | undefined) {
  const input = { ...inputOf(repository, search), ref: first?.commit, countAll: true };
  return { ...codeQuery(input), enabled: first?.total.isLowerBound === true && first.notSearched === null };
}

/** All matches of one file. */
export function fileMatchesQuery(repository: string, search: CodeSearch, file: FoundFile) {
  const { linesPerFile: _, ...input } = inputOf(repository, search);
  return infiniteQueryOptions({
    queryKey: ['search-code', 'file', input, file.path],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const where = { path: file.path, order: 'path' as const, skipLines: pageParam };
      const reply = await call('search-code', { ...input, ...where }, { signal });
      if ('candidates' in reply) throw new Error('The repository was renamed. Reload the page.');
      return reply;
    },
    getNextPageParam: (page, pages) => {
      const shown = pages.reduce((sum, { matchingLines }) => sum + matchingLines, 0);
      return page.matchingLines > 0 && page.moreLines ? shown : undefined;
    },
    staleTime: STALE_MS,
    retry: false,
  });
}

export function fileSearchQuery(repository: string, ref: string | undefined, pattern: string) {
  return filesQuery({ repository, ref }, globFor(pattern));
}

/** Pages of commits, all from the commit of the first one. */
export function commitPagesQuery(repository: string, { changes, ignoreCase, query = '', ref }: CodeSearch) {
  const input = { repository, ref, query, ignoreCase, in: changes ? ('changes' as const) : undefined };
  return infiniteQueryOptions({
    queryKey: ['search-commits', input],
    initialPageParam: {} as { ref?: string; skip?: number },
    queryFn: async ({ pageParam, signal }) => {
      const reply = await call('search-commits', { ...input, ...pageParam }, { signal });
      if ('candidates' in reply) throw new Error('Several repositories have this name. Write the full name.');
      return reply;
    },
    getNextPageParam: ({ commit, next }) => (next === null ? undefined : { ref: commit, skip: next }),
    staleTime: STALE_MS,
    retry: false,
  });
}

export const filtersOf = ({ mode }: CodeSearch) => (mode === 'commits' ? COMMIT_FILTERS : CODE_FILTERS);

export function parseQuery(search: CodeSearch) {
  const isRegex = search.regex === true && search.mode !== 'commits';
  return parseSearchQuery(search.query ?? '', { isRegex, known: filtersOf(search) });
}

/** The one repository that a query names, and the query for it; undefined when it names none, or several. */
export function onlyRepository(search: CodeSearch): { name: string; within: CodeSearch } | undefined {
  const named = parseQuery(search).filters.filter(({ name }) => name === 'repo');
  const [only] = named;
  if (!only || named.length > 1 || only.isNegated || /[*?[\]{}]/.test(only.value)) return undefined;
  return {
    name: only.value,
    within: { ...search, query: withoutSearchFilters(search.query ?? '', named) },
  };
}

/** For a search of one repository at one commit. */
export function withinRepository(search: CodeSearch, ref: string): CodeSearch {
  const own = parseQuery(search).filters.filter(({ name }) => name === 'repo' || name === 'branch');
  return { ...search, ref, query: withoutSearchFilters(search.query ?? '', own) };
}

const NOT_VALID = 'is not a valid ';

/** The error about the query as a sentence; undefined when the error is about something else. */
export function queryProblem(error: Error | null): string | undefined {
  const fields = error instanceof ApiProblem ? error.fields : [];
  const message = fields.find(({ path }) => path === 'query' || path === 'pattern')?.message;
  if (message === undefined) return undefined;
  return message.startsWith(NOT_VALID)
    ? `Invalid ${message.slice(NOT_VALID.length)}.`
    : `The search ${message.replace(/\?$/, '')}${message.endsWith('?') ? '?' : '.'}`;
}
