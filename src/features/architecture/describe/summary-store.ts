/** Queries for the summaries of repositories. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../../repositories/index.ts';
import type { FoundEvidence } from '../find/search-store.ts';

export interface SummaryRow {
  domain: string;
  sentences: { text: string; evidence: { path: string; line: number }[] }[];
  summary: string;
  words: string[];
  mainWords: string[];
  /** Fingerprint of the model's input; absent when no model wrote it. */
  writtenFrom?: string;
}

/** Words as they are, and their stems. */
const wordsOf = (
  column: string,
) => sql`array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(${sql.ref(column)})))
  || strip(to_tsvector('english', coalesce((SELECT string_agg(word, ' ') FROM jsonb_array_elements_text(${sql.ref(column)}) AS word), '')))`;

/** Makes these the summaries of the repository. */
export async function replaceSummaries(
  db: Db,
  repository: { id: string; organizationId: string; commit: string },
  summaries: SummaryRow[],
): Promise<void> {
  await sql`DELETE FROM architecture_summaries WHERE repository_id = ${repository.id}
    AND NOT domain = ANY(${summaries.map(({ domain }) => domain)}::text[])`.execute(db);
  if (summaries.length === 0) return;
  await sql`INSERT INTO architecture_summaries
      (repository_id, domain, organization_id, commit, sentences, summary, words, main_words, written_from)
    SELECT ${repository.id}::uuid, n.domain, ${repository.organizationId}::uuid, ${repository.commit}, n.sentences, n.summary,
      ${wordsOf('n.words')}, ${wordsOf('n.main_words')}, n.written_from
    FROM unnest(${summaries.map(({ domain }) => domain)}::text[],
      ${summaries.map(({ sentences }) => JSON.stringify(sentences))}::jsonb[],
      ${summaries.map(({ summary }) => summary)}::text[],
      ${summaries.map(({ words }) => JSON.stringify(words))}::jsonb[],
      ${summaries.map(({ mainWords }) => JSON.stringify(mainWords))}::jsonb[],
      ${summaries.map(({ writtenFrom }) => writtenFrom ?? null)}::text[]) AS n (domain, sentences, summary, words, main_words, written_from)
    ON CONFLICT (repository_id, domain) DO UPDATE SET commit = excluded.commit, sentences = excluded.sentences,
      summary = excluded.summary, words = excluded.words, main_words = excluded.main_words,
      written_from = excluded.written_from`.execute(db);
}

/** Summaries that a model wrote, with the fingerprint of its input. */
export async function selectWritten(
  db: Db,
  repositoryId: string,
): Promise<{ domain: string; writtenFrom: string; sentences: SummaryRow['sentences'] }[]> {
  const rows = await db
    .selectFrom('architecture_summaries')
    .select(['domain', 'written_from', 'sentences'])
    .where('repository_id', '=', repositoryId)
    .where('written_from', 'is not', null)
    .execute();
  return rows.map(({ domain, sentences, written_from }) => ({
    domain,
    writtenFrom: written_from!,
    sentences: sentences as unknown as SummaryRow['sentences'],
  }));
}

const COLUMNS = [
  'r.id as repoId',
  'r.name as repoName',
  's.domain',
  's.commit',
  's.summary',
  sql<FoundEvidence['sentences']>`s.sentences`.as('sentences'),
] as const;

/** Ordered by name and domain; only repositories that the reader can see. */
export function selectSummaries(
  db: Db,
  reader: Reader,
  page: {
    /** As it is stored: in upper case. */
    domain?: string | undefined;
    after?: { foldedName: string; domain: string } | undefined;
    limit: number;
  },
) {
  const { after, domain } = page;
  return (
    visibleRepositories(db, reader)
      // Looked up repository by repository, so that a page reads no more than it shows.
      .innerJoinLateral(
        (expression) =>
          expression
            .selectFrom('architecture_summaries as each')
            .selectAll()
            .whereRef('each.repository_id', '=', 'r.id')
            .$if(domain !== undefined, (query) => query.where('each.domain', '=', domain!))
            .as('s'),
        (join) => join.onTrue(),
      )
      .select([...COLUMNS, 'r.folded_name as foldedName'])
      .$if(after !== undefined, (query) =>
        query
          .where('r.folded_name', '>=', after!.foldedName)
          .where(sql<boolean>`(r.folded_name, s.domain) > (${after!.foldedName}, ${after!.domain})`),
      )
      .orderBy('r.folded_name')
      .orderBy('s.domain')
      .limit(page.limit)
      .execute()
  );
}

export function selectSummariesOf(db: Db, organizationId: string, repositoryId: string) {
  return db
    .selectFrom('architecture_summaries as s')
    .innerJoin('repositories as r', 'r.id', 's.repository_id')
    .select(COLUMNS)
    .where('s.repository_id', '=', repositoryId)
    .where('r.organization_id', '=', organizationId)
    .orderBy('s.domain')
    .execute();
}
