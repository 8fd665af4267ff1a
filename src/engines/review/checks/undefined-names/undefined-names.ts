/** Names that a file still uses although the change removed their import, or their definition at the top of the file. */

import type { FileSymbols } from '../../../../platform/core/ports/code-facts.ts';
import { goPackageName, readNames } from '../../../facts/index.ts';
import type { Check, Found } from '../../check.ts';
import { type Change, type ReviewedFile, removedLines } from '../../code/read-change.ts';
import { folderOf, isScript } from '../../code/resolve-module.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import { isProvided } from './global-names.ts';
import type { Lost } from './lost-name.ts';
import { mayComeFromElsewhere } from './other-origins.ts';

const MAX_FILES = 300;
const MAX_NAMES = 100;
const MAX_SHOWN_USES = 3;
/** Code in them is data, and may be broken on purpose. */
const DATA = /(^|\/)(__)?(test[-_]?)?(fixtures?|data|testdata|templates?|snapshots?|examples?)(__)?\//i;
const LANGUAGES = new Set(['python', 'go', 'java']);
/** Lines that can import or define something at the top of a file, such as one name in a list of imported ones. */
const MAY_DECLARE =
  /^(import|from|export|const|let|var|function|class|def|async|type|interface|enum|abstract|declare|try|if)\b|^\w+\s*[:=]|^\s*(type\s+|default\s+)?[\w$]+(\s*(as|:)\s+[\w$]+)?,?\s*$|\}\s*(from\b|=\s*require\()|^\s*([\w.]+\s+)?"[^"]+"$|^\s+(import|from)\b/;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export const undefinedNames: Check = {
  name: 'undefined_name',
  reviewer: 'breaking_changes',
  looksFor: 'names that a file still uses but no longer imports or defines',
  isOffByDefault: true,
  async run(change, code) {
    const lost: Lost[] = [];
    let read = 0;
    for (const file of change.files) {
      if (!mayLoseNames(file)) continue;
      read += 1;
      if (read > MAX_FILES || lost.length >= MAX_NAMES) break;
      lost.push(...(await listLost(code, file)));
    }
    const found: Found[] = [];
    for (const each of lost.slice(0, MAX_NAMES))
      if (!(await mayComeFromElsewhere(change, code, each))) found.push(await describe(change, code, each));
    return found;
  },
};

function mayLoseNames({ change, fileClass, hunks, path }: ReviewedFile): boolean {
  return (
    (change === 'modified' || change === 'renamed') &&
    (fileClass === 'code' || fileClass === 'test') &&
    !DATA.test(path) &&
    !/\.d\.[cm]?ts$/.test(path) &&
    hunks.some(({ removed }) => removed.some((text) => MAY_DECLARE.test(text)))
  );
}

async function listLost(code: ReviewCode, file: ReviewedFile): Promise<Lost[]> {
  const oldPath = file.oldPath ?? file.path;
  const before = await code.symbols('base', oldPath);
  const after = before && (await code.symbols('head', file.path));
  if (!after || after.isGenerated || before.language !== after.language) return [];
  const { language } = after;
  if (!isScript(language) && !LANGUAGES.has(language ?? '')) return [];
  const removed = removedLines(file);
  const removedWords = new Set(removed.flatMap(({ text }) => text.match(WORD) ?? []));
  const imported = new Set(importedNames(before));
  const kept = new Set(topNames(after));
  const used = new Set(after.uses.map(({ name }) => name));
  const names = new Set(
    topNames(before).filter(
      (name) => used.has(name) && !kept.has(name) && !isProvided(language, name) && removedWords.has(name),
    ),
  );
  if (names.size === 0) return [];
  const [old, now] = [await code.read('base', oldPath), await code.read('head', file.path)];
  const atBase = old === null ? null : await readNames({ path: oldPath, text: old }, names);
  const atHead = now === null ? null : await readNames({ path: file.path, text: now }, names);
  if (!atBase || !atHead) return [];
  return [...names].flatMap((name): Lost[] => {
    const declared = atBase.declared.get(name);
    const uses = atHead.free.get(name);
    // If it was used without a declaration before, it comes from elsewhere.
    if (!declared || !uses || atBase.free.has(name)) return [];
    const line = removed.find(({ number }) => number === declared);
    return line ? [{ file, language, name, isImport: imported.has(name), removed: line, uses }] : [];
  });
}

/** The names that the top of a file imports and defines, as far as they are known without its tree. */
function topNames(facts: FileSymbols): string[] {
  const { language, symbols } = facts;
  // Other files of the package can define them in Go and Java.
  const isAlone = language !== 'go' && language !== 'java';
  const defined = isAlone ? symbols.filter(({ container }) => container === undefined) : [];
  return [...importedNames(facts), ...defined.map(({ name }) => name)];
}

function importedNames({ imports, language }: FileSymbols): string[] {
  const nameOfWhole = (module: string) => (language === 'go' ? [goPackageName(module)] : []);
  return imports.flatMap(({ module, names }) =>
    names.flatMap(({ as, name }) => as ?? (name === '*' ? nameOfWhole(module) : name)),
  );
}

async function describe(
  change: Change,
  code: ReviewCode,
  { file, isImport, name, removed, uses }: Lost,
): Promise<Found> {
  const { path } = file;
  const lines = (await code.read('head', path))?.split('\n') ?? [];
  const more =
    uses.length === 1 ? '' : ` and ${uses.length - 1} more ${uses.length === 2 ? 'line' : 'lines'}`;
  const lost = isImport ? 'imported' : 'defined';
  return {
    claim: 'removed_but_used',
    subject: name,
    title: `${name} is no longer ${lost} but still used in ${path.slice(folderOf(path).length)}`,
    scenario: `${path}:${uses[0]}${more} still use${more === '' ? 's' : ''} ${name}, which this change no longer ${isImport ? 'imports' : 'defines'} there: the build fails, or that line fails when it runs.`,
    ...{ file: file.oldPath ?? path, side: 'base', line: removed.number, quote: removed.text },
    evidence: uses.slice(0, MAX_SHOWN_USES).map((line) => ({
      ...{ side: 'head', path, line, quote: lines[line - 1]!.trim() },
    })),
    command: `git grep -nw -e ${shellWord(name)} ${change.head.slice(0, 12)} -- ${shellWord(path)}`,
  };
}
