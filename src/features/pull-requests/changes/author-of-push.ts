/** Who wrote the newest commit of a push that nobody here made: git doesn't say who pushed it. */
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';

const MAX_NAME_CHARACTERS = 200;

/** Undefined when the commits are gone, and when the base has them all. */
export async function authorOfPush(
  { call, code }: { call: Call; code: Pick<CodeReader, 'compare'> },
  repositoryId: string,
  push: { base: string; head: string },
): Promise<string | undefined> {
  try {
    const range = { from: push.base, to: push.head, limit: 1 };
    const { commits } = await code.compare('listCommits', repositoryId, range, call);
    return commits[0] && storable(commits[0].authorName).slice(0, MAX_NAME_CHARACTERS);
  } catch (error) {
    if (error instanceof Problem && error.code === 'ref_not_found') return undefined;
    throw error;
  }
}
