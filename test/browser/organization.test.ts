/** Settings → Organization and Model: settings apply to everyone immediately and revert when refused. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startModelServer } from '../helpers/servers/model-server.ts';
import { withKey, withSession } from '../helpers/service/harness.ts';
import { expectAccessible, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';

const service = await startServiceWithPages({ ALLOW_PRIVATE_ADDRESSES: 'true' });
const { newPerson } = await startBrowser();
const { acme } = service;

async function ownApprovalStatus(): Promise<number> {
  const body = { seriesKey: randomUUID(), content: '# My own', agentVendor: 'codex' };
  const { body: plan } = await service.request('POST', '/api/v2/plans', { as: withKey(acme.member), body });
  const path = `/api/v2/plans/${plan.seriesId}/approve`;
  const as = withSession(acme.member);
  return (await service.request('POST', path, { as, body: { versionId: plan.versionId } })).status;
}

describe('the self-approval setting', () => {
  it('is off by default; changed by keyboard, it applies to everyone, persists, and another admin sees it', async () => {
    expect(await ownApprovalStatus()).toBe(403);
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await untilLoaded(page, 'Organization');
    await page.getByText('Members can approve plans that they created').waitFor();
    const toggle = page.getByRole('switch', { name: 'Self-approval' });
    await expect(toggle.getAttribute('aria-checked')).resolves.toBe('false');
    await toggle.focus();
    await page.keyboard.press('Space');
    await page.getByText('Last changed').waitFor();
    await expect(toggle.getAttribute('aria-checked')).resolves.toBe('true');
    expect(await ownApprovalStatus()).toBe(200);

    const other = await newPerson(service.url, { as: acme.owner });
    await other.page.goto('/settings/organization');
    await untilLoaded(other.page, 'Organization');
    await other.page.getByRole('switch', { name: 'Self-approval', checked: true }).click();
    await other.page.getByRole('switch', { name: 'Self-approval', checked: false }).waitFor();
    await eventually(() => ownApprovalStatus()).toBe(403);
  });

  it('reverts when the service refuses, and shows the reason', async () => {
    const { allow, page } = await newPerson(service.url, { as: acme.admin });
    allow(/503: /);
    await page.route('**/api/v2/organization/switches/*', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Not now.' } }),
    );
    await page.goto('/settings/organization');
    await untilLoaded(page, 'Organization');
    await page.getByRole('switch', { name: 'Self-approval' }).click();
    await page.getByText('Not now.').first().waitFor();
    await page.getByRole('switch', { name: 'Self-approval', checked: false }).waitFor();
  });

  it('is hidden from members', async () => {
    const { page } = await newPerson(service.url, { as: acme.member });
    await page.goto('/settings/organization');
    await untilLoaded(page, 'You don’t have access');
  });
});

describe('the model', () => {
  it('is set up, tried and turned off; its key is never shown, and problems are at their fields', async () => {
    await using server = await startModelServer(({ step, tools }) =>
      tools.length > 0 && step === 0
        ? { calls: [{ name: 'add', input: { first: 17, second: 25 } }] }
        : { text: 'ready' },
    );
    const { allow, page } = await newPerson(service.url, { as: acme.admin });
    allow(/400: /);
    await page.goto('/settings/model');
    await untilLoaded(page, 'Model');
    await page.getByText('No model').waitFor();
    await page.getByRole('button', { name: 'Set up a model' }).click();
    await page.getByLabel('URL').fill('ftp://models.example.com');
    await page.getByLabel('Model', { exact: true }).fill('large');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must start with https://.').waitFor();
    await page.getByLabel('URL').fill(server.endpoint('openai').url);
    await page.getByLabel('API key').fill('sk-not-to-be-seen');
    await page.getByLabel('Tokens per month').fill('2000000');
    await expectAccessible(page, 'the form of the model');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2,000,000 per month').waitFor();
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('Calls tools: it can look up code and report findings').waitFor();
    await page.getByText('of 2,000,000 tokens, in 3 requests').waitFor();
    expect(await page.content()).not.toContain('sk-not-to-be-seen');
    await expectAccessible(page, 'the model');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up a model' }).waitFor();
  });
});
