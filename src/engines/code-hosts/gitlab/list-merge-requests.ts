/** Lists the merge requests of a project, a page at a time. */
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { conditional, pageSince } from '../page-since.ts';
import { hasNextPage, pageNumber } from '../pages.ts';
import type { CodeHost } from '../port.ts';
import { readReply } from '../read-reply.ts';
import type { FoundMergeRequest, SourceProject } from './fork-names.ts';
import { pullRequestOf } from './read.ts';
import { mergeRequestShape } from './shapes.ts';

const PAGE_SIZE = 100;

export async function listMergeRequests(
  client: HostClient,
  projectPath: string,
  query: Parameters<CodeHost['pullRequests']>[1],
  sourceOf: (found: FoundMergeRequest) => Promise<SourceProject>,
): ReturnType<CodeHost['pullRequests']> {
  const page = pageNumber(query.page);
  const { headers, json, status } = await client({
    path: `${projectPath}/merge_requests`,
    query: {
      scope: 'all',
      state: query.state === 'open' ? 'opened' : 'all',
      order_by: query.order === 'created' ? 'created_at' : 'updated_at',
      sort: query.order === 'created' ? 'asc' : 'desc',
      updated_after: query.order === 'updated' ? query.since?.toISOString() : undefined,
      per_page: PAGE_SIZE,
      page,
    },
    headers: conditional(query),
  });
  if (status === 304) return { unchanged: true };
  const items = [];
  for (const found of readReply(z.array(mergeRequestShape), json, 'the merge requests'))
    items.push(pullRequestOf(found, await sourceOf(found)));
  return pageSince({ items, hasNext: hasNextPage(headers), page, etag: headers.etag ?? null }, query);
}
