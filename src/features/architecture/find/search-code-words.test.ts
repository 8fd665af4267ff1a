/** The search for repositories by what their code says: from the text of files to the sentence in the reply. */
import { describe, expect, it } from 'vitest';
import { makeRepositoryRow } from '../../../../test/helpers/rows/repository-rows.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { CommitWords, extractFacts } from '../../../engines/facts/index.ts';
import type { PlacedFact } from '../../../platform/core/ports/code-facts.ts';
import { codeWords, replaceCodeWords, replaceSummaries, summarize, summaryRow } from '../index.ts';

const service = await startTestService();
const { acme, db, globex } = service;

/** Describes the files as the service does. */
async function describeFiles(
  organizationId: string,
  name: string,
  files: Record<string, string>,
  known?: { id: string; name: string },
  options: { members?: Person[] } = {},
): Promise<{ id: string; name: string }> {
  const words = new CommitWords();
  const facts: PlacedFact[] = [];
  for (const [path, text] of Object.entries(files)) {
    const file = await extractFacts({ path, text });
    words.add(path, file.words, file.symbols);
    facts.push(...file.facts.map((fact) => ({ ...fact, path })));
  }
  const commit = 'ab'.repeat(20);
  const code = {
    name,
    facts: {
      commit,
      files: Object.keys(files).length,
      languages: [],
      folders: [],
      facts,
      words: words.best(1000),
      activity: { folders: [], people: [] },
      leftOut: [],
    },
    paths: Object.keys(files).sort(),
    readme: files['README.md'] ? { path: 'README.md', text: files['README.md'] } : null,
  };
  const repository = known ?? (await makeRepositoryRow(service, organizationId, { name, ...options }));
  const summaries = summarize(code).map((summary) => summaryRow(name, summary));
  await replaceSummaries(db, { id: repository.id, organizationId, commit }, summaries);
  await replaceCodeWords(db, { id: repository.id, organizationId }, codeWords(code, summaries));
  return repository;
}

const BILLING = {
  'README.md': '# Billing\n\nBilling is the service that bills the customers of Acme.\n',
  'src/invoices.ts': `import { withBackoff } from '@acme/retry';

/** Rounds half cents to even amounts. */
export function createInvoice(totalCents: number) {
  if (totalCents < 0) throw new Error('The ledger refuses refunds without approval');
  return withBackoff(() => totalCents);
}
`,
  'db/schema.sql': 'CREATE TABLE invoices (\n  id uuid,\n  total_cents bigint\n);\n',
  'src/mail.py': "def enqueue():\n    queue.publish('send_receipt')\n",
  'src/routes.ts':
    "import express from 'express';\nconst app = express();\napp.delete('/outputcache/:region', drop);\n",
  'NOTES.md': '# Notes\n\nOld ones are archived as parquet.\n',
  'config/keys.ts': "export const API_KEY = 'hunterhunter';\nexport const other = 'AbCd3fGh1jKlMn0pQr5t';\n",
};
const billing = await describeFiles(acme.id, 'acme/billing', BILLING);
await describeFiles(acme.id, 'acme/backup', {
  'README.md': '# Backup\n\nBackup copies databases to another place every night.\n',
  'bin/dump.sh': 'tar --create --numeric-uid-gid "$1"\n',
  'docs/replication.md': '# Replication\n\nThe slot is read with wal2json, which PostgreSQL 12 has.\n',
});
await describeFiles(
  acme.id,
  'acme/secret',
  {
    'README.md': '# Secret\n\nSecret keeps what only a few people may see.\n',
    'a.ts': 'export const zanzibarPlan = 1;\n',
  },
  undefined,
  { members: [acme.viewer] },
);
await describeFiles(globex.id, 'globex/other', {
  'README.md': '# Other\n\nOther is the service of another company entirely.\n',
  'a.ts': 'export function createInvoice() {}\n',
});

async function search(keywords: string[], domains?: string[], person: Person = acme.member) {
  const { body, status } = await service.request('POST', '/api/v2/cross-repo/search', {
    as: withKey(person),
    body: { keywords, ...(domains && { domains }) },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.summaries as { repoName: string; domain: string; summary: string }[]).map(
    ({ domain, repoName, summary }) =>
      `${repoName} ${domain}: ${/[^.]*(?:\.[^ ][^.]*)*\.$/.exec(summary)![0].trim()}`,
  );
}

describe('a word of the code finds its repository, and is named with its place', () => {
  it.each([
    ['the name of a function', 'createInvoice', 'acme/billing', '`createInvoice` (src/invoices.ts:4)'],
    ['a column', 'total_cents', 'acme/billing', '`totalCents` (src/invoices.ts:4)'],
    ['a column in another spelling', 'totalCents', 'acme/billing', '`totalCents` (src/invoices.ts:4)'],
    ['the beginning of a name', 'createInv', 'acme/billing', '`createInvoice` (src/invoices.ts:4)'],
    ['an event', 'send_receipt', 'acme/billing', '`send_receipt` (src/mail.py:2)'],
    ['a name that is only called', 'withBackoff', 'acme/billing', '`withBackoff` (src/invoices.ts:1)'],
    ['an option', '--numeric-uid-gid', 'acme/backup', '`--numeric-uid-gid` (bin/dump.sh:1)'],
    ['a word of documentation', 'wal2json', 'acme/backup', '`wal2json` (docs/replication.md:3)'],
    ['a route', 'DELETE outputcache/{region}', 'acme/billing', 'src/routes.ts:3'],
    ['a word of an error, by its stem', 'refund', 'acme/billing', '`refunds` (src/invoices.ts:5)'],
    ['a word of a comment', 'rounding', 'acme/billing', '`rounds` (src/invoices.ts:3)'],
  ])('%s: %s', async (_, keyword, repository, place) => {
    const found = await search([keyword]);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${repository} `));
    expect(found[0]).toContain(place);
  });

  it('in the domain where it stands, or in the first one', async () => {
    expect(await search(['send_receipt'])).toEqual([
      'acme/billing BUSINESS_LOGIC: The code has `send_receipt` (src/mail.py:2).',
    ]);
    expect(await search(['parquet'])).toEqual(['acme/billing API: The code has `parquet` (NOTES.md:3).']);
    expect(await search(['uuid'], ['data'])).toEqual([
      'acme/billing DATA: The code has `uuid` (db/schema.sql:2).',
    ]);
    expect(await search(['uuid'], ['API'])).toEqual([]);
  });

  it('after a summary that has as many keywords', async () => {
    const found = await search(['copies', 'ledger']);
    expect(found[0]).toMatch(/^acme\/backup /);
    expect(found.at(-1)).toMatch(/^acme\/billing .*`ledger`/);
  });

  it('but not a value that can be a secret, nor words that stand in two repositories', async () => {
    for (const keyword of ['hunterhunter', 'AbCd3fGh1jKlMn0pQr5t', 'rounds wal2json']) {
      expect(await search([keyword])).toEqual([]);
    }
  });

  it('only for those who can see the repository', async () => {
    expect(await search(['zanzibarPlan'])).toEqual([]);
    expect(await search(['zanzibarPlan'], undefined, acme.viewer)).toHaveLength(1);
    expect(await search(['withBackoff'], undefined, globex.owner)).toEqual([]);
  });
});

it('follows every push', async () => {
  const { 'src/mail.py': _mail, ...rest } = BILLING;
  await describeFiles(
    acme.id,
    'acme/billing',
    { ...rest, 'src/sms.py': "\n\nqueue.publish('send_text')\n" },
    billing,
  );
  expect(await search(['send_receipt'])).toEqual([]);
  expect(await search(['send_text'])).toEqual([expect.stringContaining('(src/sms.py:3)')]);
  await db.deleteFrom('repositories').where('id', '=', billing.id).execute();
  expect(await search(['createInvoice'])).toEqual([]);
});
