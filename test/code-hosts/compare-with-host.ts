/**
 * Shows a pull request of a fake host and our copy of it in the same terms, so that tests can compare them. Lists are sorted: the fake
 * has its own clock.
 */
import { wordsOf } from '../../src/features/code-hosts/sync/posted-text.ts';
import type { Db } from '../../src/platform/db/index.ts';
import type { FakePullRequest } from './fake-model.ts';

export interface Shown {
  title: string;
  description: string;
  state: string;
  labels: string[];
  head: string | null;
  base: string;
  requested: string[];
  threads: { file: string; lines: string; resolved: boolean; comments: string[] }[];
  conversation: string[];
  verdicts: string[];
}

const byText = (one: string, other: string) => (one < other ? -1 : 1);
const byFirst = (one: { comments: string[] }, other: { comments: string[] }) =>
  byText(one.comments.join(), other.comments.join());

export function shownOnHost(pullRequest: FakePullRequest): Shown {
  const { state } = pullRequest;
  return {
    title: pullRequest.title,
    description: pullRequest.body,
    state: state === 'open' && pullRequest.draft ? 'draft' : state,
    labels: pullRequest.labels,
    head: pullRequest.head.commit,
    base: pullRequest.base.branch,
    requested: pullRequest.requestedReviewers.map(({ login }) => login).sort(byText),
    threads: pullRequest.threads
      .map((thread) => ({
        file: thread.file,
        lines: `${thread.side} ${thread.startLine}-${thread.endLine}`,
        resolved: thread.resolvedBy !== null,
        comments: thread.comments.map(({ body }) => wordsOf(body).trim()).sort(byText),
      }))
      .sort(byFirst),
    conversation: pullRequest.comments.map(({ body }) => wordsOf(body).trim()).sort(byText),
    verdicts: pullRequest.reviews
      .filter(({ body, state: said }) => said === 'approved' || said === 'changes_requested' || body !== '')
      .map((review) => review.state)
      .sort(byText),
  };
}

export async function shownHere(db: Db, repositoryId: string, number: number): Promise<Shown | null> {
  const row = await db
    .selectFrom('pull_requests')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
    .executeTakeFirst();
  if (!row) return null;
  const of = <T extends { pull_request_id: string }>(rows: T[]) => rows;
  const discussions = of(
    await db.selectFrom('discussions').selectAll().where('pull_request_id', '=', row.id).execute(),
  );
  const comments = await db
    .selectFrom('pull_request_comments')
    .selectAll()
    .where('pull_request_id', '=', row.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const requests = await db
    .selectFrom('pull_request_review_requests as q')
    .leftJoin('host_accounts as a', 'a.id', 'q.account_id')
    .select(['q.name', 'a.login'])
    .where('q.pull_request_id', '=', row.id)
    .execute();
  const verdicts = await db
    .selectFrom('pull_request_verdicts')
    .select(['verdict', 'dismissed_at'])
    .where('pull_request_id', '=', row.id)
    .execute();
  const bodies = (discussionId: string | null) =>
    comments
      .filter((one) => one.discussion_id === discussionId)
      .map(({ body }) => body.trim())
      .sort(byText);
  return {
    title: row.title,
    description: row.description,
    state: row.state,
    labels: row.labels,
    head: row.head_commit,
    base: row.base_branch,
    requested: requests.map(({ login, name }) => login ?? name).sort(byText),
    threads: discussions
      .map((one) => ({
        file: one.file,
        lines: `${one.side} ${one.start_line}-${one.end_line}`,
        resolved: one.status === 'resolved',
        comments: bodies(one.id),
      }))
      .sort(byFirst),
    conversation: bodies(null),
    verdicts: verdicts
      .filter((one) => one.dismissed_at === null)
      .map(({ verdict }) => verdict)
      .sort(byText),
  };
}
