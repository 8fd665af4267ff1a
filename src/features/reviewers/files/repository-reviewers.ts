/**
 * Reads files of a repository about its reviews: reviewers under `.countersign/reviewers/`, and the guidelines that agents read anyway.
 * They are read at the base of a change, never at its head: a pull request must not rewrite its own review.
 */

import type { CheckRun, ReviewerKey } from '../../../engines/review/contract/code-review.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import { createCachePerOwner } from '../../../platform/core/work/bounded-cache.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { ReviewerKind } from '../contract.ts';
import { listMarkdownFiles } from './list-markdown-files.ts';
import { readReviewerFile } from './reviewer-file.ts';

export const REVIEWER_FOLDER = '.countersign/reviewers/';
const GUIDELINE_FILES = ['AGENTS.md', 'CLAUDE.md', 'REVIEW.md'] as const;
/** Files beyond it are named as a problem. */
const MAX_FILES = 50;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_GUIDELINE_CHARACTERS = 30_000;
/** Size of the cache of file contents; the least recently used are dropped. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;
/** Charged for a commit without files. */
const ENTRY_CHARACTERS = 200;

export interface TextFile {
  path: string;
  text: string;
}

export interface RepositoryReviewer {
  key: ReviewerKey;
  path: string;
  title: string;
  description: string;
  kind: ReviewerKind;
  body: string;
  /** Globs; none: all paths. */
  paths: string[];
}

export interface RepositoryReviewers {
  reviewers: readonly RepositoryReviewer[];
  guidelines: readonly TextFile[];
  /** Files that are no reviewers, as checks that could not run. */
  problems: readonly CheckRun[];
}

/** Every report of an agent asks for those at the base of its review, and a commit never changes. */
const cacheOf = createCachePerOwner<RepositoryReviewers>(MAX_KEPT_CHARACTERS);

export async function readRepositoryReviewers(
  code: Pick<CodeReader, 'read' | 'readTexts'>,
  repository: { id: string; name: string },
  commit: string,
  call: Call,
): Promise<RepositoryReviewers> {
  // Scopes name repositories, and a repository can be renamed.
  const key = `${repository.id} ${commit} ${repository.name}`;
  const cache = cacheOf(code);
  const kept = cache.get(key);
  if (kept) return kept;
  const place = { repositoryId: repository.id, commit, folder: REVIEWER_FOLDER };
  const listed = await listMarkdownFiles(code, place, call);
  const paths = [...listed.slice(0, MAX_FILES), ...GUIDELINE_FILES];
  const texts = await code.readTexts(
    repository.id,
    { files: paths.map((path) => ({ commit, path })), maxBytes: MAX_BYTES },
    call,
  );
  const files = texts.flatMap((text, index) =>
    text.kind === 'text' ? [{ path: paths[index]!, text: text.text }] : [],
  );
  const parsed = parseRepositoryFiles(files, repository.name);
  const more = unusable(REVIEWER_FOLDER, `Only the first ${MAX_FILES} files are used.`);
  const problems = listed.length > MAX_FILES ? [...parsed.problems, more] : parsed.problems;
  const read = { ...parsed, problems };
  const characters = files.reduce((sum, { text }) => sum + text.length, ENTRY_CHARACTERS);
  cache.set(key, read, characters);
  return read;
}

/** Without the name of the repository, scopes of every repository apply. */
export function parseRepositoryFiles(
  files: readonly TextFile[],
  repositoryName: string | undefined,
): RepositoryReviewers {
  const read = {
    reviewers: [] as RepositoryReviewer[],
    guidelines: [] as TextFile[],
    problems: [] as CheckRun[],
  };
  for (const { path, text } of files) {
    if (!path.startsWith(REVIEWER_FOLDER)) {
      if (text.trim() !== '') read.guidelines.push({ path, text: text.slice(0, MAX_GUIDELINE_CHARACTERS) });
      continue;
    }
    const parsed = readReviewerFile(text);
    if (!parsed.ok) {
      const [{ column, line, message }] = parsed.problems as [(typeof parsed.problems)[0]];
      read.problems.push(unusable(path, `line ${line}, column ${column}: ${message}`));
      continue;
    }
    const { file } = parsed;
    const scopes = file.scopes.filter(({ repository }) => isNamed(repository, repositoryName));
    if (!file.enabled || scopes.length === 0) continue;
    const { body, description, kind } = file;
    const globs = scopes.some((scope) => scope.paths.length === 0)
      ? []
      : scopes.flatMap((scope) => scope.paths);
    const title = file.title.trim();
    read.reviewers.push({ key: `file:${path}`, path, title, description, kind, body, paths: globs });
  }
  return read;
}

function unusable(path: string, failure: string): CheckRun {
  return {
    name: path,
    reviewer: `file:${path}`,
    looksFor: 'what this file describes',
    candidates: 0,
    failure,
  };
}

function isNamed(scope: string | null, repositoryName: string | undefined): boolean {
  if (scope === null || repositoryName === undefined) return true;
  const [wanted, name] = [scope.toLowerCase(), repositoryName.toLowerCase()];
  return name === wanted || name.endsWith(`/${wanted}`);
}
