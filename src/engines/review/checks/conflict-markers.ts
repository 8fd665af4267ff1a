/** Conflict markers that were committed. */
import type { Check } from '../check.ts';
import { addedLines } from '../code/read-change.ts';

export const conflictMarkers: Check = {
  name: 'conflict_marker',
  reviewer: 'logic_errors',
  looksFor: 'conflict markers',
  async run(change) {
    return change.files.flatMap((file) => {
      if (file.fileClass === 'docs' || file.fileClass === 'test') return [];
      const added = addedLines(file);
      // Models edit files by blocks from `<<<<<<< SEARCH` to `>>>>>>> REPLACE`, which prompts and examples contain.
      const start = added.find(({ text }) => /^<{7} (?!SEARCH)\S/.test(text));
      const end = added.find(({ number, text }) => start && number > start.number && /^>{7} \S/.test(text));
      if (!start || !end) return [];
      return [
        {
          claim: 'other' as const,
          subject: file.path,
          title: 'Unresolved merge conflict',
          scenario: `${file.path} has conflict markers from line ${start.number} to ${end.number}: it contains both versions of the code and most likely does not compile.`,
          file: file.path,
          side: 'head' as const,
          line: start.number,
          quote: start.text,
          evidence: [{ side: 'head' as const, path: file.path, line: end.number, quote: end.text }],
        },
      ];
    });
  },
};
