/**
 * Finds what breaks only in combination with newer commits on the target branch, although each side works on its own. The checks run on
 * the merge of both, and what they find on one side alone is left out. Migration numbers are also compared with other open pull requests.
 */

import type { StoredFacts } from '../../facts/index.ts';
import { GitFailure, listChanges, runGit } from '../../git/index.ts';
import type { RepositoryReader } from '../../search/index.ts';
import type { Check, Found } from '../check.ts';
import { openGitReviewCode } from '../code/git-review-code.ts';
import { openMergedTree } from '../code/merged-tree.ts';
import {
  addedLines,
  type Change,
  type Concerns,
  type ReviewedFile,
  readChange,
} from '../code/read-change.ts';
import type { ReviewCode } from '../code/review-code.ts';
import { shellWord } from '../code/shell-word.ts';
import type { OtherChange } from '../contract/code-review.ts';
import { addedRevisions, migrationHeads } from './migrations/migration-heads.ts';
import { sameNumberMigrations } from './migrations/migration-numbers.ts';
import { addedMigrations, migrationOf } from './migrations/migrations.ts';
import { changedSignatures, listChangedFunctions } from './removed/changed-signatures.ts';
import { mayBeOpenApi } from './removed/dangling-references.ts';
import { listRemoved, removedButUsed } from './removed/removed-but-used.ts';
import { listRemovedMembers, removedMembers } from './removed/removed-members.ts';
import { findTargetFiles, type TargetFiles } from './target-files.ts';

interface Place {
  reader: RepositoryReader;
  stored?: StoredFacts | undefined;
  /** The newest commit of the target branch. */
  target: string;
  signal: AbortSignal;
}

type MirrorPlace = { gitDir: string; signal: AbortSignal };

const COMPARED = [removedButUsed, changedSignatures, removedMembers, sameNumberMigrations, migrationHeads];
/** A target that is further ahead is not compared. */
const MAX_CHANGED_FILES = 2000;
/** Further files that the target changed are not read. */
const MAX_LISTED_FILES = 100_000;

export function mergeSkew(place: Place): Check {
  return {
    name: 'merge_skew',
    reviewer: 'breaking_changes',
    looksFor: 'code that breaks only when combined with newer commits on the target branch',
    async run(change, code) {
      if (place.target === change.base || place.target === change.head) return [];
      const { reader, signal, stored, target: newest } = place;
      const { gitDir } = reader;
      const open = (from: RepositoryReader, head: string, onlyPaths?: string[]) =>
        openGitReviewCode({
          ...{ gitDir: from.gitDir, base: change.base, head, signal, reader: from },
          ...{ stored, onlyPaths },
        });
      const compared = await compareWith(change, code, place);
      const { concerns, own, targetFiles } = compared;
      if (targetFiles.length > MAX_CHANGED_FILES) return [];
      const target = open(reader, newest);
      if (!(await mayBreak(change, code, { ...compared, target, some: open(reader, newest, targetFiles) })))
        return [];
      const merged = await openMergedTree({ gitDir, target: newest, signal, head: change.head });
      if (!merged) return [];
      const borrowing = reader.borrow(merged.gitDir);
      const together = open(borrowing, merged.commit);
      try {
        // Comparing everything takes long and finds no more: it only says more about the lines that are found.
        if ((await foundIn(open(borrowing, merged.commit, [...own, ...targetFiles]), concerns)).length === 0)
          return [];
        const found = await foundIn(together, concerns);
        if (found.length === 0) return [];
        const alone = new Set(
          [...(await foundIn(target, concerns)), ...(await foundIn(code, concerns))].map(keyOf),
        );
        const isNew = (each: Found) => !alone.has(keyOf(each));
        return found.filter(isNew).flatMap((each) => placeInChange(change, each, place.target));
      } finally {
        together.close();
        target.close();
        borrowing.close();
        await merged.close();
      }
    },
  };
}

/** Whether one side takes away what a file of the other names, or adds migrations, whose order others can break. */
async function mayBreak(
  change: Change,
  code: ReviewCode,
  {
    changed,
    concerns,
    isMentioned,
    some,
    target,
    targetFiles,
  }: Compared & Record<'target' | 'some', ReviewCode>,
): Promise<boolean> {
  if (addedMigrations(change).length > 0 || addedRevisions(change).length > 0) return true;
  if (change.files.some((file) => changed.has(file.path) && mayBeOpenApi(file))) return true;
  const lost = await listLost(change, code);
  if (lost.length > 0)
    for (const side of [code, target]) {
      // Names that are left out are not reported anyway.
      const options = { wholeWords: true, leavesOutCommon: true };
      const { lines, truncated } = await side.find('head', lost, options);
      if (truncated || lines.some(({ path }) => changed.has(path))) return true;
    }
  if (targetFiles.length === 0) return false;
  const mentioned: Concerns = { ...concerns, name: (_, name) => isMentioned(name) };
  const theirs = { ...(await readChange(some, () => false)), concerns: mentioned };
  return (await listLost(theirs, some)).length > 0;
}

/** The names of everything that a change takes away and code can use. */
async function listLost(change: Change, code: ReviewCode): Promise<string[]> {
  const removed = await listRemoved(change, code);
  const functions = await listChangedFunctions(change, code);
  const members = await listRemovedMembers(change, code);
  return [
    ...new Set([
      ...removed.map(({ symbol }) => symbol.name),
      ...functions.map(({ name }) => name),
      ...members.flatMap(({ owner, word }) => (owner ? [word, `${owner}_${word}`] : [word])),
    ]),
  ];
}

async function foundIn(code: ReviewCode, concerns: Concerns): Promise<Found[]> {
  const change = { ...(await readChange(code, () => false)), concerns };
  if (change.moreFiles > 0 || change.files.length > MAX_CHANGED_FILES) return [];
  const found: Found[] = [];
  for (const check of COMPARED) found.push(...(await check.run(change, code)));
  return found;
}

interface Compared extends Pick<TargetFiles, 'isMentioned'> {
  /** Limits findings to files of this change and lines that it added. */
  concerns: Concerns;
  /** The files of this change. */
  own: ReadonlySet<string>;
  /** All files that the target changed. */
  changed: ReadonlySet<string>;
  /** The changed files that can matter. */
  targetFiles: string[];
}

async function compareWith(
  change: Change,
  code: ReviewCode,
  { reader: { gitDir }, signal, target }: Place,
): Promise<Compared> {
  const { base, files } = change;
  const own = new Set(files.flatMap(({ oldPath, path }) => [path, oldPath ?? path]));
  const isOwn = ({ oldPath, path }: ReviewedFile) => own.has(path) || own.has(oldPath ?? path);
  const pair = { gitDir, signal, from: base, to: target };
  const [{ isMentioned, mayLose, mayReach }, list] = await Promise.all([
    findTargetFiles(change, code),
    listChanges({ ...pair, limit: MAX_LISTED_FILES, counts: false, renames: false }),
  ]);
  const changed = list.files.map(({ path }) => path);
  const changedByTarget = new Set(changed);
  const addedHere = new Map(files.map((file) => [file.path, addedTexts(file)] as const));
  const isKnown: Concerns['isKnown'] = (file, { path, text }) => {
    const isAddedHere = addedHere.get(path)?.has(text.trim()) ?? false;
    // Files that both sides changed are left out.
    return changedByTarget.has(file.path) ? isOwn(file) || !isAddedHere : isAddedHere;
  };
  return {
    concerns: {
      file: (file) => isOwn(file) || mayLose(file),
      name: (file, name) => isOwn(file) || isMentioned(name),
      isKnown,
    },
    ...{ isMentioned, own, changed: changedByTarget },
    targetFiles: changed.filter((path) => own.has(path) || mayReach(path)),
  };
}

function addedTexts(file: ReviewedFile): Set<string> {
  return new Set(addedLines(file).map(({ text }) => text.trim()));
}

function keyOf({ claim, file, subject }: Found): string {
  return `${claim}\0${subject}\0${file}`;
}

/** The line of this change that is involved: what it removed or renamed, or its new use of what the target removed. */
function placeInChange(change: Change, found: Found, target: string): Found[] {
  const at = target.slice(0, 12);
  const own = change.files.find(({ oldPath, path }) =>
    found.side === 'base' ? (oldPath ?? path) === found.file : path === found.file,
  );
  const [use] = found.evidence;
  const elsewhere = use ? `${use.path}:${use.line}` : 'newer code';
  const word = found.subject.split(/[./]/).at(-1)!;
  const command = `git grep -nw -e ${shellWord(word)} ${at}`;
  const isOwn = own?.hunks.some(({ added, newStart, oldLines, oldStart }) =>
    found.side === 'base'
      ? found.line >= oldStart && found.line < oldStart + oldLines
      : found.line >= newStart && found.line < newStart + added.length,
  );
  if (own && (isOwn || own.change === 'deleted'))
    return [
      {
        ...found,
        title: `${found.title} on the target branch`,
        scenario: `Together with commit ${at} of the target branch: ${found.scenario}`,
        // These lines are not at the head of this change.
        evidence: found.evidence.filter(({ path, side }) => side === 'base' && path !== use?.path),
        command,
      },
    ];
  for (const { path, quote } of found.evidence) {
    const file = change.files.find((each) => each.path === path);
    const line = file && addedLines(file).find(({ text }) => text.trim() === quote.trim());
    if (!line) continue;
    return [
      {
        ...{ claim: found.claim, subject: found.subject },
        title: `The target branch changed or removed ${found.subject}, which this change uses`,
        scenario: `${path}:${line.number} uses ${found.subject} from ${found.file}, which the target branch changed or removed (as of commit ${at}): it breaks after the merge (${elsewhere}).`,
        ...{ file: path, side: 'head', line: line.number, quote: line.text },
        evidence:
          found.side === 'base'
            ? [{ side: 'base', path: found.file, line: found.line, quote: found.quote.trim() }]
            : [],
        command,
      },
    ];
  }
  return [];
}

/** Numbers of new migrations that another open pull request uses too. */
export function sharedMigrationNumbers(
  others: readonly OtherChange[],
  { gitDir, signal }: MirrorPlace,
): Check {
  return {
    name: 'shared_migration_number',
    reviewer: 'breaking_changes',
    looksFor: 'migrations with the same number as one in another open pull request',
    async run(change) {
      const added = addedMigrations(change);
      if (added.length === 0) return [];
      const results: Found[] = [];
      for (const other of others) {
        const paths = await addedPaths(other, { gitDir, signal });
        for (const file of added) {
          const mine = migrationOf(file.path)!;
          const taken = paths.find((path) => {
            const theirs = migrationOf(path);
            return (
              theirs?.folder === mine.folder && theirs.number === mine.number && theirs.name !== mine.name
            );
          });
          const line = addedLines(file).find(({ text }) => text.trim() !== '');
          if (taken === undefined || !line) continue;
          results.push({
            claim: 'duplicate',
            subject: `${mine.folder}${mine.number}`,
            title: `#${other.number} also adds a migration with the number ${mine.number}`,
            scenario: `${file.path} and ${taken} in #${other.number} have the same number: once both are merged, only one of them runs, or neither.`,
            ...{ file: file.path, side: 'head', line: line.number, quote: line.text, evidence: [] },
            command: `git ls-tree --name-only ${other.to.slice(0, 12)} -- ${shellWord(mine.folder)}`,
          });
        }
      }
      return results;
    },
  };
}

/** Nothing for a pull request whose commits are not here yet: its own review finds the same. */
async function addedPaths({ from, to }: OtherChange, options: MirrorPlace): Promise<string[]> {
  try {
    const args = ['diff', '--name-only', '--diff-filter=A', '--no-renames', '-z', from, to, '--'];
    return (await runGit(args, options)).stdout.toString('utf8').split('\0');
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return [];
    throw error;
  }
}
