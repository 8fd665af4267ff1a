/** GET /api/v2/dismissals: dismissals in force in the repositories that the caller can see, newest first. */
import type { z } from 'zod';
import { defineOperation } from '../../../context.ts';
import {
  cutPage,
  DEFAULT_LIMIT,
  readTimeCursor,
  timeCursorOf,
} from '../../../platform/core/operations/page.ts';
import { type Dismissal, DismissalPage, ListDismissalsInput } from '../contract.ts';
import { type DismissalRow, selectDismissals } from './dismissal-store.ts';

export const listDismissals = defineOperation({
  name: 'list-dismissals',
  group: 'Reviews',
  summary: 'List dismissals',
  description:
    'Dismissals in force, newest first: those that nobody undid and whose discussion is not open. Dismissals in the files of a repository apply too, but are not listed.',
  http: { method: 'GET', path: '/api/v2/dismissals', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListDismissalsInput,
  output: DismissalPage,
  problems: [],
  async run({ actor, db }, { cursor, limit = DEFAULT_LIMIT, repositoryId, reviewerId }) {
    const before = readTimeCursor(cursor);
    const rows = await selectDismissals(db, actor, { repositoryId, reviewerId, before, limit: limit + 1 });
    const { nextCursor, page } = cutPage(rows, limit, (row) => timeCursorOf(row.created_at, row.id));
    return { dismissals: page.map(presentDismissal), nextCursor };
  },
});

function presentDismissal(row: DismissalRow): z.input<typeof Dismissal> {
  return {
    id: row.id,
    title: row.title,
    reviewer: reporterOf(row),
    check: row.check_name,
    path: row.file,
    // Rules of custom reviewers and files have no symbol.
    subject: row.built_in === null || row.subject === row.file ? null : row.subject,
    repository: { id: row.repository_id, name: row.repository_name },
    pullRequest: { id: row.pull_request_id, number: row.number },
    discussionId: row.discussion_id,
    reason: row.reason,
    note: row.note,
    // Earlier versions let people dismiss a secret in the whole organization; it applies to the repository.
    scope: row.claim === 'secret' && row.scope === 'organization' ? 'repository' : row.scope,
    dismissedBy: row.decided_by_name,
    dismissedAt: row.created_at.toISOString(),
  };
}

function reporterOf({ producer_kind, producer_name, reviewer_title }: DismissalRow): string {
  if (producer_kind === 'agent') return producer_name ?? 'An agent';
  if (producer_kind === 'tool') return producer_name ?? 'A tool';
  return reviewer_title;
}
