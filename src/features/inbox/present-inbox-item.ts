/** Turns an inbox row into its API shape. */
import type { z } from 'zod';
import type { InboxItem } from './contract.ts';
import type { InboxRow } from './inbox-store.ts';

export function presentInboxItem(row: InboxRow): z.input<typeof InboxItem> {
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
    plan: row.series_id === null ? null : { seriesId: row.series_id, title: row.title!, status: row.status! },
    pullRequest:
      row.pull_request_id === null
        ? null
        : {
            id: row.pull_request_id,
            number: row.number!,
            repository: row.repository!,
            title: row.pull_request_title!,
            state: row.state!,
          },
    codeHost: row.code_host_id === null ? null : { id: row.code_host_id, name: row.code_host_name! },
    actor: row.actor_name === null ? null : { id: row.actor_id, name: row.actor_name },
    commentId: row.comment_id,
    threadId: row.thread_id,
    discussionId: row.discussion_id,
    findings: row.findings,
    version: row.version,
    excerpt: row.excerpt,
  };
}
