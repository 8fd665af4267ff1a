/** The queries behind the search for architecture summaries. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { hiddenRepositories, type Reader, visibleRepositories } from '../../repositories/index.ts';
import type { LookedUpWord } from './read-keywords.ts';
import { BITS, type HitBytes, readHits, type WordHits, type WordRange } from './word-hits.ts';

export interface FoundSummary {
  repoId: string;
  repoName: string;
  domain: string;
  summary: string;
}

export interface FoundEvidence extends Omit<FoundSummary, 'summary'> {
  commit: string;
  sentences: { text: string; evidence: { path: string; line: number }[] }[];
}

export interface SummaryKey {
  repositoryId: string;
  domain: string;
}

/** Before and after every longer text that begins with the same letters, in the order of bytes. */
const [FIRST_LETTER, LAST_LETTER] = ['\u{1}', '\u{10FFFF}'];

/** A word of code that more repositories have tells too little about them, and is not read further. */
const MAX_REPOSITORIES_OF_CODE_WORD = 1000;

/**
 * Where the words are, in repositories that the reader can see. A word, longer words that begin with it, and its stem are looked up
 * separately, and read from the index alone; words of code only by their stem or beginning. Hits come as bytes (see `word-hits.ts`): there
 * are thousands, and a row for each would take longer to transfer than to find.
 */
export async function selectWordHits(db: Db, reader: Reader, words: LookedUpWord[]): Promise<WordHits> {
  const visible = visibleRepositories(db, reader).select(sql<number>`count(*)::int`.as('count'));
  const hidden = hiddenRepositories(db, reader).select('r.id');
  const { rows } = await sql<HitBytes & { searched: number }>`
    WITH word AS MATERIALIZED (
      SELECT w.*, CASE WHEN cardinality(stems) = 1 THEN stems[1] END AS stem, (ts_lexize('english_stem', w.word))[1] AS code_stem
      FROM unnest(${words.map((_, index) => index)}::int[], ${words.map(({ word }) => word)}::text[],
        ${words.map(({ isPrefix }) => isPrefix)}::boolean[]) AS w (n, word, is_prefix)
      CROSS JOIN LATERAL tsvector_to_array(to_tsvector('english', w.word)) AS stems
    ), range AS MATERIALIZED (
      SELECT n, true AS is_whole, word AS first, word AS last FROM word
      UNION ALL SELECT n, true, stem, stem FROM word WHERE stem <> word
      UNION ALL SELECT n, false, word || ${FIRST_LETTER}, word || ${LAST_LETTER} FROM word WHERE is_prefix
    ), code_range AS MATERIALIZED (
      SELECT n, true AS is_whole, code_stem AS first, code_stem AS last FROM word WHERE code_stem IS NOT NULL
      UNION ALL SELECT n, false, word || ${FIRST_LETTER}, word || ${LAST_LETTER} FROM word WHERE is_prefix
    )
    SELECT r.n AS word, r.is_whole AS "isWhole", r.first, r.last, false AS "isCode", false AS "isCut", h.hits, (${visible}) AS searched
    FROM range r CROSS JOIN LATERAL (
      SELECT string_agg(uuid_send(a.repository_id)
        || int4send(a.domains | (a.main_domains::int << ${sql.lit(BITS)})), '') AS hits
      FROM architecture_words a
      WHERE a.organization_id = ${reader.organizationId} AND a.word BETWEEN r.first AND r.last
        AND a.repository_id NOT IN (${hidden})
    ) h
    UNION ALL
    SELECT r.n, r.is_whole, r.first, r.last, true, h.is_cut, h.hits, 0
    FROM code_range r CROSS JOIN LATERAL (
      SELECT count(*) > ${sql.lit(MAX_REPOSITORIES_OF_CODE_WORD)} AS is_cut,
        string_agg(uuid_send(c.repository_id) || int4send(c.domain | (c.weight::int << 4)), '') AS hits
      FROM (SELECT a.repository_id, a.domain, a.weight FROM architecture_code_words a
        WHERE a.organization_id = ${reader.organizationId} AND a.word BETWEEN r.first AND r.last
          AND a.repository_id NOT IN (${hidden})
        LIMIT ${sql.lit(MAX_REPOSITORIES_OF_CODE_WORD + 1)}) c
    ) h`.execute(db);
  return readHits(rows, { words: words.length, searched: rows[0]?.searched ?? 0 });
}

export interface CodeWordKey extends WordRange {
  repositoryId: string;
  /** Its place in `DOMAINS`. */
  domain: number;
}

export interface FoundCodeWord {
  /** The place of the key in the list. */
  key: number;
  name: string;
  path: string;
  line: number;
}

/** The name and place of each word of code, in the repositories that were found. */
export async function selectCodeWords(db: Db, reader: Reader, keys: CodeWordKey[]): Promise<FoundCodeWord[]> {
  if (keys.length === 0) return [];
  const visible = visibleRepositories(db, reader).where('r.id', '=', sql<string>`k.repository_id`);
  const { rows } = await sql<FoundCodeWord>`
    SELECT k.key, w.name, w.path, w.line
    FROM unnest(${keys.map((_, index) => index)}::int[], ${keys.map(({ repositoryId }) => repositoryId)}::uuid[],
      ${keys.map(({ domain }) => domain)}::int[], ${keys.map(({ first }) => first)}::text[], ${keys.map(({ last }) => last)}::text[])
      AS k (key, repository_id, domain, first, last)
    CROSS JOIN LATERAL (${visible.select('r.id').limit(1)}) v
    CROSS JOIN LATERAL (SELECT c.name, c.path, c.line FROM architecture_code_words c
      WHERE c.repository_id = v.id AND c.word BETWEEN k.first AND k.last AND c.domain = k.domain
      ORDER BY c.weight DESC, c.word LIMIT 1) w
    ORDER BY k.key`.execute(db);
  return rows;
}

/** Keeps the given order; only repositories that the reader can see. */
export function selectFound(db: Db, reader: Reader, keys: SummaryKey[]): Promise<FoundSummary[]> {
  return selectByKeys(db, reader, keys, sql`s.summary`);
}

/** The same with the evidence, which takes as long to read as the rest. */
export function selectFoundEvidence(db: Db, reader: Reader, keys: SummaryKey[]): Promise<FoundEvidence[]> {
  return selectByKeys(db, reader, keys, sql`s.commit, s.sentences`);
}

async function selectByKeys<Row>(
  db: Db,
  reader: Reader,
  keys: SummaryKey[],
  columns: RawBuilder<unknown>,
): Promise<Row[]> {
  // Looked up one by one, so that no other repositories are read.
  const visible = visibleRepositories(db, reader).where('r.id', '=', sql<string>`k.repository_id`);
  const { rows } = await sql<Row>`
    SELECT v.id AS "repoId", v.name AS "repoName", s.domain, ${columns}
    FROM unnest(${keys.map(({ repositoryId }) => repositoryId)}::uuid[], ${keys.map(({ domain }) => domain)}::text[])
      WITH ORDINALITY AS k (repository_id, domain, place)
    CROSS JOIN LATERAL (${visible.select(['r.id', 'r.name']).limit(1)}) v
    JOIN architecture_summaries s ON s.repository_id = v.id AND s.domain = k.domain
    ORDER BY k.place`.execute(db);
  return rows;
}
