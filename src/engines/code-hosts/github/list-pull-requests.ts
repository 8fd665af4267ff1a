/** Lists pull requests page by page; a page that did not change costs nothing of GitHub's rate limit. */
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { conditional, pageSince } from '../page-since.ts';
import { hasNextPage, pageNumber } from '../pages.ts';
import type { PullRequestPage, PullRequestQuery } from '../port.ts';
import { readReply } from '../read-reply.ts';
import { pullRequestOf } from './read.ts';
import { pullRequestShape } from './shapes.ts';

const PAGE_SIZE = 100;

export async function listPullRequests(
  client: HostClient,
  path: string,
  query: PullRequestQuery,
): Promise<PullRequestPage> {
  const page = pageNumber(query.page);
  const { headers, json, status } = await client({
    path: `${path}/pulls`,
    query: {
      state: query.state,
      sort: query.order,
      direction: query.order === 'created' ? 'asc' : 'desc',
      per_page: PAGE_SIZE,
      page,
    },
    headers: conditional(query),
  });
  if (status === 304) return { unchanged: true };
  const items = readReply(z.array(pullRequestShape), json, 'the pull requests').map(pullRequestOf);
  return pageSince({ items, hasNext: hasNextPage(headers), page, etag: headers.etag ?? null }, query);
}
