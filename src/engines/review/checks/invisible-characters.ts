/** Characters in added code that a reader can't see: text that runs in another order than it is shown, or that hides. */
import type { Check } from '../check.ts';
import { addedLines } from '../code/read-change.ts';
import { shellWord } from '../code/shell-word.ts';

/** Joiners are left out: emoji and several scripts need them. What has no width hides only within a word; elsewhere it is there on purpose. */
const INVISIBLE =
  /[\u202A-\u202E\u2066-\u2069\u{E0001}\u{E0020}-\u{E007F}]|(?<=[\p{L}\p{N}])[\u200B\u2060](?=[\p{L}\p{N}])/gu;
/** The flags of England, Scotland and other regions: a black flag, and the name of the region in tags. */
const REGION_FLAG = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}/gu;
/** Precedes the brackets of a pattern on its line. */
const PATTERN_START =
  /\/[^/\s]*$|\b(?:RegExp|Regex|re\.\w+|Pattern\.compile|preg_\w+)\(\s*\w{0,2}["'`/][^"'`]*$/;

export const invisibleCharacters: Check = {
  name: 'invisible_character',
  reviewer: 'security',
  looksFor: 'bidirectional and invisible characters in code',
  async run(change) {
    return change.files.flatMap((file) => {
      const isCode = file.fileClass === 'code' || /\.(ya?ml|json|toml)$/.test(file.path);
      // Fixtures are what a program wrote.
      if (
        !isCode ||
        file.fileClass === 'test' ||
        /(^|\/)(i18n|locales?|lang|translations?|messages)\//i.test(file.path)
      )
        return [];
      const line = addedLines(file).find(({ text }) => positionIn(text) !== -1);
      if (!line) return [];
      const at = positionIn(line.text);
      const name = `U+${line.text.codePointAt(at)!.toString(16).toUpperCase().padStart(4, '0')}`;
      return [
        {
          claim: 'rule' as const,
          subject: name,
          title: `Invisible character ${name} in the code`,
          scenario: `Line ${line.number} contains ${name} at column ${at + 1}, which editors and diffs do not show: the code can differ from what a reviewer sees.`,
          file: file.path,
          side: 'head' as const,
          line: line.number,
          quote: line.text,
          evidence: [],
          command: `git grep -nP '[\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}\\x{200B}\\x{2060}]' ${change.head.slice(0, 12)} -- ${shellWord(file.path)}`,
        },
      ];
    });
  },
};

function positionIn(text: string): number {
  const shown = text.replaceAll(REGION_FLAG, ({ length }) => ' '.repeat(length));
  return shown.matchAll(INVISIBLE).find(({ index }) => !isSought(shown, index))?.index ?? -1;
}

/** A pattern that has the character in brackets looks for it. */
function isSought(text: string, at: number): boolean {
  const open = text.lastIndexOf('[', at);
  const close = text.indexOf(']', open);
  return open !== -1 && close > at && PATTERN_START.test(text.slice(0, open));
}
