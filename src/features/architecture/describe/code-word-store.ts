/** Queries for the words of code that repositories are found by. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { CodeWord } from './code-words.ts';

/** Makes these the words of the repository's code, by their stems; what stays the same is not written. */
export async function replaceCodeWords(
  db: Db,
  repository: { id: string; organizationId: string },
  words: readonly CodeWord[],
): Promise<void> {
  const column = <Key extends keyof CodeWord>(key: Key) => words.map((word) => word[key]);
  await sql`WITH wanted AS MATERIALIZED (
      SELECT DISTINCT ON (stem) stem AS word, n.domain, n.weight, n.name, n.path, n.line
      FROM unnest(${column('word')}::text[], ${column('domain')}::smallint[], ${column('weight')}::smallint[],
        ${column('name')}::text[], ${column('path')}::text[], ${column('line')}::int[]) AS n (word, domain, weight, name, path, line)
      CROSS JOIN LATERAL (SELECT (ts_lexize('english_stem', n.word))[1] COLLATE "C" AS stem) s
      WHERE stem IS NOT NULL
      ORDER BY stem, n.weight DESC, n.word
    ), gone AS (
      DELETE FROM architecture_code_words a WHERE a.repository_id = ${repository.id}
        AND NOT EXISTS (SELECT FROM wanted w WHERE w.word = a.word)
    )
    INSERT INTO architecture_code_words AS a (repository_id, word, organization_id, domain, weight, name, path, line)
    SELECT ${repository.id}::uuid, w.word, ${repository.organizationId}::uuid, w.domain, w.weight, w.name, w.path, w.line
    FROM wanted w
    ON CONFLICT (repository_id, word) DO UPDATE SET domain = excluded.domain, weight = excluded.weight, name = excluded.name,
      path = excluded.path, line = excluded.line
    WHERE (a.domain, a.weight, a.name, a.path, a.line)
      IS DISTINCT FROM (excluded.domain, excluded.weight, excluded.name, excluded.path, excluded.line)`.execute(
    db,
  );
}
