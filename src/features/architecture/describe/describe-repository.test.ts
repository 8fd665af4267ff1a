/** Describing repositories after a push: once for each head, on one node, and again after a crash. */

import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { NO_MODELS, startModelServer } from '../../../../test/helpers/servers/model-server.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import type { CommitFacts, PlacedFact } from '../../../platform/core/ports/code-facts.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import { DEFAULT_BUDGETS } from '../../../platform/core/ports/model-endpoint.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { NodeState } from '../../../platform/core/work/node-state.ts';
import type { JobRequest, Queue } from '../../../platform/queue/index.ts';
import { claimUndescribed } from '../../repositories/index.ts';
import { describeJob } from '../jobs.ts';
import { type DescribeServices, describeRepository } from './describe-repository.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, db, mirrors } = service;
const signal = AbortSignal.timeout(60_000);

const table = (name: string, line: number): PlacedFact => ({
  kind: 'table',
  role: 'provides',
  name,
  path: 'schema.sql',
  line,
});

function commitFacts(commit: string, facts: PlacedFact[]): CommitFacts {
  return {
    commit,
    files: 2,
    languages: [{ language: 'sql', files: 1, lines: 2 }],
    folders: [],
    facts,
    words: [],
    activity: { folders: [], people: [{ name: 'Ada', commits: 2 }] },
    leftOut: [],
  };
}

const facts = { list: [table('invoices', 1), table('customers', 2)] };
/** Made-up facts; everything else is read from the repository. */
const readFacts = vi.fn(async (_id: string, commit: string) => commitFacts(commit, facts.list));
const read = (async (name, id, params, call) =>
  name === 'commitFacts'
    ? readFacts(id, params.commit)
    : mirrors.code.read(name, id, params, call)) as CodeReader['read'];
const services: DescribeServices = {
  state: new NodeState(undefined),
  ...NO_MODELS,
  now: () => new Date(),
  db,
  code: { read },
  log: createLog({ level: 'silent', terminal: false }),
  announce: () => undefined,
};

const files = {
  'README.md': '# Billing\n\nBilling creates invoices and sends them.\n',
  'schema.sql': 'x\ny\n',
};
const rowOf = (id: string) =>
  db.selectFrom('repositories').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const summariesOf = (id: string) =>
  db
    .selectFrom('architecture_summaries')
    .select(['domain', 'summary', 'commit'])
    .where('repository_id', '=', id)
    .orderBy('domain')
    .execute();
const factsOf = async (id: string) =>
  db
    .selectFrom('architecture_facts')
    .select(['id', 'name', sql<string>`xmin::text`.as('written')])
    .where('repository_id', '=', id)
    .orderBy('name')
    .execute();

describe('a repository', () => {
  it('is described at its head: summaries with evidence, facts and an overview', async () => {
    const repository = await addRepository(service, files, { fullName: 'acme/billing' });
    await describeRepository(services, repository.id, signal);
    const head = await repository.git('rev-parse', 'main');
    expect(await summariesOf(repository.id)).toEqual([
      expect.objectContaining({ domain: 'BUSINESS_LOGIC', commit: head }),
      {
        domain: 'DATA',
        commit: head,
        summary:
          'billing: Billing creates invoices and sends them. It defines tables such as invoices, customers.',
      },
    ]);
    expect((await factsOf(repository.id)).map(({ name }) => name)).toEqual(['customers', 'invoices']);
    const row = await rowOf(repository.id);
    expect(row).toMatchObject({
      described_head: head,
      described_name: 'acme/billing',
      describe_queued_at: null,
    });
  });

  it('is not described again while its head and name stay the same', async () => {
    const repository = await addRepository(service, files);
    await describeRepository(services, repository.id, signal);
    readFacts.mockClear();
    await repository.refresh();
    await describeRepository(services, repository.id, signal);
    expect(readFacts).not.toHaveBeenCalled();
    expect((await claimUndescribed(db, 100)).map(({ id }) => id)).not.toContain(repository.id);
  });

  it('is described again after a push; what stayed the same is not written', async () => {
    const repository = await addRepository(service, files);
    await describeRepository(services, repository.id, signal);
    const before = await factsOf(repository.id);
    await repository.commit({ 'schema.sql': 'x\nz\n' });
    await repository.refresh();
    facts.list = [table('invoices', 1), table('payments', 2)];
    await describeRepository(services, repository.id, signal);
    facts.list = [table('invoices', 1), table('customers', 2)];
    const after = await factsOf(repository.id);
    expect(after.map(({ name }) => name)).toEqual(['invoices', 'payments']);
    expect(after[0]).toEqual(before.find(({ name }) => name === 'invoices'));
    expect((await summariesOf(repository.id))[1]!.summary).toContain('invoices, payments');
  });

  it('is described again when it is renamed', async () => {
    const repository = await addRepository(service, files);
    await describeRepository(services, repository.id, signal);
    await db
      .updateTable('repositories')
      .set({ name: 'acme/renamed' })
      .where('id', '=', repository.id)
      .execute();
    await describeRepository(services, repository.id, signal);
    const found = await sql<{ n: number }>`SELECT count(*)::int AS n FROM architecture_summaries
      WHERE repository_id = ${repository.id} AND words @@ 'renamed'`.execute(db);
    expect(found.rows[0]!.n).toBe(2);
  });

  it('without commits has no description', async () => {
    const repository = await addRepository(service, files);
    await describeRepository(services, repository.id, signal);
    await db.updateTable('repositories').set({ head_commit: null }).where('id', '=', repository.id).execute();
    await describeRepository(services, repository.id, signal);
    expect(await summariesOf(repository.id)).toEqual([]);
    expect(await factsOf(repository.id)).toEqual([]);
    expect(await rowOf(repository.id)).toMatchObject({ described_head: null });
  });

  it('whose head moves while it is described is described again', async () => {
    const repository = await addRepository(service, files);
    readFacts.mockImplementationOnce(async (_id, commit) => {
      await db
        .updateTable('repositories')
        .set({ head_commit: 'f'.repeat(40) })
        .where('id', '=', repository.id)
        .execute();
      return commitFacts(commit, facts.list);
    });
    await describeRepository(services, repository.id, signal);
    expect(await summariesOf(repository.id)).toEqual([]);
    expect((await claimUndescribed(db, 100)).map(({ id }) => id)).toContain(repository.id);
  });

  it('that two nodes describe at the same time is written once', async () => {
    const repository = await addRepository(service, files);
    await Promise.all([1, 2].map(() => describeRepository(services, repository.id, signal)));
    expect(await summariesOf(repository.id)).toHaveLength(2);
    expect(await factsOf(repository.id)).toHaveLength(2);
    expect(await rowOf(repository.id)).toMatchObject({ described_name: repository.fullName });
  });

  it('that can’t be read says so until it can', async () => {
    const repository = await addRepository(service, files);
    readFacts.mockRejectedValueOnce(new Error('no luck'));
    await expect(describeRepository(services, repository.id, signal)).rejects.toThrow('no luck');
    expect((await rowOf(repository.id)).describe_problem).toBe(
      'The code could not be read. The service will retry.',
    );
    await describeRepository(services, repository.id, signal);
    expect(await rowOf(repository.id)).toMatchObject({ describe_problem: null });
  });
});

describe('the queue', () => {
  it('gets one job for each head, and another when that was lost', async () => {
    const repository = await addRepository(service, files);
    const sent: JobRequest[] = [];
    const queue = {
      started: () => true,
      send: async (_db: unknown, _name: string, jobs: JobRequest[]) => void sent.push(...jobs),
      wake: () => undefined,
    } as unknown as Queue;
    const ofRepository = () => sent.filter(({ data }) => data.repositoryId === repository.id).length;
    await Promise.all([1, 2, 3].map(() => describeJob.queueDue({ ...services, queue })));
    expect(ofRepository()).toBe(1);
    expect(sent[0]).toMatchObject({ group: acme.id });
    await sql`UPDATE repositories SET describe_queued_at = clock_timestamp() - interval '16 minutes'
      WHERE id = ${repository.id}`.execute(db);
    await describeJob.queueDue({ ...services, queue });
    expect(ofRepository()).toBe(2);
  });
});

it('is described from the facts of its own code', async () => {
  const repository = await addRepository(service, {
    ...files,
    'schema.sql': 'CREATE TABLE invoices (id int);\nCREATE TABLE customers (id int);\n',
    'package.json': '{\n  "name": "billing"\n}\n',
  });
  await describeRepository({ ...services, code: mirrors.code }, repository.id, signal);
  const [logic, data, library] = await summariesOf(repository.id);
  expect(logic!.summary).toContain('Billing creates invoices');
  expect(data!.summary).toContain('It defines tables such as invoices, customers.');
  expect(library!.summary).toContain('It has npm packages such as billing.');
});

describe('with a model', () => {
  it('writes sentences again with the evidence of those they say again, drops others, and pays once', async () => {
    const repository = await addRepository(service, files);
    let asked = 0;
    await using server = await startModelServer(({ question, step }) => {
      if (step > 0) return { text: 'Done.' };
      asked += 1;
      const write = (text: string, basedOn: number[]) => ({
        name: 'write_sentence',
        input: { text, basedOn },
      });
      return question.includes('1. billing:') || question.includes('1. ')
        ? {
            calls: [
              write('Billing sends invoices that it creates.', [1]),
              write('It is loved by everyone.', []),
              write('It talks to `legacy_database` too.', [1]),
              write('See https://example.com/more for it.', [1]),
            ],
          }
        : { text: 'Nothing.' };
    });
    const finding = server.endpoint('openai');
    const models = { finding, secondLook: null, budgets: DEFAULT_BUDGETS };
    await describeRepository({ ...services, models }, repository.id, signal);
    const rows = await db
      .selectFrom('architecture_summaries')
      .select(['summary', 'sentences', 'written_from'])
      .where('repository_id', '=', repository.id)
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const { sentences, summary, written_from } of rows) {
      expect(summary).toContain('Billing sends invoices that it creates.');
      expect(summary).not.toMatch(/loved|legacy|example\.com/);
      expect(written_from).not.toBeNull();
      for (const { evidence } of sentences as unknown as { evidence: unknown[] }[])
        expect(evidence.length).toBeGreaterThan(0);
    }
    const before = asked;
    await db
      .updateTable('repositories')
      .set({ described_head: null })
      .where('id', '=', repository.id)
      .execute();
    await describeRepository({ ...services, models }, repository.id, signal);
    expect(asked).toBe(before);
    // A model that fails changes nothing.
    const failing = {
      ...models,
      finding: { ...finding, url: 'http://127.0.0.1:1/v1', model: 'gone', key: null },
    };
    await db
      .updateTable('repositories')
      .set({ described_head: null })
      .where('id', '=', repository.id)
      .execute();
    await describeRepository({ ...services, models: failing }, repository.id, AbortSignal.timeout(60_000));
    expect((await summariesOf(repository.id))[0]!.summary).not.toContain('Billing sends invoices that it');
  });
});
