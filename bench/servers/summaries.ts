/** P10's sides: the whole service with 50,000 architecture summaries of 5,000 repositories, whose words are as rare as in real text. */
import { DOMAINS } from '../../src/features/architecture/contract.ts';
import { operations } from '../../src/operations.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../src/platform/db/index.ts';
import { startService } from './start-service.ts';
import { createWords } from './summary-words.ts';

const REPOSITORIES = 5000;
const WORDS_IN_A_SUMMARY = 150;
const BATCH = 500;

const service = await startService(operations);
const { organizationId, userId } = service.owner;
const words = createWords(1);
const INDEX = 'architecture_summaries_words';
await withConnection(service.connection, async (client) => {
  const { rows: found } = await client.query(`SELECT pg_get_indexdef('${INDEX}'::regclass) AS definition`);
  // Both indexes are filled once at the end, which is much faster.
  await client.query(`DROP INDEX ${INDEX}; ALTER TABLE architecture_summaries DISABLE TRIGGER USER`);
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
  }
  await client.query(found[0].definition);
  await client.query(`INSERT INTO architecture_words
    SELECT * FROM architecture_words_of(ARRAY(SELECT id FROM repositories)) ORDER BY 1, 2, 3`);
  await client.query('ALTER TABLE architecture_summaries ENABLE TRIGGER USER');
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
});
service.announce({ organizationId, userId, connection: JSON.stringify(service.connection) });
