/** Reads the comments of a plan page by page. */
import type { Operations } from '../../../operation-types.ts';
import type { RunOperation } from '../run-operation.ts';

type PlanThreads = Operations['list-plan-threads']['output'];
export type ThreadComment = PlanThreads['comments'][number];

const PAGE_SIZE = 200;

export interface ReadThreads extends PlanThreads {
  /** Whether these are all comments. */
  isComplete: boolean;
}

/** The oldest comments; stops once there are `maxComments`. */
export async function readThreads(
  run: RunOperation,
  input: { seriesId: string; commentId?: string },
  maxComments: number,
): Promise<ReadThreads> {
  const read = (cursor?: string) => run('list-plan-threads', { ...input, cursor, limit: PAGE_SIZE });
  const first = await read();
  const comments = [...first.comments];
  let cursor = first.nextCursor;
  while (cursor !== null && comments.length < maxComments) {
    const more = await read(cursor);
    comments.push(...more.comments);
    cursor = more.nextCursor;
  }
  return { ...first, comments, isComplete: cursor === null };
}
