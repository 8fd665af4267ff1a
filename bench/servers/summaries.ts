/**
 * P10's sides: the whole service with 50,000 architecture summaries of 5,000 repositories and the words of their code, which are as rare as
 * in real text.
 */
import { DOMAINS } from '../../src/features/architecture/contract.ts';
import { operations } from '../../src/operations.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../src/platform/db/index.ts';
import { startService } from './start-service.ts';
import { createWords } from './summary-words.ts';

const REPOSITORIES = 5000;
const WORDS_IN_A_SUMMARY = 150;
/** Drawn from the same vocabulary, and names that only one repository has. */
const WORDS_OF_CODE = 1000;
const NAMES_OF_CODE = 200;
const BATCH = 500;

const service = await startService(operations);
const { organizationId, userId } = service.owner;
const words = createWords(1);
const INDEX = 'architecture_summaries_words';
const CODE_KEY = 'architecture_code_words_pkey';
const CODE_INDEX = 'architecture_code_words_word';
await withConnection(service.connection, async (client) => {
  const { rows: found } = await client.query(
    `SELECT pg_get_indexdef(name::regclass) AS definition FROM unnest(ARRAY['${INDEX}', '${CODE_INDEX}']) AS name`,
  );
  // The indexes are filled once at the end, which is much faster.
  await client.query(
    `DROP INDEX ${INDEX}, ${CODE_INDEX}; ALTER TABLE architecture_code_words DROP CONSTRAINT ${CODE_KEY}; ALTER TABLE architecture_summaries DISABLE TRIGGER USER`,
  );
  for (let from = 0; from < REPOSITORIES; from += BATCH) {
    const repositories = Array.from({ length: BATCH }, (_, index) => ({
      id: uuidv7(),
      name: `acme/${words.next()}-${from + index}`,
    }));
    await client.query(
      `INSERT INTO repositories (id, organization_id, name, created_at)
       SELECT id, $1, name, now() FROM unnest($2::uuid[], $3::text[]) AS r (id, name)`,
      [organizationId, repositories.map(({ id }) => id), repositories.map(({ name }) => name)],
    );
    const rows = repositories.flatMap(({ id, name }) =>
      DOMAINS.map((domain) => {
        const text = Array.from({ length: WORDS_IN_A_SUMMARY }, () => words.next()).join(' ');
        return { id, domain, text, main: `${name.replaceAll(/\W/g, ' ')} ${domain} ${text.slice(0, 100)}` };
      }),
    );
    await client.query(
      `INSERT INTO architecture_summaries (repository_id, domain, organization_id, commit, sentences, summary, words, main_words)
       SELECT id, domain, $1, repeat('a', 40), jsonb_build_array(jsonb_build_object('text', text, 'evidence', '[]'::jsonb)), text,
         strip(to_tsvector('simple', main || ' ' || text) || to_tsvector('english', main || ' ' || text)),
         strip(to_tsvector('simple', main) || to_tsvector('english', main))
       FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS s (id, domain, text, main)`,
      [
        organizationId,
        rows.map(({ id }) => id),
        rows.map(({ domain }) => domain),
        rows.map(({ text }) => text),
        rows.map(({ main }) => main),
      ],
    );
    const ofCode = repositories.flatMap(({ id }) => {
      const drawn = new Set(Array.from({ length: WORDS_OF_CODE }, () => words.next()));
      for (let n = 0; n < NAMES_OF_CODE; n += 1) drawn.add(`${words.next()}${words.next()}${words.next()}`);
      return [...drawn].map((word) => ({ id, word }));
    });
    await client.query(
      `INSERT INTO architecture_code_words (repository_id, word, organization_id, domain, weight, name, path, line)
       SELECT DISTINCT ON (id, stem) id, stem, $1, length(word) % 10, 1 + ascii(reverse(word)) % 100, word, 'src/' || word || '.ts', 1
       FROM unnest($2::uuid[], $3::text[]) AS w (id, word)
       CROSS JOIN LATERAL (SELECT (ts_lexize('english_stem', word))[1] AS stem) s
       WHERE stem IS NOT NULL`,
      [organizationId, ofCode.map(({ id }) => id), ofCode.map(({ word }) => word)],
    );
  }
  await client.query(
    `ALTER TABLE architecture_code_words ADD CONSTRAINT ${CODE_KEY} PRIMARY KEY (repository_id, word)`,
  );
  for (const { definition } of found) await client.query(definition);
  await client.query(`INSERT INTO architecture_words
    SELECT * FROM architecture_words_of(ARRAY(SELECT id FROM repositories)) ORDER BY 1, 2, 3`);
  await client.query('ALTER TABLE architecture_summaries ENABLE TRIGGER USER');
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
});
service.announce({ organizationId, userId, connection: JSON.stringify(service.connection) });
