/** Settings → Code hosts: connecting a host, choosing repositories, who sees them, and linking accounts. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { FakeModel } from '../code-hosts/fake-model.ts';
import { startGiteaFake } from '../code-hosts/gitea-fake.ts';
import { startGitLabFake } from '../code-hosts/gitlab-fake.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { expectAccessibleAtBothWidths, startBrowser, untilLoaded } from './browser.ts';

const service = await startTestService({
  webAppFolder: inject('webAppFolder'),
  worker: true,
  settings: { ALLOW_PRIVATE_ADDRESSES: 'true' },
});
const { acme } = service;
const { newPerson } = await startBrowser();
const model = new FakeModel();
const gitea = await startGiteaFake(model);
const gitlab = await startGitLabFake(model);
afterAll(() => Promise.all([gitea.close(), gitlab.close()]));
gitlab.tokens.set('good-token', model.account('countersign-bot'));
gitea.tokens.set('good-token', model.account('countersign-bot'));
for (const name of ['acme/api', 'acme/web', 'acme/docs']) {
  const repository = model.repository(name, { private: name !== 'acme/docs' });
  model.grant(repository, 'countersign-bot', 'admin');
  model.grant(repository, 'ada', 'write');
}

const dialog = (page: Page) => page.getByRole('dialog');

describe('connecting a code host', () => {
  it('leads from nothing to repositories that members see when their account is linked', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/code-hosts');
    await page.getByText('No code hosts yet').waitFor();
    await page.getByRole('button', { name: 'Connect code host' }).click();
    await dialog(page).getByLabel('Code host').selectOption('gitea');
    await dialog(page).getByLabel('URL', { exact: true }).fill(gitea.url);
    await dialog(page).getByLabel('Access token').fill('wrong-token');
    await dialog(page).getByRole('button', { name: 'Connect' }).click();
    await dialog(page).getByText('Was refused by the host').waitFor();
    await dialog(page).getByLabel('Access token').fill('good-token');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await untilLoaded(page, new URL(gitea.url).host);
    await page.getByText('No missing permissions.').waitFor();
    await page.getByText('No repositories yet').waitFor();

    await page.getByRole('button', { name: 'Add repositories' }).click();
    await dialog(page).getByLabel('Filter by name').fill('API');
    await dialog(page).getByText('acme/web').waitFor({ state: 'detached' });
    await dialog(page).getByLabel('acme/api').check();
    await expectAccessibleAtBothWidths(page, 'choosing repositories');
    await dialog(page).getByRole('button', { name: 'Add repository' }).click();
    await page.getByRole('link', { name: 'acme/api' }).waitFor();

    await page.getByRole('button', { name: 'Add repositories' }).click();
    await dialog(page).getByLabel('By pattern, or all').check();
    await dialog(page).getByLabel('Pattern', { exact: true }).fill('acme/*');
    await page.keyboard.press('Enter');
    await page.getByText('2 added, new ones included').waitFor({ timeout: 30_000 });
    await page.reload();
    await page.getByRole('link', { name: 'acme/docs' }).waitFor();

    await page.getByRole('button', { name: 'Link ada' }).click({ timeout: 30_000 });
    await dialog(page).getByLabel('Member').selectOption(acme.member.userId);
    await expectAccessibleAtBothWidths(page, 'linking an account');
    await dialog(page).getByRole('button', { name: 'Link account' }).click();
    await page.getByText('Linked by an admin').waitFor();
    const visibility = page.getByLabel('Visibility of acme/web');
    await visibility.selectOption('organization');
    await page.getByText('Visibility changed', { exact: true }).waitFor();
    await expectAccessibleAtBothWidths(page, 'a code host');

    const { page: theirs } = await newPerson(service.url, { as: acme.member });
    await theirs.goto('/repositories');
    for (const name of ['acme/api', 'acme/docs', 'acme/web']) await theirs.getByText(name).first().waitFor();
    const { page: others } = await newPerson(service.url, { as: acme.viewer });
    await others.goto('/repositories');
    await others.getByText('acme/docs').first().waitFor();
    await expect(others.getByText('acme/api').count()).resolves.toBe(0);
    await theirs.goto('/settings/account');
    await theirs.getByText('Linked to ada').waitFor();

    await page.getByRole('button', { name: 'Disconnect' }).click();
    await dialog(page).getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No code hosts yet').waitFor();
  });

  it('takes a token of GitLab, and offers its usual address', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/code-hosts');
    await page.getByRole('button', { name: 'Connect code host' }).click();
    await dialog(page).getByLabel('Code host').selectOption('gitlab');
    const url = dialog(page).getByLabel('URL', { exact: true });
    await expect(url.inputValue()).resolves.toBe('https://gitlab.com');
    await url.fill(gitlab.url);
    await dialog(page).getByLabel('Access token').fill('good-token');
    await page.keyboard.press('Enter');
    await untilLoaded(page, new URL(gitlab.url).host);
    await page.getByText('No missing permissions.').waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await dialog(page).getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No code hosts yet').waitFor();
  });

  it('sends the browser to GitHub with the manifest, and explains a return that is not expected', async () => {
    const { allow, page } = await newPerson(service.url, { as: acme.admin });
    allow(/^request elsewhere: https:\/\/github\.com\//);
    let posted = '';
    await page.route('https://github.com/**', async (route) => {
      posted = route.request().postData() ?? '';
      await route.fulfill({ contentType: 'text/html', body: '<title>GitHub</title>' });
    });
    await page.goto('/settings/code-hosts');
    await page.getByRole('button', { name: 'Connect code host' }).click();
    await dialog(page).getByLabel('GitHub organization').fill('acme');
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Continue to GitHub' }).click();
    await page.waitForURL('https://github.com/organizations/acme/settings/apps/new**');
    expect(JSON.parse(new URLSearchParams(posted).get('manifest')!)).toMatchObject({ public: false });
    await page.goto(`${service.url}/settings/code-hosts/github-app?code=x&state=forged`);
    await page.getByText('This link has expired or was started by someone else').waitFor();
  });
});
