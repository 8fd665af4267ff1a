/** Reads the comments of a plan, which its operation gives in pages. */
import type { Operations } from '../../operation-types.ts';
import type { RunOperation } from './run-operation.ts';

type PlanThreads = Operations['list-plan-threads']['output'];
export type ThreadComment = PlanThreads['comments'][number];

const COMMENTS_AT_ONCE = 200;

export interface ReadThreads extends PlanThreads {
  /** Whether there are no more comments than these. */
  isWhole: boolean;
}

/** The oldest comments, at most so many. */
export async function readThreads(
  run: RunOperation,
  input: { seriesId: string; commentId?: string },
  maxComments: number,
): Promise<ReadThreads> {
  const read = (cursor?: string) => run('list-plan-threads', { ...input, cursor, limit: COMMENTS_AT_ONCE });
  const first = await read();
  const comments = [...first.comments];
  let cursor = first.nextCursor;
  while (cursor !== null && comments.length < maxComments) {
    const more = await read(cursor);
    comments.push(...more.comments);
    cursor = more.nextCursor;
  }
  return { ...first, comments, isWhole: cursor === null };
}
