/** Brings Markdown files into the organization's reviewers, all of them or none. Call it inside a transaction. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../platform/db/index.ts';
import type { AuditSource } from '../../audit/index.ts';
import { matchRepositories, operatorIn } from '../../repositories/index.ts';
import type { ReviewerContent } from '../contract.ts';
import { type ReviewerFile, readReviewerFile } from '../files/reviewer-file.ts';
import {
  lockReviewer,
  lockReviewers,
  selectAllScopes,
  selectReviewer,
  selectReviewerByTitle,
} from '../store/reviewer-store.ts';
import { saveReviewer, saveSwitch, saveVersion } from './save-reviewer.ts';

interface NamedFile {
  name: string;
  text: string;
}

export type ImportOutcome =
  | { ok: true; created: string[]; changed: string[]; unchanged: string[] }
  /** Each with the file, line and column. Nothing was written. */
  | { ok: false; problems: string[] };

/** A reviewer with the same title gets a new version if its content differs; others are created. */
export async function importReviewers(
  db: Db,
  source: AuditSource,
  files: NamedFile[],
): Promise<ImportOutcome> {
  await lockReviewers(db, source.organizationId);
  const read = files.map(({ name, text }) => ({ name, ...readReviewerFile(text) }));
  const parsed = read.flatMap((each) => (each.ok ? [{ name: each.name, file: each.file }] : []));
  const places = await matchRepositories(
    db,
    operatorIn(source.organizationId),
    parsed.flatMap(({ file }) => file.scopes.flatMap(({ repository }) => repository ?? [])),
  );
  const problems = [
    ...read.flatMap((each) =>
      each.ok
        ? []
        : each.problems.map(({ column, line, message }) => `${each.name}:${line}:${column}: ${message}`),
    ),
    ...(await problemsOf(db, source.organizationId, parsed, places)),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const outcome = { created: [] as string[], changed: [] as string[], unchanged: [] as string[] };
  for (const { file } of parsed) {
    outcome[await importOne(db, source, file, contentOf(file, places))].push(file.title.trim());
  }
  return { ok: true, ...outcome };
}

type Places = Awaited<ReturnType<typeof matchRepositories>>;

async function problemsOf(
  db: Db,
  organizationId: string,
  parsed: { name: string; file: ReviewerFile }[],
  places: Places,
): Promise<string[]> {
  const problems: string[] = [];
  const titles = new Map<string, string>();
  for (const { file, name } of parsed) {
    const title = file.title.trim().toLowerCase();
    const earlier = titles.get(title);
    if (earlier !== undefined) problems.push(`${name}: has the same title as ${earlier}`);
    titles.set(title, name);
    const existing = await selectReviewerByTitle(db, organizationId, title);
    if (existing && existing.built_in !== null)
      problems.push(`${name}: ${existing.title} is the title of a built-in reviewer`);
    const named = file.scopes.map(({ repository }) => repository);
    for (const [index, repository] of named.entries()) {
      if (named.indexOf(repository) !== index)
        problems.push(`${name}: two scopes are for the same repository`);
      if (repository === null) continue;
      const found = places.get(repository)!;
      if (found.length === 0) problems.push(`${name}: there is no repository named ${repository}`);
      if (found.length > 1)
        problems.push(`${name}: ${repository} can mean ${found.map((each) => each.name).join(' or ')}`);
    }
  }
  return problems;
}

function contentOf(file: ReviewerFile, places: Places): ReviewerContent {
  return {
    title: file.title.trim(),
    description: file.description,
    kind: file.kind,
    body: file.body,
    scopes: file.scopes.map(({ paths, repository }) => ({
      repositoryId: repository === null ? null : places.get(repository)![0]!.id,
      paths,
    })),
  };
}

async function importOne(
  db: Db,
  source: AuditSource,
  { enabled }: ReviewerFile,
  content: ReviewerContent,
): Promise<'created' | 'changed' | 'unchanged'> {
  const { organizationId } = source;
  const existing = await selectReviewerByTitle(db, organizationId, content.title);
  if (!existing) {
    await saveReviewer(db, source, content, enabled);
    return 'created';
  }
  const reviewer = (await lockReviewer(db, organizationId, existing.id))!;
  const active = (await selectReviewer(db, organizationId, existing.id))!;
  const scopes = await selectAllScopes(db, existing.id, active.active_version);
  const before = {
    title: active.title,
    description: active.description,
    kind: active.kind,
    body: active.body,
    scopes: scopes.map((row) => ({ repositoryId: row.repository_id, paths: row.paths })),
  };
  const isChanged = !isDeepStrictEqual(before, content);
  if (isChanged) await saveVersion(db, source, reviewer, content);
  if (enabled !== reviewer.enabled)
    await saveSwitch(db, source, { ...reviewer, title: content.title }, enabled);
  return isChanged || enabled !== reviewer.enabled ? 'changed' : 'unchanged';
}
