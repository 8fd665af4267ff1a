/**
 * Real commits that removed or renamed an exported definition together with its uses, with one of its uses put back: does
 * `removed_but_used` find it? The commits are chosen by patterns of lines and by `git grep`, not by what the check reads. In each,
 * the name is nowhere in the code at the head, so the file that is put back as it was can't work.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GitFailure, runGit } from '../src/engines/git/index.ts';

const DEFINITIONS: { endings: RegExp; pattern: RegExp }[] = [
  {
    endings: /\.[cm]?[jt]sx?$/,
    pattern:
      /^export (?:default )?(?:async )?(?:abstract )?(?:function|class|const|interface|type|enum) (\w+)/,
  },
  { endings: /\.py$/, pattern: /^(?:async )?(?:def|class) ([A-Za-z]\w+)/ },
  { endings: /\.go$/, pattern: /^(?:func|type) ([A-Z]\w+)/ },
  { endings: /\.java$/, pattern: /^public (?:final |abstract )?(?:class|interface|enum|record) (\w+)/ },
];
export const NOT_CODE =
  /(^|\/)(tests?|__tests__|spec|e2e|vendor|migrations|node_modules|mocks?|testdata|docs?)\/|[._](test|spec)\.|_test\.|\.d\.ts$|Test\.java$|(^|\/)(test_|conftest)/;
const MIN_NAME_CHARACTERS = 4;
const MAX_NAMES_OF_COMMIT = 8;
const AUTHOR = { GIT_AUTHOR_NAME: 'seed', GIT_AUTHOR_EMAIL: 'seed@localhost' };
const COMMITTER = { GIT_COMMITTER_NAME: 'seed', GIT_COMMITTER_EMAIL: 'seed@localhost' };

export interface SeededBreak {
  base: string;
  /** The real commit. */
  head: string;
  /** The same with one file as it was before. */
  seeded: string;
  name: string;
  path: string;
  definedIn: string;
}

/** Finds something that a commit removed or changed, and a file that it changed along with it. */
export type FindBreak = (
  gitDir: string,
  base: string,
  head: string,
) => Promise<Pick<SeededBreak, 'name' | 'path' | 'definedIn'> | undefined>;

export interface BorrowedClone {
  gitDir: string;
  close(): Promise<void>;
}

/** A repository of its own that reads the clone's objects: commits are made here, never there. */
export async function borrow(clone: string): Promise<BorrowedClone> {
  const gitDir = await mkdtemp(join(tmpdir(), 'seeded-breaks-'));
  const objects = (await git(clone, ['rev-parse', '--git-path', 'objects'])).trim();
  await runGit(['init', '--quiet', '--bare', gitDir]);
  await writeFile(join(gitDir, 'objects/info/alternates'), `${resolve(clone, objects)}\n`);
  return { gitDir, close: () => rm(gitDir, { recursive: true, force: true }) };
}

export async function* seedBreaks(
  clone: string,
  { gitDir }: BorrowedClone,
  { commits, skip }: { commits: number; skip: number },
  find: FindBreak = findBreak,
): AsyncGenerator<SeededBreak> {
  const listed = await git(clone, [
    ...['rev-list', '--first-parent', '--min-parents=1', `--max-count=${commits}`, `--skip=${skip}`, 'HEAD'],
  ]);
  for (const head of listed.trim().split('\n')) {
    try {
      const base = (await git(clone, ['rev-parse', `${head}^1`])).trim();
      const found = await find(gitDir, base, head);
      if (found) yield { base, head, ...found, seeded: await putBack(gitDir, base, head, found.path) };
    } catch (error) {
      // A clone can lack objects.
      if (!(error instanceof GitFailure)) throw error;
    }
  }
}

async function findBreak(gitDir: string, base: string, head: string) {
  const names = removedNames(
    await git(gitDir, ['diff', '--no-color', '--no-ext-diff', '-U0', '-M', base, head, '--']),
  );
  if (names.size === 0) return undefined;
  const changed = new Set(
    (await git(gitDir, ['diff', '--name-only', '--diff-filter=M', base, head, '--'])).split('\n'),
  );
  for (const [name, definedIn] of [...names].slice(0, MAX_NAMES_OF_COMMIT)) {
    const ending = endingOf(definedIn);
    const isCode = (path: string) => ending!.test(path) && !NOT_CODE.test(path);
    if ((await filesWith(gitDir, name, head)).some((path) => ending!.test(path))) continue;
    const path = (await filesWith(gitDir, name, base)).find(
      (each) => each !== definedIn && isCode(each) && changed.has(each),
    );
    if (path && (await isUsed(gitDir, name, base, path))) return { name, path, definedIn };
  }
  return undefined;
}

/** Names of removed definitions, each with its file; those that are defined again in the same difference are left out. */
function removedNames(difference: string): Map<string, string> {
  const names = new Map<string, string>();
  const added = new Set<string>();
  let path = '';
  for (const line of difference.split('\n')) {
    if (line.startsWith('--- a/')) path = line.slice(6);
    if (!/^[-+](?![-+])/.test(line) || NOT_CODE.test(path)) continue;
    const name = DEFINITIONS.find(({ endings }) => endings.test(path))?.pattern.exec(line.slice(1))?.[1];
    if (!name || name.length < MIN_NAME_CHARACTERS) continue;
    if (line.startsWith('+')) added.add(name);
    else names.set(name, path);
  }
  for (const name of added) names.delete(name);
  return names;
}

function endingOf(path: string): RegExp | undefined {
  return DEFINITIONS.find(({ endings }) => endings.test(path))?.endings;
}

export async function filesWith(gitDir: string, name: string, commit: string): Promise<string[]> {
  const found = await git(gitDir, ['grep', '-lwF', '-e', name, commit, '--']).catch((error: unknown) => {
    if (error instanceof GitFailure && error.exitCode === 1) return '';
    throw error;
  });
  return found.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(commit.length + 1)]));
}

/** Not only in a comment. */
async function isUsed(gitDir: string, name: string, commit: string, path: string): Promise<boolean> {
  const lines = (await git(gitDir, ['grep', '-hwF', '-e', name, commit, '--', path])).split('\n');
  return lines.some((line) => line.trim() !== '' && !/^\s*(\/\/|\/?\*|#|"""|import type)/.test(line));
}

/** The commit with one file as it was before. */
export async function putBack(gitDir: string, base: string, head: string, path: string): Promise<string> {
  const extraEnvironment = { ...AUTHOR, ...COMMITTER, GIT_INDEX_FILE: join(gitDir, 'seeded-index') };
  const run = async (args: string[], input?: string) =>
    (await runGit(args, { gitDir, extraEnvironment, ...(input && { input }) })).stdout.toString().trim();
  const [mode, , id] = (await run(['ls-tree', base, '--', path])).split(/\s+/);
  await run(['read-tree', head]);
  await run(['update-index', '--add', '--cacheinfo', `${mode},${id},${path}`]);
  return run(['commit-tree', await run(['write-tree']), '-p', head], 'Put one use back\n');
}

/** The commit with one file replaced by another, in the place of the commit. */
export async function replaceFile(
  gitDir: string,
  { base, head }: Pick<SeededBreak, 'base' | 'head'>,
  from: string,
  to: { path: string; text: string },
): Promise<string> {
  const extraEnvironment = { ...AUTHOR, ...COMMITTER, GIT_INDEX_FILE: join(gitDir, 'seeded-index') };
  const run = async (args: string[], input?: string) =>
    (await runGit(args, { gitDir, extraEnvironment, ...(input !== undefined && { input }) })).stdout
      .toString()
      .trim();
  const id = await run(['hash-object', '-w', '--stdin'], to.text);
  await run(['read-tree', head]);
  await run(['update-index', '--index-info'], `0 ${'0'.repeat(40)}\t${from}\n100644 ${id}\t${to.path}\n`);
  return run(['commit-tree', await run(['write-tree']), '-p', base], 'Break one migration\n');
}

export async function git(gitDir: string, args: string[]): Promise<string> {
  return (await runGit(args, { gitDir })).stdout.toString('utf8');
}
