/** Settings → Webhooks: the secret is shown once and signs deliveries; every delivery can be inspected and redelivered. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { makeOrganization, type Organization, type Person } from '../helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../helpers/service/harness.ts';
import { expectAccessible, startBrowser, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';

const service = await startTestService({
  webAppFolder: inject('webAppFolder'),
  worker: true,
  settings: { ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { newPerson } = await startBrowser();

/** The receiver: replies as configured by the test and records deliveries. */
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.statusCode = answer.status;
    response.end(answer.body);
  });
});
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
let answer = { status: 200, body: '' };
await new Promise<void>((ready) => void receiver.listen(0, '127.0.0.1', ready));
const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
afterAll(() => void receiver.close());

let organizations = 0;
let acme: Organization;
beforeEach(async () => {
  received.length = 0;
  answer = { status: 200, body: '' };
  organizations += 1;
  acme = await makeOrganization(service.db, `Org${organizations}`, service.clock.now());
});

/** Deliveries to this test's own webhooks: those of an earlier test may still be retried. */
const ownReceived = () => received.filter(({ body }) => body.includes(acme.id));

async function postPlan(author: Person, title: string): Promise<void> {
  const body = { seriesKey: randomUUID(), content: `# ${title}`, agentVendor: 'codex' };
  const reply = await service.request('POST', '/api/v2/plans', { as: withKey(author), body });
  expect(reply.status).toBe(201);
}

async function makeHook(admin: Person, url = hook): Promise<string> {
  const reply = await service.request('POST', '/api/v2/webhooks', { as: withSession(admin), body: { url } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.webhook.id;
}

const dialog = (page: Page) => page.getByRole('dialog');
const deliveries = (page: Page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');

describe('a new webhook', () => {
  it('has a secret that is shown once and that signs deliveries as the page explains', async () => {
    const { context, page } = await newPerson(service.url, { as: acme.admin });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await page.goto('/settings/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await dialog(page).getByLabel('URL').fill('ftp://elsewhere.example');
    await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
    await dialog(page).getByText('Must start with https:// or http://').waitFor();
    await dialog(page).getByLabel('URL').fill(hook);
    await dialog(page).getByLabel('Only selected events').check();
    await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
    await dialog(page).getByText('Select at least one').waitFor();
    await dialog(page).getByLabel('New plan').check();
    await dialog(page).getByLabel('Approved', { exact: true }).check();
    await dialog(page).getByRole('button', { name: 'Add webhook' }).click();
    const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Copy signing secret' }).click();
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    const sample = (await dialog(page).locator('pre').textContent())!;
    await expectAccessible(page, 'the secret');
    await page.keyboard.press('Escape');
    await expect(
      page.getByLabel('Signing secret', { exact: true }).isVisible(),
      'a slip closes nothing',
    ).resolves.toBe(true);
    await page.getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await expect(page.content()).resolves.not.toContain(secret);
    const row = page.getByRole('row', { name: /hooks/ });
    await row.getByText('New plan, Approved').waitFor();
    await row.getByText('None yet').waitFor();

    await postPlan(acme.member, 'Tell them');
    await eventually(() => ownReceived().length).toBe(1);
    const { isGenuine } = await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(sample)}`
    );
    const [{ body, headers }] = ownReceived() as [(typeof received)[0]];
    expect(isGenuine(headers, body, secret)).toBe(true);
    expect(isGenuine(headers, `${body} `, secret)).toBe(false);
    expect(isGenuine(headers, body, `whsec_${btoa('another')}`)).toBe(false);
    expect(isGenuine({ ...headers, 'webhook-timestamp': '1' }, body, secret)).toBe(false);
    await page.reload();
    await row.getByText('Delivered').waitFor();
  });
});

describe('deliveries', () => {
  it('show their attempts and payload, can be filtered by status, and redelivered', async () => {
    answer = { status: 500, body: 'try <b>later</b>' };
    const id = await makeHook(acme.admin);
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/webhooks');
    await untilLoaded(page, 'Webhooks');
    await page.getByRole('link', { name: hook }).click();
    await page.getByText('No deliveries yet').waitFor();
    await postPlan(acme.member, 'Watch this');
    await page.getByRole('button', { name: /Pending.*New plan.*HTTP 500/ }).waitFor({ timeout: 40_000 });
    await page.getByRole('link', { name: 'Delivered' }).click();
    await page.getByText('No matching deliveries').waitFor();
    expect(new URL(page.url()).search).toBe(`?webhook=${id}&state=succeeded`);
    await page.getByRole('link', { name: 'Pending' }).click();
    await page.getByRole('button', { name: /New plan/ }).click();
    await page.getByText('Next attempt').waitFor();
    await deliveries(page).getByText('"title": "Watch this"').waitFor();
    await deliveries(page).getByText('try <b>later</b>').first().waitFor();
    await expectAccessible(page, 'a delivery');

    answer = { status: 204, body: '' };
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByRole('button', { name: /Delivered.*New plan.*HTTP 204/ }).waitFor({ timeout: 40_000 });
    await deliveries(page).getByText('HTTP 500').first().waitFor();
    expect(ownReceived().at(-1)!.headers['webhook-id']).toBe(ownReceived()[0]!.headers['webhook-id']);
  });

  it('of a disabled webhook are not sent, and can be redelivered once it is on', async () => {
    answer = { status: 500, body: '' };
    const id = await makeHook(acme.admin);
    await postPlan(acme.member, 'Later');
    await eventually(() => ownReceived().length).toBe(1);
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto(`/settings/webhooks?webhook=${id}`);
    await untilLoaded(page, 'Webhook');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await dialog(page).getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: /Failed.*New plan/ }).click();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByRole('alert').getByText('disabled').waitFor();
    answer = { status: 200, body: '' };
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('On', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByRole('button', { name: /Delivered.*New plan/ }).waitFor({ timeout: 40_000 });
  });
});

describe('a webhook', () => {
  it('is edited, gets a new secret and is deleted, each after confirmation; two admins see the same', async () => {
    const id = await makeHook(acme.admin);
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto(`/settings/webhooks?webhook=${id}`);
    await untilLoaded(page, 'Webhook');
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog(page).getByLabel('URL').fill(`${hook}/changed`);
    await dialog(page).getByLabel('Only selected events').check();
    await dialog(page).getByLabel('New comment', { exact: true }).check();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText(`${hook}/changed`).waitFor();
    await page.getByText('New comment').waitFor();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog(page).getByRole('button', { name: 'Rotate secret' }).click();
    const secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await expect(page.content()).resolves.not.toContain(secret);

    const other = await newPerson(service.url, { as: acme.owner });
    await other.page.goto('/settings/webhooks');
    await other.page.getByRole('link', { name: `${hook}/changed` }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await other.page.goto(`/settings/webhooks?webhook=${id}`);
    await other.page.getByText('Webhook not found').waitFor();
  });

  it('is hidden from members', async () => {
    const { page } = await newPerson(service.url, { as: acme.member });
    await page.goto('/settings/webhooks');
    await untilLoaded(page, 'You don’t have access');
    await expect(page.getByRole('link', { name: 'Webhooks' }).count()).resolves.toBe(0);
  });

  it('can be added and inspected with only the keyboard', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'Add webhook' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type(hook);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByLabel('Signing secret', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /New plan/ }).waitFor();
    await postPlan(acme.member, 'By keyboard');
    await page.getByRole('link', { name: hook }).focus();
    await page.keyboard.press('Enter');
    const row = page.getByRole('button', { name: /Delivered.*New plan/ });
    await row.waitFor({ timeout: 40_000 });
    await row.focus();
    await page.keyboard.press('Space');
    await deliveries(page).getByText('"title": "By keyboard"').waitFor();
  });
});

describe('the page System', () => {
  it('shows the checks, and runs a failed job of the organization again', async () => {
    await sql`
      INSERT INTO pgboss.job (name, data, state, start_after, started_on, retry_limit, retry_count, output, policy)
      SELECT 'review-pull-request', ${JSON.stringify({ organizationId: acme.id, pullRequestId: randomUUID() })}::jsonb,
        'retry', now() + interval '1 day', now(), 1000, 5, jsonb_build_object('message', 'The disk is full.'), 'standard'
      FROM generate_series(1, 2)`.execute(service.db);
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/system');
    await untilLoaded(page, 'System');
    await page.getByText(/problems? found/).waitFor();
    await page.getByText('jobs keep failing: review-pull-request (2)').waitFor();
    const rows = page
      .getByRole('table', { name: 'Failed jobs' })
      .getByRole('row')
      .filter({ hasText: 'The disk is full.' });
    await expect(rows.count()).resolves.toBe(2);
    await rows.first().getByRole('button', { name: 'Run again: review-pull-request' }).click();
    await page.getByText('The job runs again', { exact: true }).waitFor();
    await eventually(() => rows.count()).toBe(1);
  });
});
