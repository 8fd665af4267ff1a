/** Imports whose path differs from the file's only in upper and lower case: they work on macOS and Windows, and fail on Linux. */
import type { Check, Found } from '../check.ts';
import { addedLines } from '../code/read-change.ts';
import { isScript, resolveScript } from '../code/resolve-module.ts';
import { shellWord } from '../code/shell-word.ts';

export const importCase: Check = {
  name: 'import_case',
  reviewer: 'logic_errors',
  looksFor: 'imports that differ from the file name only in case',
  async run(change, code) {
    const scripts = change.files.filter(
      ({ change: kind, hunks, path }) =>
        kind !== 'deleted' && hunks.length > 0 && /\.[cm]?[jt]sx?$/.test(path),
    );
    if (scripts.length === 0) return [];
    const files = new Set(await code.listFiles('head'));
    const byLowerCase = new Map([...files].map((path) => [path.toLowerCase(), path] as const));
    const found: Found[] = [];
    for (const file of scripts) {
      const facts = await code.symbols('head', file.path);
      if (!facts || !isScript(facts.language) || facts.isGenerated) continue;
      const added = new Map(addedLines(file).map((line) => [line.number, line.text] as const));
      for (const { line, module } of facts.imports) {
        const quote = added.get(line);
        const paths = resolveScript(file.path, module);
        if (quote === undefined || !quote.includes(module) || paths.some((path) => files.has(path))) continue;
        const meant = paths.flatMap((path) => byLowerCase.get(path.toLowerCase()) ?? [])[0];
        if (meant === undefined) continue;
        found.push({
          ...{ claim: 'missing', subject: module, file: file.path, side: 'head', line, quote, evidence: [] },
          title: `The import \`${module}\` differs from ${meant} in case`,
          scenario: `The file is ${meant}: on Linux, where upper and lower case differ, ${file.path} fails to load it.`,
          command: `git ls-tree -r --name-only ${change.head.slice(0, 12)} | grep -ixF ${shellWord(meant)}`,
        });
      }
    }
    return found;
  },
};
