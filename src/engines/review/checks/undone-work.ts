/** Files that a merge within the change put back to an older state, although the base branch had changed them since. */
import type { Check, Found } from '../check.ts';
import { addedLines, type ReviewedFile, removedLines } from '../code/read-change.ts';
import { shellWord } from '../code/shell-word.ts';

const MAX_FILES = 200;

export const undoneWork: Check = {
  name: 'undone_work',
  reviewer: 'breaking_changes',
  looksFor: 'newer changes on the target branch that a merge in the pull request undid',
  // Moving code to another file looks the same.
  isOffByDefault: true,
  async run(change, code) {
    const files = change.files.filter(isCode).slice(0, MAX_FILES);
    if (files.length === 0) return [];
    const undone = await code.undone(files.map(({ path }) => path));
    const found: Found[] = [];
    for (const { by, lost, path } of undone) {
      const file = files.find((each) => each.path === path)!;
      const place = placeIn(file);
      if (!place || isMoved(file, change.files)) continue;
      found.push({
        claim: 'other',
        subject: path,
        title: `${path} is as it was before ${lost.commit.slice(0, 10)}`,
        scenario: `The target branch changed ${path} in ${lost.commit.slice(0, 10)} (${lost.subject}). After merging that, this branch has the file as it was before, so the work is undone.`,
        ...{ file: path, ...place, evidence: [] },
        command: `git diff ${by.slice(0, 12)} ${change.head.slice(0, 12)} -- ${shellWord(path)}`,
      });
    }
    return found;
  },
};

/** Deleting a file that is new on the base is nothing unusual. */
function isCode({ change, fileClass }: ReviewedFile): boolean {
  return change === 'modified' && (fileClass === 'code' || fileClass === 'test');
}

/** Its first line that is not empty: an added one, else a removed one. */
function placeIn(file: ReviewedFile): Pick<Found, 'side' | 'line' | 'quote'> | undefined {
  const isText = ({ text }: { text: string }) => text.trim() !== '';
  const added = addedLines(file).find(isText);
  if (added) return { side: 'head', line: added.number, quote: added.text };
  const removed = removedLines(file).find(isText);
  return removed && { side: 'base', line: removed.number, quote: removed.text };
}

/** Whether most of what the file lost is now in another one. */
function isMoved(file: ReviewedFile, files: ReviewedFile[]): boolean {
  const elsewhere = new Set(
    files.filter((each) => each !== file).flatMap((each) => addedLines(each).map(({ text }) => text.trim())),
  );
  const lost = removedLines(file).filter(({ text }) => /\w{3}/.test(text));
  return 2 * lost.filter(({ text }) => elsewhere.has(text.trim())).length > lost.length;
}
