/** An organization’s labels as JSON lines: where people agreed or disagreed with judgements, to measure and improve those. */
import type { Db } from '../../../platform/db/index.ts';
import { selectChangedDiscussions, selectPullRequestsWithDiscussions } from './label-store.ts';
import { labelsOf } from './labels-of.ts';

const PULL_REQUESTS_AT_ONCE = 100;

/** Yields the lines of several pull requests at a time. Code and comments only with `withCode`. */
export async function* labelLines(
  db: Db,
  organizationId: string,
  { withCode }: { withCode: boolean },
): AsyncGenerator<string[]> {
  for (let after: string | null = null; ; ) {
    const ids = await selectPullRequestsWithDiscussions(db, organizationId, {
      after,
      limit: PULL_REQUESTS_AT_ONCE,
    });
    if (ids.length === 0) return;
    after = ids.at(-1)!;
    const discussions = await selectChangedDiscussions(db, ids);
    yield discussions.flatMap(({ changes, ...discussion }) =>
      labelsOf(changes.map((change) => ({ ...change, at: new Date(change.at) }))).map((label) =>
        JSON.stringify({
          id: discussion.id,
          label: label.label,
          how: label.how,
          labelledAt: label.at.toISOString(),
          repository: discussion.repository,
          pullRequest: discussion.pull_request,
          file: discussion.file,
          startLine: discussion.start_line,
          endLine: discussion.end_line,
          commentedCommit: discussion.commit,
          judgedCommit: label.commit,
          ...(withCode && { commentedCode: discussion.commented_code, comments: discussion.comments }),
        }),
      ),
    );
  }
}
