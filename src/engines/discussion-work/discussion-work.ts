/** Following and judging discussions: slow for files that changed much. Pure, so it can run in any thread. */
import { type Judgment, judgeAddressed, type ReviewThread } from '../addressed/index.ts';
import { portPlaces } from '../positions/index.ts';

type FileTexts = Pick<ReviewThread, 'before' | 'after' | 'otherHunks'>;

/** Discussions of one file; its texts are sent once. */
function judgeThreads(file: FileTexts, threads: Omit<ReviewThread, keyof FileTexts>[]): Judgment[] {
  return threads.map((thread) => judgeAddressed({ ...thread, ...file }));
}

export const DISCUSSION_WORK = { portPlaces, judgeThreads };

export type DiscussionWork = typeof DISCUSSION_WORK;
