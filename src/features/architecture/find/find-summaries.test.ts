/** The search against PostgreSQL's own full-text matching of every summary; and that its words follow every change of a summary. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { describeRepository, writeSummaries } from '../../../../test/helpers/rows/architecture.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { DOMAINS } from '../contract.ts';
import { findSummaries } from './find-summaries.ts';
import { readKeywords } from './read-keywords.ts';
import { selectWordHits } from './search-store.ts';

const service = await startTestService();
const { acme, db, globex } = service;
const reader = { organizationId: acme.id, userId: acme.member.userId, role: 'member' as const };

const WORDS =
  'run running runs runner go google invoice invoices invoiceLine invoice_lines pdf the señor año 東京 東京都 v2 last.fm lastfm'.split(
    ' ',
  );
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const texts = fc.dictionary(fc.constantFrom(...DOMAINS), text, { minKeys: 1, maxKeys: 4 });
const keyword = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
  fc.constantFrom(
    'ru',
    'run',
    'inv',
    'invo',
    'acme',
    'api',
    'business logic',
    '東',
    'sen',
    '!!',
    'the run',
    'running pdf',
  ),
  text,
);

const repositories = await Promise.all(
  ['acme/a', 'acme/b', 'acme/c'].map((name) => describeRepository(service, acme.id, name, {})),
);
const secret = await describeRepository(
  service,
  acme.id,
  'acme/hidden',
  { API: WORDS.join(' ') },
  { members: [] },
);
await describeRepository(service, globex.id, 'globex/a', { API: WORDS.join(' ') });

/** The visible summaries with any of the keywords, by comparing them one by one. */
async function findMatches(keywords: string[], domains: string[]): Promise<Set<string>> {
  const { alternatives, words } = readKeywords(keywords);
  const { rows: stems } = await sql<{ stem: string }>`SELECT plainto_tsquery('english', w)::text AS stem
    FROM unnest(${words.map(({ word }) => word)}::text[]) WITH ORDINALITY AS each (w, n) ORDER BY n`.execute(
    db,
  );
  const queries = words.map(({ isPrefix, word }, index) =>
    [`'${word}'${isPrefix ? ':*' : ''}`, stems[index]!.stem].filter((each) => each !== '').join(' | '),
  );
  const found = new Set<string>();
  for (const each of alternatives) {
    const query = each.map((some) => `(${some.map((word) => `(${queries[word]})`).join(' & ')})`).join(' | ');
    const { rows } = await sql<{ name: string }>`SELECT r.name || ' ' || s.domain AS name
      FROM architecture_summaries s JOIN repositories r ON r.id = s.repository_id
      WHERE r.name = ANY(${repositories.map(({ name }) => name)}::text[]) AND s.words @@ ${query}::tsquery
        AND (${domains.length === 0} OR s.domain = ANY(${domains}::text[]))`.execute(db);
    for (const { name } of rows) found.add(name);
  }
  return found;
}

/** Differences between the words that are looked up and those of the summaries. */
async function wrongWords(): Promise<unknown[]> {
  const wanted = sql`SELECT * FROM architecture_words_of(ARRAY(SELECT repository_id FROM architecture_summaries))`;
  const { rows } = await sql`(${wanted} EXCEPT SELECT * FROM architecture_words)
    UNION ALL (SELECT * FROM architecture_words EXCEPT ${wanted})`.execute(db);
  return rows;
}

it('finds what full-text search finds, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...repositories),
      texts,
      fc.array(keyword, { minLength: 1, maxLength: 5 }),
      fc.subarray([...DOMAINS], { maxLength: 3 }),
      async (repository, written, keywords, domains) => {
        await writeSummaries(
          service,
          { ...repository, organizationId: acme.id, commit: 'ab'.repeat(20) },
          written,
        );
        const expected = await findMatches(keywords, domains);
        const found = await findSummaries(db, reader, { keywords, domains, limit: 50 });
        const names = found.map(({ domain, repoName }) => `${repoName} ${domain}`);
        expect(names.toSorted()).toEqual([...expected].sort());
        expect(await wrongWords()).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

it('counts only what the reader can see', async () => {
  const words = [{ word: 'invoices', isPrefix: true }];
  await writeSummaries(
    service,
    { ...repositories[0]!, organizationId: acme.id, commit: 'ab'.repeat(20) },
    { API: 'invoices' },
  );
  const searched = async (person: Pick<typeof reader, 'userId'> & { role: 'member' | 'admin' }) => {
    const hits = await selectWordHits(db, { ...person, organizationId: acme.id }, words);
    return {
      searched: hits.searched,
      ids: Array.from({ length: hits.repositories }, (_, n) => hits.idOf(n)),
    };
  };
  const hidden = await searched({ userId: acme.admin.userId, role: 'admin' });
  expect(hidden.searched).toBe(4);
  expect(hidden.ids).toContain(secret.id);
  const visible = await searched(reader);
  expect(visible).toEqual({ searched: 3, ids: hidden.ids.filter((id) => id !== secret.id) });
  expect(visible.ids).toContain(repositories[0]!.id);
});

describe('words', () => {
  it('of every domain are found', async () => {
    await describeRepository(
      service,
      acme.id,
      'acme/all',
      Object.fromEntries(DOMAINS.map((each) => [each, 'quokka'])),
    );
    for (const domain of DOMAINS) {
      const found = await findSummaries(db, reader, { keywords: ['quokka'], domains: [domain], limit: 50 });
      expect(found.map((each) => each.domain)).toEqual([domain]);
    }
  });

  it('are gone with their repository', async () => {
    await db.deleteFrom('repositories').where('organization_id', '=', acme.id).execute();
    const { rows } = await sql`SELECT DISTINCT organization_id FROM architecture_words`.execute(db);
    expect(rows).toEqual([{ organization_id: globex.id }]);
  });
});
