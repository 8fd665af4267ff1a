/** Endpoint 6 over HTTP: what a keyword matches, the order of summaries, and whose summaries are found. */
import { describe, expect, it } from 'vitest';
import { describeRepository } from '../../../../test/helpers/rows/architecture.ts';
import type { Person } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../../../../test/helpers/service/harness.ts';
import { connect, GENERATIONS } from '../../../../test/mcp/clients.ts';
import { callTool, failTool } from '../../../../test/mcp/tool-calls.ts';

const service = await startTestService();
const { acme, globex } = service;

const billing = await describeRepository(service, acme.id, 'acme/billing', {
  API: 'It creates invoices and renders them as PDF. It serves HTTP routes under /invoices and /customers.',
  DATA: 'It owns the tables invoice_lines and customers; see src/db/InvoiceLine.ts.',
});
await describeRepository(service, acme.id, 'acme/mail-gateway', {
  BUSINESS_LOGIC: 'It sends e-mail over SMTP, running a queue per customer, and uses PostgreSQL.',
  EVENTS: 'It consumes the topic invoice.paid from last.fm-like feeds.',
});
await describeRepository(service, acme.id, 'acme/front-end', { UI: 'React components and OAuth2 sign-in.' });
await describeRepository(
  service,
  acme.id,
  'acme/secret',
  { API: 'It keeps invoices of the board.' },
  { members: [acme.viewer] },
);
await describeRepository(service, globex.id, 'globex/billing', { API: 'Invoices of Globex.' });

async function search(keywords: string[], domains?: string[], person: Person = acme.member) {
  const { body, status } = await service.request('POST', '/api/v2/cross-repo/search', {
    as: withKey(person),
    body: { keywords, ...(domains && { domains }) },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.summaries.map(
    ({ domain, repoName }: { domain: string; repoName: string }) => `${repoName} ${domain}`,
  );
}
const BILLING_API = 'acme/billing API';
const BILLING_DATA = 'acme/billing DATA';
const MAIL = 'acme/mail-gateway BUSINESS_LOGIC';
const MAIL_EVENTS = 'acme/mail-gateway EVENTS';
const UI = 'acme/front-end UI';

describe('a keyword matches', () => {
  it.each([
    ['a word', 'PDF', [BILLING_API]],
    ['a stem', 'rendering', [BILLING_API]],
    ['the beginning of a word', 'rend', [BILLING_API]],
    ['a part of a snake_case name', 'lines', [BILLING_DATA]],
    ['a snake_case name', 'invoice_lines', [BILLING_DATA]],
    ['a camelCase name for a snake_case one', 'invoiceLines', [BILLING_DATA]],
    ['a kebab-case name for a camelCase one', 'invoice-line', [BILLING_DATA]],
    ['a name that is written as one word', 'lastfm', [MAIL_EVENTS]],
    ['a hyphenated word', 'email', [MAIL]],
    ['an unhyphenated word', 'e-mail', [MAIL]],
    ['a name with digits', 'oauth', [UI]],
    ['a part of a dotted name', 'paid', [MAIL_EVENTS]],
    ['a name in other letters', 'postgresql', [MAIL]],
    ['the repository’s name', 'gateway', [MAIL, MAIL_EVENTS]],
    ['the whole name', 'acme/front-end', [UI]],
    ['the domain', 'business logic', [MAIL]],
    ['the domain as it is written', 'BUSINESS_LOGIC', [MAIL]],
    ['all of its words in one summary', 'queue customers', [MAIL]],
    ['without stop words', 'the queue of the customers', [MAIL]],
    ['nothing when one of its words is missing', 'queue invoices', []],
    ['nothing in the middle of a word', 'voice', []],
    ['nothing by a short beginning', 'rea go', []],
    ['nothing without letters and digits', '!!', []],
    ['nothing with the syntax of a query', "'pdf' | !react:*", []],
  ])('%s: %s', async (_, keyword, expected) => {
    expect((await search([keyword])).toSorted()).toEqual(expected.toSorted());
  });
});

describe('the order', () => {
  it('puts summaries with more of the keywords first', async () => {
    expect(await search(['customers', 'invoice', 'pdf'])).toEqual([
      BILLING_API,
      BILLING_DATA,
      ...(await search(['customers', 'invoice', 'pdf'])).slice(2),
    ]);
    expect((await search(['smtp', 'invoice', 'pdf', 'render']))[0]).toBe(BILLING_API);
    expect((await search(['smtp', 'queue', 'pdf']))[0]).toBe(MAIL);
  });

  it('counts a keyword once, however often it is sent', async () => {
    const [first] = await search(['smtp', 'SMTP', 'smtp', 'invoice', 'pdf']);
    expect(first).toBe(BILLING_API);
  });

  it('is the same each time', async () => {
    const keywords = ['acme'];
    expect(await search(keywords)).toEqual(await search(keywords));
  });
});

describe('domains', () => {
  it('narrow the search, in any case; an empty list and null are absent', async () => {
    expect(await search(['invoice'], ['data'])).toEqual([BILLING_DATA]);
    expect(await search(['invoice'], ['Events', 'DATA'])).toHaveLength(2);
    expect(await search(['invoice'], ['dat'])).toEqual([]);
    expect(await search(['invoice'], [])).toHaveLength(3);
    const { body } = await service.request('POST', '/api/v2/cross-repo/search', {
      as: withKey(acme.member),
      body: { keywords: ['invoice'], domains: null },
    });
    expect(body.summaries).toHaveLength(3);
  });
});

describe('only visible repositories', () => {
  it('are found', async () => {
    const hidden = 'acme/secret API';
    expect(await search(['board'])).toEqual([]);
    expect(await search(['board'], undefined, acme.viewer)).toEqual([hidden]);
    expect(await search(['board'], undefined, acme.admin)).toEqual([hidden]);
    expect(await search(['invoices'], undefined, globex.owner)).toEqual(['globex/billing API']);
  });
});

it('replies with id, name, domain and text', async () => {
  const { body } = await service.request('POST', '/api/v2/cross-repo/search', {
    as: withKey(acme.member),
    body: { keywords: ['pdf'] },
  });
  expect(body).toEqual({
    summaries: [
      {
        repoId: billing.id,
        repoName: 'acme/billing',
        domain: 'API',
        summary:
          'It creates invoices and renders them as PDF. It serves HTTP routes under /invoices and /customers.',
      },
    ],
  });
});

it('replies with at most 50 summaries', async () => {
  for (let n = 0; n < 26; n += 1) {
    await describeRepository(service, acme.id, `many/r${n}`, { API: 'zebra', DATA: 'zebra' });
  }
  expect(await search(['zebra'])).toHaveLength(50);
});

it('shows evidence to pages', async () => {
  const { body } = await service.request('POST', '/api/v2/architecture/search', {
    as: withSession(acme.viewer),
    body: { keywords: ['pdf'] },
  });
  expect(body.summaries).toEqual([
    expect.objectContaining({
      repoName: 'acme/billing',
      commit: 'ab'.repeat(20),
      sentences: [expect.objectContaining({ evidence: [{ path: 'README.md', line: 3 }] })],
    }),
  ]);
});

describe('repo_search', () => {
  it('shows sentences with the places that show them', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key }, GENERATIONS[0]);
    const { structured, text } = await callTool(client, 'repo_search', { keywords: ['pdf', 'nothing'] });
    expect(structured!.summaries).toEqual([
      {
        repoId: billing.id,
        repoName: 'acme/billing',
        domain: 'API',
        summary: expect.stringMatching(/^- It creates invoices .* \/customers\. \[README\.md:3\]$/),
      },
    ]);
    expect(text).toMatch(/^1 summary of 1 repository\.$/m);
    expect(text).toContain('acme/billing · API @ abababababab\n- It creates invoices');
    expect(text).toContain('/customers. [README.md:3]');
    const none = await callTool(client, 'repo_search', { keywords: ['qzqz'] });
    expect(none.text).toBe(
      'Nothing matches, neither summaries nor words of the code. Try other words, or fewer domains.',
    );
  });

  it('names unknown domains with the known ones', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key }, GENERATIONS[0]);
    const warning = 'warning: unknown domain "Apis". Known domains: API, BUSINESS_LOGIC, ';
    for (const [domains, found] of [
      [['api', 'Apis'], '1 summary of 1 repository.'],
      [['Apis'], 'Nothing matches'],
    ] as const) {
      const { structured, text } = await callTool(client, 'repo_search', {
        keywords: ['pdf'],
        domains: [...domains],
      });
      expect(text).toContain(warning);
      expect(`warning: ${structured!.warning}`).toContain(warning);
      expect(text).toContain(found);
    }
  });

  it('keeps within its budget, and refuses a cursor of other results', async () => {
    const client = await connect(service.url, { 'x-api-key': acme.member.key }, GENERATIONS[0]);
    const given = { keywords: ['zebra'], maxTokens: 500 };
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { text } = await callTool(client, 'repo_search', { ...given, cursor });
      found.push(...[...text.matchAll(/^many\/r\d+ · [A-Z]+/gm)].map(([title]) => title));
      cursor = /^nextCursor: (.*)$/m.exec(text)?.[1];
      if (found.length === 0) break;
    } while (cursor && found.length < 60);
    expect(new Set(found).size).toBe(50);
    expect(found).toHaveLength(50);
    const first = await callTool(client, 'repo_search', given);
    cursor = /^nextCursor: (.*)$/m.exec(first.text)![1];
    await describeRepository(service, acme.id, 'acme/zebra', { API: 'zebra zebra' });
    expect(await failTool(client, 'repo_search', { ...given, cursor })).toContain(
      'results that have changed',
    );
  });
});
