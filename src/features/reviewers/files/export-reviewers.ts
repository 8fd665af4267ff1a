/** Custom reviewers as Markdown files, each under a name made of its title. */
import type { Db } from '../../../platform/db/index.ts';
import { operatorIn } from '../../repositories/index.ts';
import { selectReviewers, selectScopes } from '../store/reviewer-list-store.ts';
import { selectReviewer } from '../store/reviewer-store.ts';
import { writeReviewerFile } from './reviewer-file.ts';

const MAX_NAME_LENGTH = 80;

export async function exportReviewers(
  db: Db,
  organizationId: string,
): Promise<{ name: string; text: string }[]> {
  const rows = (await selectReviewers(db, organizationId)).filter((row) => row.built_in === null);
  const versions = rows.map((row) => ({ id: row.id, version: row.active_version }));
  const scopes = Map.groupBy(
    await selectScopes(db, operatorIn(organizationId), versions),
    (row) => row.reviewer_id,
  );
  const names = new Set<string>();
  const files: { name: string; text: string }[] = [];
  for (const { id } of rows) {
    const row = await selectReviewer(db, organizationId, id);
    if (!row) continue;
    files.push({
      name: fileNameFor(row.title, names),
      text: writeReviewerFile({
        title: row.title,
        description: row.description!,
        enabled: row.enabled,
        kind: row.kind!,
        body: row.body!,
        scopes: (scopes.get(id) ?? []).map((scope) => ({
          repository: scope.repository_name,
          paths: scope.paths,
        })),
      }),
    });
  }
  return files;
}

/** Lower case with dashes; a number is added if it is taken. */
export function fileNameFor(title: string, taken: Set<string>): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const base = (words ?? ['reviewer']).join('-').slice(0, MAX_NAME_LENGTH);
  let name = `${base}.md`;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}.md`;
  taken.add(name);
  return name;
}
