/** The query behind the search for architecture summaries. */
import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { type Reader, visibleRepositories } from '../repositories/index.ts';
import type { KeywordWord } from './read-keywords.ts';

/** Of the summaries with the most matched keywords, this many are compared closely. */
const CANDIDATES = 200;
/** A match in the name, the domain or the description counts for more than one elsewhere in the summary. */
const MAIN_WEIGHT = 2;
/** A whole word or stem counts for more than the beginning of a word. */
const WHOLE_WEIGHT = 1;
/** How much the other summaries of a repository count. */
const REPOSITORY_WEIGHT = 0.2;
/** How much a keyword counts that any summary of the repository matches. */
const COVERAGE_WEIGHT = 2;

export interface FoundSummary {
  repoId: string;
  repoName: string;
  domain: string;
  commit: string;
  summary: string;
  sentences: { text: string; evidence: { path: string; line: number }[] }[];
}

export interface SummaryQuery {
  words: KeywordWord[];
  /** In lower case. */
  domains: string[] | undefined;
  limit: number;
}

/**
 * Summaries with any of the keywords: those with more of them first, then those with rarer ones in better places.
 * Each keyword is looked up separately in the index, because reading the words of every row that has one would take much longer.
 */
export async function findSummaries(db: Db, reader: Reader, query: SummaryQuery): Promise<FoundSummary[]> {
  const { domains, limit, words } = query;
  const visible = visibleRepositories(db, reader).select(['r.id', 'r.name']);
  const inDomains = domains ? sql`AND lower(s.domain) = ANY(${domains}::text[])` : sql``;
  const matching = (column: 'words' | 'main_words') => sql`
    SELECT k.n, s.repository_id, s.domain, ${sql.lit(column === 'main_words')} AS is_main
    FROM keyword k JOIN architecture_summaries s ON ${sql.ref(`s.${column}`)} @@ k.query
    WHERE s.organization_id = ${reader.organizationId} ${inDomains}`;
  const { rows } = await sql<FoundSummary>`
    WITH word AS (
      SELECT n, alternative, query, nullif(plainto_tsquery('english', word)::text, '') AS stem
      FROM unnest(${words.map(({ keyword }) => keyword)}::int[], ${words.map(({ alternative }) => alternative)}::int[],
        ${words.map(({ word }) => word)}::text[], ${words.map(({ query }) => query)}::text[])
        AS w (n, alternative, word, query)
    ), alternative AS (
      SELECT n, string_agg('(' || concat_ws(' | ', query, stem) || ')', ' & ') AS query,
        string_agg('(' || concat_ws(' | ', replace(query, ':*', ''), stem) || ')', ' & ') AS whole
      FROM word GROUP BY n, alternative
    ), keyword AS MATERIALIZED (
      SELECT n, string_agg('(' || query || ')', ' | ')::tsquery AS query,
        string_agg('(' || whole || ')', ' | ')::tsquery AS whole
      FROM alternative GROUP BY n
    ), visible AS MATERIALIZED (${visible}),
    hit AS MATERIALIZED (
      SELECT h.* FROM (${matching('words')} UNION ALL ${matching('main_words')}) h
      JOIN visible v ON v.id = h.repository_id
    ), rarity AS (
      SELECT n, ln(1 + 10.0 * (SELECT count(*) FROM visible) / count(*))::float8 AS weight
      FROM hit WHERE NOT is_main GROUP BY n
    ), matched AS (
      SELECT h.repository_id, h.domain, count(*) FILTER (WHERE NOT h.is_main) AS keywords, bit_or(1::bigint << h.n) AS found,
        sum(CASE WHEN h.is_main THEN ${sql.lit(MAIN_WEIGHT)} * r.weight ELSE r.weight END) AS score
      FROM hit h JOIN rarity r USING (n) GROUP BY h.repository_id, h.domain
    ), candidate AS (
      SELECT repository_id, domain, keywords,
        score + ${sql.lit(REPOSITORY_WEIGHT)} * sum(score) OVER of_repository
          + ${sql.lit(COVERAGE_WEIGHT)} * bit_count((bit_or(found) OVER of_repository)::bit(64)) AS score
      FROM matched WINDOW of_repository AS (PARTITION BY repository_id)
      ORDER BY keywords DESC, score DESC, repository_id, domain LIMIT ${sql.lit(CANDIDATES)}
    )
    SELECT v.id AS "repoId", v.name AS "repoName", s.domain, s.commit, s.summary, s.sentences
    FROM candidate c JOIN visible v ON v.id = c.repository_id
    JOIN architecture_summaries s ON s.repository_id = c.repository_id AND s.domain = c.domain
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(r.weight), 0) AS score FROM keyword k JOIN rarity r USING (n) WHERE s.words @@ k.whole
    ) AS whole
    ORDER BY c.keywords DESC, c.score + ${sql.lit(WHOLE_WEIGHT)} * whole.score DESC, v.name, s.domain
    LIMIT ${limit}`.execute(db);
  return rows;
}
