/** The comments of a plan, in pages: only the pages with new or changed comments are refetched. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type CallOutput, call } from '../../../api/client.ts';

type Answer = CallOutput<'list-plan-threads'>;
export type ThreadComment = Answer['comments'][number];

interface ThreadPage {
  /** The cursor that it was requested with. */
  cursor: string | undefined;
  answer: Answer;
}
export type ThreadPages = ThreadPage[];

const COMMENTS_AT_ONCE = 200;
const keyOf = (seriesId: string) => ['list-plan-threads', seriesId];

export const threadsQuery = (seriesId: string, version: number) =>
  queryOptions({
    queryKey: [...keyOf(seriesId), version],
    queryFn: ({ signal }) => readPages(seriesId, version, undefined, signal),
    staleTime: 60_000,
  });

async function readPages(
  seriesId: string,
  version: number,
  from: string | undefined,
  signal?: AbortSignal,
): Promise<ThreadPages> {
  const pages: ThreadPages = [];
  for (let cursor = from; ; ) {
    const input = { seriesId, version, cursor, limit: COMMENTS_AT_ONCE };
    const answer = await call('list-plan-threads', input, { signal });
    pages.push({ cursor, answer });
    if (answer.nextCursor === null) return pages;
    cursor = answer.nextCursor;
  }
}

/** Changes the comments in the cache. */
export function updateComments(
  client: QueryClient,
  seriesId: string,
  change: (answer: Answer, isLast: boolean) => Answer,
): void {
  client.setQueriesData<ThreadPages>({ queryKey: keyOf(seriesId) }, (pages) =>
    pages?.map((page, index) => ({ ...page, answer: change(page.answer, index === pages.length - 1) })),
  );
}

export function updateComment(
  client: QueryClient,
  seriesId: string,
  commentId: string,
  change: Partial<ThreadComment>,
): void {
  updateComments(client, seriesId, (answer) => ({
    ...answer,
    comments: answer.comments.map((comment) =>
      comment.id === commentId ? { ...comment, ...change } : comment,
    ),
  }));
}

/** Shows a comment that was just posted before its event arrives. */
export function addComment(client: QueryClient, seriesId: string, comment: ThreadComment): void {
  updateComments(client, seriesId, (answer, isLast) =>
    isLast && !answer.comments.some(({ id }) => id === comment.id)
      ? { ...answer, comments: [...answer.comments, comment] }
      : answer,
  );
}

/**
 * Fetches what changed, one request at a time, so that an earlier reply can't replace a later one; requests that arrive
 * meanwhile are batched.
 */
export function createCommentRefresher(client: QueryClient, seriesId: string) {
  let wanted = new Set<string>();
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    try {
      while (wanted.size > 0) {
        const changed = wanted;
        wanted = new Set();
        await refresh(client, seriesId, changed);
      }
    } finally {
      isRunning = false;
    }
  };
  return (commentIds: readonly string[]) => {
    for (const id of commentIds) wanted.add(id);
    if (!isRunning) void run();
  };
}

async function refresh(client: QueryClient, seriesId: string, changed: Set<string>): Promise<void> {
  const queryKey = keyOf(seriesId);
  void client.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' });
  for (const query of client.getQueryCache().findAll({ queryKey, type: 'active' })) {
    const version = query.queryKey[2] as number;
    const before = client.getQueryData<ThreadPages>(query.queryKey);
    try {
      const fresh = before && (await fetchChanged(seriesId, version, before, changed));
      if (fresh) client.setQueryData(query.queryKey, fresh);
      else await client.refetchQueries({ queryKey: query.queryKey, exact: true });
    } catch {
      // The cached comments stay; the next event or window focus retries.
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' });
    }
  }
}

/** Undefined if a comment isn't in any page it should be in, because the clocks of nodes differ. */
async function fetchChanged(
  seriesId: string,
  version: number,
  before: ThreadPages,
  changed: Set<string>,
): Promise<ThreadPages | undefined> {
  const missing = new Set(changed);
  const pages: ThreadPages = [];
  for (const [index, page] of before.entries()) {
    const ids = page.answer.comments.filter(({ id }) => changed.has(id));
    for (const { id } of ids) missing.delete(id);
    const isLast = index === before.length - 1;
    if (isLast && (missing.size > 0 || ids.length > 0))
      pages.push(...(await readPages(seriesId, version, page.cursor)));
    else if (ids.length > 0) {
      const input = { seriesId, version, cursor: page.cursor, limit: COMMENTS_AT_ONCE };
      pages.push({ cursor: page.cursor, answer: await call('list-plan-threads', input) });
    } else pages.push(page);
  }
  const found = new Set(pages.flatMap(({ answer }) => answer.comments.map(({ id }) => id)));
  return [...missing].every((id) => found.has(id)) ? pages : undefined;
}
