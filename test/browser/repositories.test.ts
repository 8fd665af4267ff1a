/** Repositories: added by URL with live progress, managed by admins, visible to those with access. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { makeRepository } from '../helpers/git/git-fixtures.ts';
import { startGitServer } from '../helpers/servers/git-server.ts';
import { makeOrganization, type Organization } from '../helpers/service/factories.ts';
import { startTestService, withSession } from '../helpers/service/harness.ts';
import { expectAccessible, startBrowser, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';
import { addRepository, LOCAL_ALLOWED } from './sample-repository.ts';

const PASSWORD = 'only-for-the-git-server';
const repository = await makeRepository({ 'README.md': '# The shop\n' }, { name: 'acme/web-shop.git' });
const server = await startGitServer({ folder: repository.parent, password: PASSWORD });
afterAll(async () => {
  await server.close();
  await repository.remove();
});

const service = await startTestService({
  webAppFolder: inject('webAppFolder'),
  worker: true,
  settings: LOCAL_ALLOWED,
});
const { newPerson } = await startBrowser();

let organizations = 0;
let acme: Organization;
beforeEach(async () => {
  server.intercept(null);
  organizations += 1;
  acme = await makeOrganization(service.db, `Org${organizations}`, service.clock.now());
});

const add = (name: string) => addRepository(service, acme.admin, { url: repository.folder, name });
const dialog = (page: Page) => page.getByRole('dialog');

describe('a repository', () => {
  it('is added by its URL, shows progress and errors, and is ready once the error is fixed', async () => {
    const held: ServerResponse[] = [];
    server.intercept((_request, response) => {
      held.push(response);
      return true;
    });
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/repositories');
    await page.getByText('No repositories yet').waitFor();
    await page.getByText('countersign repo add').waitFor();
    await page.getByRole('button', { name: 'Add repository' }).click();
    await dialog(page).getByLabel('URL').fill('https://user:secret@git.acme.example/acme/web-shop.git');
    await dialog(page).getByRole('button', { name: 'Add repository' }).click();
    await dialog(page).locator('[aria-invalid]').waitFor();
    await dialog(page).getByLabel('URL').fill(`${server.url}/acme/web-shop.git`);
    await expect(dialog(page).getByLabel('Name', { exact: true }).inputValue()).resolves.toBe(
      'acme/web-shop',
    );
    await dialog(page).getByRole('button', { name: 'Add repository' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const row = page.getByRole('listitem').filter({ hasText: 'acme/web-shop' });
    await row.getByRole('progressbar').waitFor();
    await row.getByText('Cloning').waitFor();
    await eventually(() => held.length).toBeGreaterThan(0);
    await expectAccessible(page, 'a clone under way');

    server.intercept(null);
    for (const response of held) response.destroy();
    await row.getByText('Failed').waitFor({ timeout: 40_000 });
    await row.getByText(/^Last attempt/).waitFor();
    await row.getByRole('link', { name: 'acme/web-shop', exact: true }).click();
    await page.getByText('Clone failed').waitFor();

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Add credential' }).click();
    await dialog(page).getByLabel('Username').fill('git');
    await dialog(page).getByLabel('Password or token').fill(PASSWORD);
    await dialog(page).getByRole('button', { name: 'Save credential' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText('Password or access token, stored encrypted').waitFor();
    await expect(page.content()).resolves.not.toContain(PASSWORD);
    const refresh = page.getByRole('button', { name: 'Refresh now' });
    if (await refresh.isEnabled()) await refresh.click();
    await page.getByText('Ready', { exact: true }).waitFor({ timeout: 40_000 });
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('heading', { name: 'The shop' }).waitFor();
  });

  it('is renamed, limited to selected people, refreshed by a push, and removed after confirmation', async () => {
    const id = await add('acme/before');
    const { context, page } = await newPerson(service.url, { as: acme.admin });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await page.goto(`/repositories/${id}/settings`);
    await untilLoaded(page, 'acme/before');
    await page.getByLabel('Name', { exact: true }).fill('acme/after');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'acme/after' }).waitFor();

    const member = await newPerson(service.url, { as: acme.member });
    const viewer = await newPerson(service.url, { as: acme.viewer });
    await page.getByLabel(/^Only admins, owners/).check();
    await page.getByRole('checkbox', { name: /viewer/ }).check();
    await page.getByRole('button', { name: 'Save visibility' }).click();
    await page.getByText('Visibility saved').first().waitFor();
    await member.page.goto('/repositories');
    await member.page.getByText('No repositories yet').waitFor();
    await member.page.goto(`/repositories/${id}`);
    await member.page.getByText('Repository not found').waitFor();
    await viewer.page.goto('/repositories');
    await viewer.page.getByRole('link', { name: 'acme/after' }).waitFor();
    await expect(viewer.page.getByRole('button', { name: 'Add repository' }).count()).resolves.toBe(0);
    await expect(viewer.page.getByRole('link', { name: /Settings for/ }).count()).resolves.toBe(0);
    await viewer.page.goto(`/repositories/${id}/settings`);
    await untilLoaded(viewer.page, 'You don’t have access');

    await page.getByRole('button', { name: 'Show push URL' }).click();
    const pushUrl = await page.getByLabel('Push URL', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Copy push URL' }).click();
    await eventually(() => page.evaluate('navigator.clipboard.readText()')).toBe(pushUrl);
    await repository.git('branch', 'pushed/just-now', 'main');
    const pushed = await fetch(pushUrl, { method: 'POST' });
    expect(pushed.ok, `${pushed.status}`).toBe(true);
    await eventually(async () => {
      const as = withSession(acme.admin);
      return (await service.request('GET', `/api/v2/repositories/${id}`, { as })).body.branchCount;
    }).toBe(2);
    await page.reload();
    await page.getByText('2 branches').waitFor();
    await repository.git('branch', '-D', 'pushed/just-now');

    await page.getByRole('button', { name: 'Remove repository' }).click();
    await dialog(page).getByText('Remove acme/after?').waitFor();
    await dialog(page).getByRole('button', { name: 'Remove repository' }).click();
    await page.getByText('No repositories yet').waitFor();
    await viewer.page.goto(`/repositories/${id}`);
    await viewer.page.getByText('Repository not found').waitFor();
    await page.goto('/settings/audit');
    await page.getByText('removed the repository acme/after').waitFor();
    await page.getByText('viewed the push URL of the repository acme/after').waitFor();
  });
});

it('the list can be filtered', async () => {
  await add('acme/shop');
  await add(`acme/${'long-'.repeat(40)}name`);
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto('/repositories');
  await untilLoaded(page, 'Repositories');
  await page.getByRole('searchbox', { name: 'Filter repositories' }).fill('SHOP');
  await page
    .getByRole('link', { name: /long-name/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?search=SHOP');
  await page.getByRole('searchbox', { name: 'Filter repositories' }).fill('zebra');
  await page.getByText('No matching repositories').waitFor();
});
