/** Copies the address of a file or of selected lines at the commit that is shown, where it stays after later pushes. */
import { useRouter } from '@tanstack/react-router';
import { copyText } from '../../../components/copy.tsx';
import { useToast } from '../../../components/toast.tsx';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import type { PullRequestSearch } from '../../../page-search.ts';
import { lineNumber } from '../diff/diff-lines.ts';
import type { LineSelection } from '../diff/line-selection.ts';
import type { Rows } from '../diff/use-rows.ts';
import { writeLines } from './line-address.ts';

export function useCopyLink(given: {
  pullRequestId: string;
  search: PullRequestSearch;
  /** The newer of the two commits. */
  to: string;
  rows: Rows;
  selection: LineSelection | undefined;
  currentFile(): string | undefined;
}): (path: string) => void {
  const { pullRequestId, rows, search, selection, to } = given;
  const router = useRouter();
  const toast = useToast();
  const copy = async (path: string) => {
    const { by, from } = search;
    const lines = selection?.path === path ? writeLines(onNewSide(rows, selection)) : undefined;
    const { href } = router.buildLocation({
      to: '/pull-requests/$pullRequestId',
      params: { pullRequestId },
      search: { view: 'files', ...(from && { from }), to, ...(by && { by }), path, ...(lines && { lines }) },
    });
    if (await copyText(new URL(href, location.origin).href))
      toast(lines ? 'Link to the lines copied.' : 'Link to the file copied.');
    else toast('Couldn’t copy. Select the address and copy it manually.', 'danger');
  };
  usePageShortcuts([
    {
      keys: ['l'],
      meaning: 'Copy a link to the selected lines or the file',
      act() {
        const path = selection?.path ?? given.currentFile();
        if (path !== undefined) void copy(path);
        return path !== undefined;
      },
    },
  ]);
  return (path) => void copy(path);
}

/** Unchanged lines are opened by their new numbers, so only removed ones are named by their old ones. */
function onNewSide({ files }: Rows, selection: LineSelection): LineSelection {
  const { first, last, path, side } = selection;
  if (side === 'new') return selection;
  const found = files.find(({ state }) => state.file.path === path)?.rows ?? [];
  const numbers = found.flatMap((row) => {
    const line = row.type === 'line' ? row.left : undefined;
    const number = line && lineNumber(line, 'old');
    return number !== undefined && first <= number && number <= last ? [line?.new] : [];
  });
  const known = numbers.filter((number) => number !== undefined);
  if (known.length === 0 || known.length < numbers.length) return selection;
  return { path, side: 'new', first: Math.min(...known), last: Math.max(...known) };
}
