/** Environment variables that new code requires but nothing sets or documents. */
import type { Check, Found } from '../check.ts';
import { addedLines } from '../code/read-change.ts';
import { shellWord } from '../code/shell-word.ts';

/** Reading it fails when it is not set; a second argument would be a default. */
const REQUIRED = (name: string) =>
  new RegExp(
    `\\benviron\\[["']${name}["']\\](?!\\s*=[^=])|\\bENV\\.fetch\\(["']${name}["']\\)(?!\\s*(\\{|do\\b))|\\benv::var\\("${name}"\\)\\.(unwrap|expect)\\(|\\benv!\\("${name}"`,
  );

export const unsetEnvironment: Check = {
  name: 'unset_environment_variable',
  reviewer: 'documentation_drift',
  looksFor: 'required environment variables that nothing sets or documents',
  // Another repository may set it.
  isOffByDefault: true,
  async run(change, code) {
    const read: { name: string; found: Omit<Found, 'scenario'> }[] = [];
    for (const file of change.files) {
      if (file.fileClass !== 'code' || file.change === 'deleted') continue;
      const added = new Map(addedLines(file).map((line) => [line.number, line.text] as const));
      for (const { kind, line, name, role } of (await code.facts('head', file.path))?.facts ?? []) {
        const quote = added.get(line);
        if (kind !== 'environment' || role !== 'uses' || !quote || !REQUIRED(name).test(quote)) continue;
        read.push({
          name,
          found: {
            ...{ claim: 'missing', subject: name, title: `${name} is required but never set` },
            ...{ file: file.path, side: 'head', line, quote, evidence: [] },
            command: `git grep -nw -e ${shellWord(name)} ${change.head.slice(0, 12)}`,
          },
        });
      }
    }
    if (read.length === 0) return [];
    const { lines, truncated } = await code.find('head', [...new Set(read.map(({ name }) => name))], {
      wholeWords: true,
    });
    if (truncated) return [];
    return read.flatMap(({ found, name }) => {
      // Any other line may set it, give it a default or explain it.
      const others = lines.filter(({ text }) => text.includes(name) && !REQUIRED(name).test(text));
      const scenario = `${found.file}:${found.line} fails when ${name} is not set, and no deployment file, example or document in this repository mentions it.`;
      return others.length > 0 ? [] : [{ ...found, scenario }];
    });
  },
};
