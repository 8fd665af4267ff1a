/** The changed lines of files as an agent reads them: without their tokens. */

import type { ReviewedFile } from '../code/read-change.ts';
import type { ReviewCode } from '../code/review-code.ts';
import type { FileToReview } from '../contract/code-review.ts';
import { createMasker } from './mask-secrets.ts';

/** A line that can be in the middle of a private key, which only the whole file shows. */
const KEY_LINE = /^[^\w+/]*[A-Za-z0-9+/]{40,}={0,2}(?:\\n)?[^\w+/]*$/;

export async function maskFiles(
  files: ReviewedFile[],
  code: Pick<ReviewCode, 'read'>,
): Promise<FileToReview[]> {
  const masked: FileToReview[] = [];
  for (const { change, hunks, oldPath, path } of files) {
    const lines = hunks.flatMap(({ added, removed }) => [...removed, ...added]);
    const whole = lines.some((line) => KEY_LINE.test(line))
      ? [await code.read('base', oldPath ?? path), await code.read('head', path)]
      : [];
    const mask = await createMasker([lines.join('\n'), ...whole.filter((text) => text !== null)]);
    const maskLines = async (some: string[]) =>
      some.length === 0 ? some : (await mask(some.join('\n'))).split('\n');
    masked.push({
      ...{ path, oldPath, change },
      hunks: await Promise.all(
        hunks.map(async (hunk) => ({
          ...hunk,
          removed: await maskLines(hunk.removed),
          added: await maskLines(hunk.added),
        })),
      ),
    });
  }
  return masked;
}
