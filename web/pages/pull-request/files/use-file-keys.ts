/** Keys for files: j and k go to the next and previous one, v marks the one at the top as viewed, f shows the list of files. */
import { useToast } from '../../../components/toast.tsx';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import type { ChangedFile } from '../diff/diff-types.ts';

/** The path of the file at the top of what is shown. */
export function fileAtTop(coveredTop: number): string | undefined {
  return sectionAtTop(coveredTop)?.dataset.path;
}

/** A header may be cut by a fraction of a pixel. */
const TOLERANCE = 4;

function sectionAtTop(coveredTop: number): HTMLElement | undefined {
  const sections = [...document.querySelectorAll<HTMLElement>('.diff > section')];
  return sections.find((section) => section.getBoundingClientRect().bottom > coveredTop + TOLERANCE);
}

export function useFileKeys(given: {
  files: readonly ChangedFile[];
  coveredTop: number;
  goToFile(path: string): void;
  /** Missing where files can't be marked. */
  onViewed: ((file: ChangedFile, isViewed: boolean) => void) | undefined;
  onToggleTree: (() => void) | undefined;
}): void {
  const { coveredTop, files, goToFile, onToggleTree, onViewed } = given;
  const toast = useToast();
  const go = (at: number) => {
    const file = files[at];
    if (!file) return false;
    goToFile(file.path);
    focusHeader(file.path);
    return true;
  };
  const indexAtTop = () => files.findIndex(({ path }) => path === fileAtTop(coveredTop));
  usePageShortcuts([
    {
      keys: ['j'],
      meaning: 'Next file',
      act() {
        // Before the first file, the next one is the first.
        const top = sectionAtTop(coveredTop)?.getBoundingClientRect().top ?? 0;
        if (!go(top > coveredTop + TOLERANCE ? indexAtTop() : indexAtTop() + 1))
          toast('This is the last file.');
        return true;
      },
    },
    {
      keys: ['k'],
      meaning: 'Previous file',
      act() {
        const at = indexAtTop();
        const top = sectionAtTop(coveredTop)?.getBoundingClientRect().top ?? 0;
        // From the middle of a file, to its beginning.
        if (!go(top < coveredTop - TOLERANCE ? at : at - 1)) toast('This is the first file.');
        return true;
      },
    },
    {
      keys: ['v'],
      meaning: 'Mark the file as viewed, and go to the next',
      act() {
        const at = indexAtTop();
        const file = files[at];
        if (!file || !onViewed) return false;
        onViewed(file, !file.viewed);
        if (!file.viewed) go(at + 1);
        return true;
      },
    },
    {
      keys: ['f'],
      meaning: 'Show or hide the sidebar',
      act() {
        onToggleTree?.();
        return onToggleTree !== undefined;
      },
    },
  ]);
}

/** Once it is on the page, so that the keyboard goes on from there. */
function focusHeader(path: string): void {
  const find = () =>
    [...document.querySelectorAll<HTMLElement>('.diff > section')].find((each) => each.dataset.path === path);
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      find()?.querySelector<HTMLElement>('header button')?.focus({ preventScroll: true }),
    ),
  );
}
