/** Settings → Audit log: the filters are in the address, so that it can be shared, reloaded and revisited. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generateApiKey } from '../../src/features/api-keys/index.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import { startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();
const { acme } = service;

it('filters by action and person; the filters survive a reload and going back', async () => {
  const { page } = await newPerson(service.url);
  await page.goto('/settings/audit');
  await page.getByLabel('Email').fill(acme.owner.email);
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await untilLoaded(page, 'Audit log');
  await page
    .getByRole('row', { name: /The operator created the API key test key/ })
    .first()
    .waitFor();
  await page.getByLabel('Action').selectOption('session.started');
  await page.getByRole('row', { name: /Acme owner signed in/ }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByLabel('Person').selectOption({ label: 'Acme owner' });
  await expect.poll(() => new URL(page.url()).search).toContain(`userId=${acme.owner.userId}`);
  const address = page.url();
  expect(address).toContain('action=session.started');
  await page.reload();
  await page.getByRole('row', { name: /Acme owner signed in/ }).waitFor();
  await expect(page.getByLabel('Action').inputValue()).resolves.toBe('session.started');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('audit-log.csv');
  const [heading, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
  expect(heading).toMatch(/^time,action,/);
  expect(lines.length, 'only what the filters select').toBe(1);
  expect(lines[0]).toContain('session.started');
  await page.getByRole('link', { name: 'Home' }).click();
  await untilLoaded(page, /Welcome/);
  await page.goBack();
  await page.getByRole('row', { name: /Acme owner signed in/ }).waitFor();
  expect(page.url()).toBe(address);
  await expect.poll(() => page.getByLabel('Person').inputValue()).toBe(acme.owner.userId);
});

it('includes the whole last day, and shows nothing for a time before all events', async () => {
  const { page } = await newPerson(service.url, { as: acme.admin });
  const today = new Date().toISOString().slice(0, 10);
  await page.goto(`/settings/audit?from=${today}&until=${today}`);
  await page
    .getByRole('row', { name: /created the API key/ })
    .first()
    .waitFor();
  await page.goto('/settings/audit?until=2020-01-01');
  await page.getByText('No matching events').waitFor();
});

it('survives hand-written addresses', async () => {
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto('/settings/audit?from=yesterday&action[]=1&userId=5');
  await untilLoaded(page, 'Audit log');
  await page
    .getByRole('row', { name: /created the API key/ })
    .first()
    .waitFor();
  await page.goto('/settings/audit?action=nonsense');
  await page.getByRole('alert').waitFor();
});

it('shows older events page by page, each once', async () => {
  const now = service.clock.now();
  const { organizationId, userId } = acme.viewer;
  for (let count = 0; count < 60; count += 1)
    await generateApiKey(
      service.db,
      { organizationId, userId },
      `many ${count}`,
      operatorOf(organizationId, now),
    );
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto('/settings/audit?action=api_key.created');
  await untilLoaded(page, 'Audit log');
  await expect.poll(() => page.getByRole('row').count()).toBe(51);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => page.getByRole('row').count()).toBe(65);
  await expect.poll(() => page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  const texts = (await page.getByRole('row').allTextContents()).filter((text) => /many \d+/.test(text));
  expect(new Set(texts.map((text) => /many \d+/.exec(text)![0])).size).toBe(60);
});
