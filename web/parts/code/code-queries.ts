/** Queries for a repository's code, and how long they are cached: a commit never changes. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiProblem, type CallInput, type CallOutput, call } from '../../api/client.ts';
import { untilReady } from '../../api/queries.ts';
import { escapeExpression } from './escape-expression.ts';
import type { SelectedLines } from './selected-lines.ts';

/** A repository by its full name, at a branch, tag or commit; default: the default branch. */
export interface CodePlace {
  repository: string;
  ref: string | undefined;
}

const FULL_COMMIT = /^(?:[\da-f]{40}|[\da-f]{64})$/i;
const BRANCH_STALE_MS = 30_000;
const ASK_AGAIN_MS = 500;
/** The maximum of one reply. */
const LINES_AT_ONCE = 5000;

export function isFullCommit(ref: string | undefined): boolean {
  return ref !== undefined && FULL_COMMIT.test(ref);
}

export const shortCommit = (commit: string) => commit.slice(0, 7);

export function treeQuery(place: CodePlace, path: string) {
  return queryOptions({
    queryKey: ['list-tree', place, path],
    queryFn: async ({ signal }) => known(await call('list-tree', { ...place, path }, { signal })),
    staleTime: staleTimeOf(place),
  });
}

/** In parts, starting with the part that contains a line. */
export function fileQuery(place: CodePlace, path: string, line = 1) {
  const first = line - ((line - 1) % LINES_AT_ONCE);
  return infiniteQueryOptions({
    queryKey: ['read-file', place, path, first],
    initialPageParam: first,
    queryFn: async ({ pageParam, signal }) => {
      const lines = { startLine: pageParam, endLine: pageParam + LINES_AT_ONCE - 1 };
      return known(await call('read-file', { ...place, path, ...lines }, { signal }));
    },
    getPreviousPageParam: ({ startLine }) =>
      startLine > 1 ? Math.max(1, startLine - LINES_AT_ONCE) : undefined,
    getNextPageParam: ({ endLine, startLine, totalLines }) =>
      totalLines !== null && endLine >= startLine && endLine < totalLines ? endLine + 1 : undefined,
    staleTime: staleTimeOf(place),
  });
}

/** The lines around a definition: its comment is above it. */
const LINES_BEFORE = 30;
const LINES_AFTER = 12;

export function linesAroundQuery(place: CodePlace, path: string, line: number) {
  const lines = { startLine: Math.max(1, line - LINES_BEFORE), endLine: line + LINES_AFTER };
  return queryOptions({
    queryKey: ['read-file', 'around', place, path, line],
    queryFn: async ({ signal }) => {
      const { startLine, text } = known(await call('read-file', { ...place, path, ...lines }, { signal }));
      return { startLine, lines: text.split('\n') };
    },
    staleTime: staleTimeOf(place),
  });
}

/** The last commit of each entry of a folder; fills while the service searches. */
export function lastCommitsQuery(place: CodePlace, path: string) {
  return queryOptions({
    queryKey: ['list-last-commits', place, path],
    queryFn: async ({ signal }) => known(await call('list-last-commits', { ...place, path }, { signal })),
    refetchInterval: ({ state: { data } }) => data?.isSearching === true && ASK_AGAIN_MS,
    staleTime: staleTimeOf(place),
    retry: false,
  });
}

/** The commits that changed a file, or some of its lines. */
export function historyQuery(place: CodePlace, path: string, lines: SelectedLines | undefined) {
  return queryOptions({
    queryKey: ['read-file-history', place, path, lines],
    queryFn: async ({ signal }) =>
      known(await call('read-file-history', { ...place, path, ...rangeOf(lines) }, { signal })),
    staleTime: staleTimeOf(place),
  });
}

/** Who last changed each line. */
export function blameQuery(place: CodePlace, path: string, lines: SelectedLines | undefined) {
  return queryOptions({
    queryKey: ['blame-file', place, path, lines],
    queryFn: async ({ signal }) =>
      known(await call('blame-file', { ...place, path, ...rangeOf(lines) }, { signal })),
    staleTime: staleTimeOf(place),
  });
}

function rangeOf(lines: SelectedLines | undefined) {
  return lines ? { startLine: lines.first, endLine: lines.last } : {};
}

export function imageQuery(place: CodePlace, path: string) {
  return queryOptions({
    queryKey: ['read-image', place, path],
    queryFn: async ({ signal }) => known(await call('read-image', { ...place, path }, { signal })),
    staleTime: staleTimeOf(place),
    retry: false,
  });
}

export function filesQuery(place: CodePlace, pattern: string) {
  return queryOptions({
    queryKey: ['search-files', place, pattern],
    queryFn: async ({ signal }) => known(await call('search-files', { ...place, pattern }, { signal })),
    staleTime: staleTimeOf(place),
    retry: false,
  });
}

export function codeQuery(input: CallInput<'search-code'>) {
  return queryOptions({
    queryKey: ['search-code', input],
    queryFn: async ({ signal }) => known(await call('search-code', input, { signal })),
    staleTime: staleTimeOf({ repository: input.repository, ref: input.ref ?? undefined }),
    retry: false,
  });
}

/** With the file that uses the name, what it most likely means comes first. */
export function symbolQuery(place: CodePlace, name: string, from?: string) {
  const input = { ...place, name, ...(from !== undefined && { from }) };
  return queryOptions({
    queryKey: ['find-symbol', input],
    queryFn: async ({ signal }) => known(await call('find-symbol', input, { signal })),
    staleTime: staleTimeOf(place),
    ...untilReady,
  });
}

/** The lines with a name, for the places where it is defined and used. A frequent one has more lines than a search returns. */
export function linesOfSymbolQuery(place: CodePlace, name: string) {
  const literal = escapeExpression(name);
  const pattern = /^\w+$/.test(name) ? `\\b${literal}\\b` : literal;
  return codeQuery({ ...place, pattern, order: 'code_first' });
}

export type FoundLines = Known<CallOutput<'search-code'>>;
export type FoundFile = FoundLines['files'][number];
export type LastCommit = Known<CallOutput<'list-last-commits'>>['commits'][number];
export type BlamedRun = Known<CallOutput<'blame-file'>>['runs'][number];
export type FilePart = Known<CallOutput<'read-file'>>;
export type TreeEntry = Known<CallOutput<'list-tree'>>['entries'][number];

type Known<Reply> = Exclude<Reply, { candidates: string[] }>;

/** A full name identifies one repository; the ambiguous reply is for callers who know only part of the name. */
function known<Reply extends object>(reply: Reply): Known<Reply> {
  if ('candidates' in reply) throw new Error('The repository was renamed. Reload the page.');
  return reply as Known<Reply>;
}

function staleTimeOf({ ref }: CodePlace): number {
  return isFullCommit(ref) ? Number.POSITIVE_INFINITY : BRANCH_STALE_MS;
}

export function isRefUnknown(error: Error): boolean {
  return error instanceof ApiProblem && error.code === 'ref_not_found';
}
