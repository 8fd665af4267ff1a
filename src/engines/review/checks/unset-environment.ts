/** Environment variables that code requires but nothing sets or documents: new ones, and those that the change no longer sets. */
import type { Check, Found } from '../check.ts';
import { fileClassOf } from '../code/file-class.ts';
import { addedLines, type Change, removedLines } from '../code/read-change.ts';
import type { ReviewCode } from '../code/review-code.ts';
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
    const lost = await listLostSettings(change, code);
    if (read.length === 0 && lost.length === 0) return [];
    const names = new Set([...read, ...lost].map(({ name }) => name));
    const { lines, truncated } = await code.find('head', [...names], { wholeWords: true });
    if (truncated) return [];
    const stillRead = lost.flatMap(({ found, name }): Found[] => {
      const named = lines.filter(({ text }) => text.includes(name));
      const [first] = named;
      if (
        !first ||
        named.some(({ path, text }) => fileClassOf(path) !== 'code' || !REQUIRED(name).test(text))
      )
        return [];
      const scenario = `${first.path}:${first.line} fails when ${name} is not set, and nothing in this repository sets or mentions it after this change.`;
      const evidence = [
        { side: 'head' as const, path: first.path, line: first.line, quote: first.text.trim() },
      ];
      return [{ ...found, scenario, evidence }];
    });
    const unset = read.flatMap(({ found, name }) => {
      // Any other line may set it, give it a default or explain it.
      const others = lines.filter(({ text }) => text.includes(name) && !REQUIRED(name).test(text));
      const scenario = `${found.file}:${found.line} fails when ${name} is not set, and no deployment file, example or document in this repository mentions it.`;
      return others.length > 0 ? [] : [{ ...found, scenario }];
    });
    return [...unset, ...stillRead];
  },
};

/** Variables that deployment files set on lines that the change removed. */
async function listLostSettings(
  change: Change,
  code: ReviewCode,
): Promise<{ name: string; found: Omit<Found, 'scenario' | 'evidence'> }[]> {
  const lost = [];
  for (const file of change.files) {
    const path = file.oldPath ?? file.path;
    if (file.change === 'added' || file.fileClass === 'test' || file.fileClass === 'vendored') continue;
    const removed = new Map(removedLines(file).map((line) => [line.number, line.text] as const));
    if (removed.size === 0) continue;
    for (const { kind, line, name, role } of (await code.facts('base', path))?.facts ?? []) {
      const quote = removed.get(line);
      if (kind !== 'environment' || role !== 'provides' || quote === undefined) continue;
      lost.push({
        name,
        found: {
          ...{ claim: 'missing' as const, subject: name, title: `${name} is required but no longer set` },
          ...{ file: path, side: 'base' as const, line, quote },
          command: `git grep -nw -e ${shellWord(name)} ${change.head.slice(0, 12)}`,
        },
      });
    }
  }
  return lost;
}
