/** Opens the two sides of a change: two commits, or a commit with a patch. */
import type { StoredFacts } from '../../facts/index.ts';
import type { RepositoryReader } from '../../search/index.ts';
import { openGitReviewCode } from './git-review-code.ts';
import { openPatchedTree } from './patched-tree.ts';
import type { ReviewCode } from './review-code.ts';

export interface OpenChange {
  code: ReviewCode;
  /** Binary files of a patch, which were not applied. */
  binaryFiles: string[];
  close(): Promise<void>;
}

export async function openChange(
  { reader, stored }: { reader: RepositoryReader; stored?: StoredFacts },
  { from, to }: { from: string; to: string | { patch: string } },
  signal: AbortSignal,
): Promise<OpenChange> {
  const { gitDir } = reader;
  if (typeof to === 'string') {
    const code = openGitReviewCode({ gitDir, base: from, head: to, signal, reader, stored });
    return { code, binaryFiles: [], close: async () => code.close() };
  }
  const tree = await openPatchedTree({ gitDir, base: from, patch: to.patch, signal });
  const borrowing = reader.borrow(tree.gitDir);
  const code = openGitReviewCode({ ...tree, signal, reader: borrowing, stored });
  return {
    code,
    binaryFiles: tree.binaryFiles,
    async close() {
      code.close();
      borrowing.close();
      await tree.close();
    },
  };
}
