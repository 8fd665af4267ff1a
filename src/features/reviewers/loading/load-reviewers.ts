/**
 * Everything that reviews a change of a repository: built-in reviewers that are on, custom ones that apply there, and the files of the
 * repository at the base commit.
 */

import type { CheckRun, ReviewerKey, RuleReviewer } from '../../../engines/review/contract/code-review.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { operatorIn, selectRepositoriesById } from '../../repositories/index.ts';
import { readRepositoryReviewers, type TextFile } from '../files/repository-reviewers.ts';
import {
  type ActiveReviewerRow,
  saveFileReviewers,
  selectActiveReviewers,
} from '../store/active-reviewer-store.ts';

export interface InstructionReviewer {
  key: ReviewerKey;
  title: string;
  description: string;
  /** Markdown. */
  instructions: string;
  /** Globs of the files that it looks at; none: all files. */
  paths: string[];
}

export interface LoadedReviewers {
  /** Where the files of the repository were read. */
  baseCommit: string;
  /** Keys of the built-in reviewers that are on. */
  builtIn: string[];
  /** Their checks that are off by default and were switched on. */
  switchedOn: string[];
  ruleReviewers: RuleReviewer[];
  /** Custom reviewers for agents and models. */
  instructionReviewers: InstructionReviewer[];
  /** AGENTS.md, CLAUDE.md and REVIEW.md, for agents and models. */
  guidelines: readonly TextFile[];
  /** Files under `.countersign/reviewers/` that could not be used, as checks that could not run. */
  problems: readonly CheckRun[];
  /** The reviewers that have a row, by key. */
  stored: ReadonlyMap<string, { id: string; title: string }>;
  /** Reviewers in files, whose rows are written with their first finding. */
  files: { key: string; path: string; title: string }[];
}

/** `baseCommit` is a commit of the base branch: what the head says about reviewers doesn't count. */
export async function loadReviewers(
  { code, db }: { code: Pick<CodeReader, 'read' | 'readTexts'>; db: Db },
  place: { organizationId: string; repositoryId: string; baseCommit: string },
  call: Call,
): Promise<LoadedReviewers> {
  const { baseCommit, organizationId, repositoryId } = place;
  const [repository] = await selectRepositoriesById(db, operatorIn(organizationId), [repositoryId]);
  const rows = await selectActiveReviewers(db, { organizationId, repositoryId });
  const files = repository
    ? await readRepositoryReviewers(code, repository, baseCommit, call)
    : { reviewers: [], guidelines: [], problems: [] };
  const custom = [...rows.flatMap(customOf), ...files.reviewers];
  return {
    baseCommit,
    builtIn: rows.flatMap(({ built_in }) => built_in ?? []),
    switchedOn: rows.flatMap(({ switched_on }) => switched_on),
    ruleReviewers: custom.flatMap(({ body, key, kind, paths, title }) =>
      kind === 'rules' ? [{ key, title, rules: body, paths }] : [],
    ),
    instructionReviewers: custom.flatMap(({ body, description, key, kind, paths, title }) =>
      kind === 'instructions' ? [{ key, title, description, instructions: body, paths }] : [],
    ),
    guidelines: files.guidelines,
    problems: files.problems,
    stored: new Map(rows.map(({ built_in, id, title }) => [built_in ?? `custom:${id}`, { id, title }])),
    files: files.reviewers.map(({ key, path, title }) => ({ key, path, title })),
  };
}

function customOf(row: ActiveReviewerRow) {
  if (row.built_in !== null) return [];
  const { body, description, id, kind, paths, title } = row;
  return [
    { key: `custom:${id}` as const, title, description: description!, kind: kind!, body: body!, paths },
  ];
}

/** The rows of reviewers by key; those of files are written if they are new. Call it inside a transaction. */
export async function storeReviewers(
  db: Db,
  place: { organizationId: string; repositoryId: string; at: Date },
  { files, stored }: Pick<LoadedReviewers, 'files' | 'stored'>,
  used: ReadonlySet<string>,
): Promise<ReadonlyMap<string, { id: string; title: string }>> {
  const wanted = files.filter(({ key }) => used.has(key));
  if (wanted.length === 0) return stored;
  const ids = await saveFileReviewers(db, place, wanted);
  return new Map([
    ...stored,
    ...wanted.map(({ key, path, title }) => [key, { id: ids.get(path)!, title }] as const),
  ]);
}
