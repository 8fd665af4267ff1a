/** Setting up models, trying them, and their budgets. */
import { describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../test/helpers/servers/model-server.ts';
import { followAudit } from '../../../test/helpers/service/audit-trail.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import { DEFAULT_BUDGETS } from '../../platform/core/ports/model-endpoint.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { openBudget } from './open-budget.ts';
import { openModels } from './open-models.ts';

const service = await startTestService({ settings: { ALLOW_PRIVATE_ADDRESSES: 'true' } });
const strict = await startTestService({
  settings: { MODEL_URL: 'http://127.0.0.1:1/v1/', MODEL_NAME: 'local', SECOND_MODEL_NAME: 'other' },
});
const { acme, clock, db, globex } = service;
const PATH = '/api/v2/organization/model';

const get = (as = withSession(acme.admin)) => service.request('GET', PATH, { as });
const put = (body: object, as = withSession(acme.admin)) => service.request('PUT', PATH, { as, body });
const models = () =>
  openModels({ db, secrets: testSecrets, models: undefined, allowPrivateAddresses: true }, acme.id);
const modelOf = (server: ModelServer, more: object = {}) => {
  const { format, model, url } = server.endpoint('openai');
  return { format, model, url, ...more };
};

describe('setting up a model', () => {
  it('is for administrators with a session', async () => {
    for (const as of [withSession(acme.member), withKey(acme.admin)]) {
      expect((await get(as)).status).toBe(403);
      expect((await put({ finding: null }, as)).status).toBe(403);
    }
  });

  it('starts with none, keeps keys sealed, and never returns them', async () => {
    const audit = await followAudit(db);
    expect((await get()).body).toMatchObject({
      source: 'none',
      finding: null,
      budgets: DEFAULT_BUDGETS,
      usedThisMonth: { requests: 0, inputTokens: 0, outputTokens: 0 },
    });
    const url = 'https://models.example.com/v1';
    const finding = { format: 'openai', url: `${url}/`, model: 'large', key: 'sk-very-secret' };
    const saved = await put({ finding, secondLook: { ...finding, format: 'anthropic', key: 'sk-other' } });
    expect(saved.body).toMatchObject({
      source: 'organization',
      finding: { format: 'openai', url, model: 'large', hasKey: true },
      secondLook: { format: 'anthropic', hasKey: true },
    });
    expect(JSON.stringify((await get()).body)).not.toMatch(/sk-/);
    expect(await models()).toMatchObject({
      finding: { key: 'sk-very-secret' },
      secondLook: { key: 'sk-other' },
    });
    const row = await db
      .selectFrom('model_settings')
      .selectAll()
      .where('organization_id', '=', acme.id)
      .executeTakeFirstOrThrow();
    expect(row.finding_key!.includes('sk-very-secret')).toBe(false);
    const recorded = await audit();
    expect(recorded.map(({ action }) => action)).toEqual(['model.changed']);
    expect(JSON.stringify(recorded)).not.toMatch(/sk-/);
    expect((await get(withSession(globex.admin))).body).toMatchObject({ source: 'none', finding: null });
  });

  it('keeps a stored key for the same server only', async () => {
    const finding = { format: 'openai', url: 'https://models.example.com/v1', model: 'small' };
    expect((await put({ finding })).body.finding).toMatchObject({ model: 'small', hasKey: true });
    const elsewhere = await put({ finding: { ...finding, url: 'https://evil.example.com/v1' } });
    expect(elsewhere.body.finding).toMatchObject({ hasKey: false });
    expect((await put({ finding })).body.finding).toMatchObject({ hasKey: false });
    expect((await put({ finding: { ...finding, key: 'sk-2' } })).body.finding.hasKey).toBe(true);
    expect((await put({ finding: { ...finding, removeKey: true } })).body.finding.hasKey).toBe(false);
  });

  it('can be turned off and forgotten', async () => {
    expect((await put({ finding: null })).body).toMatchObject({ source: 'none', finding: null });
    expect(await models()).toBeUndefined();
    const reset = await service.request('DELETE', PATH, { as: withSession(acme.admin) });
    expect(reset.body).toMatchObject({ source: 'none', updatedBy: null });
  });

  it('takes no private address and no http unless the operator allows it', async () => {
    for (const url of ['http://models.example.com/v1', 'https://127.0.0.1/v1', 'https://[::1]/v1']) {
      const refused = await strict.request('PUT', PATH, {
        as: withSession(strict.acme.admin),
        body: { finding: { format: 'openai', url, model: 'x' } },
      });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'finding.url']);
    }
  });
});

describe('the environment', () => {
  it('sets up models for organizations that have none, on any address', async () => {
    const as = withSession(strict.acme.admin);
    const shown = await strict.request('GET', PATH, { as });
    expect(shown.body).toMatchObject({
      source: 'environment',
      finding: { url: 'http://127.0.0.1:1/v1', model: 'local', hasKey: false },
      secondLook: { url: 'http://127.0.0.1:1/v1', model: 'other' },
    });
    const off = await strict.request('PUT', PATH, { as, body: { finding: null } });
    expect(off.body.source).toBe('off');
    const again = await strict.request('DELETE', PATH, { as });
    expect(again.body.source).toBe('environment');
  });
});

describe('testing a model', () => {
  const test = () => service.request('POST', `${PATH}/test`, { as: withSession(acme.admin) });

  it('says what each can do, keeps it, and counts what it used', async () => {
    expect((await test()).status).toBe(409);
    await using able = await startModelServer(({ step, tools }) =>
      tools.length > 0 && step === 0
        ? { calls: [{ name: 'add', input: { first: 17, second: 25 } }] }
        : { text: 'ready' },
    );
    await using wordy = await startModelServer(() => ({ text: 'ready' }));
    await put({ finding: modelOf(able, { key: 'sk-1' }), secondLook: modelOf(wordy, { model: 'wordy' }) });
    const tested = await test();
    expect(tested.body).toMatchObject({
      finding: { answers: true, callsTools: true, problem: null },
      secondLook: { answers: true, callsTools: false },
    });
    expect(able.questions.map(({ key }) => key)).toEqual(['sk-1', 'sk-1', 'sk-1']);
    expect(wordy.questions.every(({ key }) => key === undefined)).toBe(true);
    const { tested: kept, usedThisMonth } = (await get()).body;
    expect(kept).toMatchObject(tested.body);
    expect(usedThisMonth).toEqual({ requests: 5, inputTokens: 500, outputTokens: 50 });
  });
});

describe('a budget', () => {
  const budgets = { run: 1000, pullRequest: 1500, month: 10_000 };
  const open = async (of: Partial<{ pullRequestId: string | null; organizationId: string }> = {}) =>
    openBudget(
      { db, now: () => clock.now() },
      { id: uuidv7(), organizationId: globex.id, purpose: 'review', pullRequestId: null, ...of },
      budgets,
    );

  it('counts what a run, its pull request and the month used', async () => {
    const first = await open();
    expect(first.left()).toBe(1000);
    first.use('m', { inputTokens: 600, outputTokens: 100 });
    expect(first.left()).toBe(300);
    first.use('m', { inputTokens: 600, outputTokens: 100 });
    expect(first.left()).toBe(0);
    expect(first.tightest()).toBe('the budget of 1,000 tokens for one review');
    await first.flush();
    expect(first.left()).toBe(0);
    expect((await open()).left()).toBe(1000);
  });

  it('is shared by everything that runs at the same time, and per organization', async () => {
    const [one, other] = [await open(), await open()];
    one.use('m', { inputTokens: 8000, outputTokens: 0 });
    await one.flush();
    other.use('m', { inputTokens: 100, outputTokens: 0 });
    await other.flush();
    expect(other.left()).toBe(500);
    expect(other.tightest()).toBe('the monthly budget of 10,000 tokens');
    expect((await open({ organizationId: acme.id })).left()).toBe(1000);
  });
});
