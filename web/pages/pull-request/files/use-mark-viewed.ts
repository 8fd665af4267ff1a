/** Marks the content of a file as viewed; the mark is shown immediately. */
import { useOptimistic } from '../../../api/queries.ts';
import type { ChangedFile } from '../diff/diff-types.ts';

export function useMarkViewed(pullRequestId: string): (file: ChangedFile, viewed: boolean) => void {
  const mark = useOptimistic({
    operation: 'mark-file-viewed',
    list: 'list-pull-request-files',
    expect: (before, { path, viewed }) => ({
      ...before,
      files: before.files.map((file) => (file.path === path ? { ...file, viewed } : file)),
    }),
  });
  return ({ newBlob, oldBlob, path }, viewed) => {
    const blob = newBlob ?? oldBlob;
    if (blob) mark.mutate({ pullRequestId, path, blob, viewed });
  };
}
