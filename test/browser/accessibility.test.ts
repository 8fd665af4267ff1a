/** WCAG 2.2 AA as far as axe can check it, for what appears only after an action; every-page.test.ts visits the pages. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inviteMember } from '../../src/features/accounts/invitations/invite-member.ts';
import { withSession } from '../helpers/service/harness.ts';
import {
  expectAccessible,
  expectAccessibleAtBothWidths as expectAccessibleEverywhere,
  startBrowser,
  startServiceWithPages,
  untilLoaded,
} from './browser.ts';
import { expectHarmless } from './harmless.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

describe('axe finds nothing', () => {
  it('in errors of a form and at its fields', async () => {
    const { page } = await newPerson(service.url);
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill('nobody@acme.example');
    await page.getByLabel('Password').fill('wrong');
    await press(page, 'Sign in');
    await page.getByRole('alert').waitFor();
    await expectAccessibleEverywhere(page, 'a refused sign-in');
    const made = await service.call(
      inviteMember,
      { email: 'new@acme.example', role: 'viewer' },
      withSession(service.acme.owner),
    );
    await page.goto(made.body.link);
    await untilLoaded(page, 'Join Acme');
    await page.getByRole('button', { name: 'Join Acme' }).click();
    await page.locator('[aria-invalid]').first().waitFor();
    await expectAccessibleEverywhere(page, 'an invitation with errors at its fields');
  });

  it('in the frame: the menu of a phone, command palette, shortcuts', async () => {
    const { page } = await newPerson(service.url, { as: service.acme.owner });
    await page.goto('/');
    await untilLoaded(page, 'Welcome, Acme owner');
    await page.setViewportSize({ width: 390, height: 844 });
    await press(page, 'Menu');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page, 'the menu on a phone');
    await page.getByText('Acme owner', { exact: true }).filter({ visible: true }).last().click();
    await page.getByRole('menu').waitFor();
    await expectAccessible(page, 'the account menu on a phone');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await closeDialog(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search pages').waitFor();
    await expectAccessibleEverywhere(page, 'the command palette');
    await page.keyboard.type('nothing like this');
    await expectAccessible(page, 'the command palette without a match');
    await closeDialog(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessibleEverywhere(page, 'the shortcuts');
  });

  it('in dialogs as they change', async () => {
    const { page } = await newPerson(service.url, { as: service.acme.owner });
    await page.goto('/repositories');
    await untilLoaded(page, 'Repositories');
    await press(page, 'Add repository');
    await page.getByLabel('SSH key').check();
    await page.getByLabel(/^Only admins, owners/).check();
    await page.getByRole('checkbox').first().waitFor();
    await expectAccessibleEverywhere(page, 'adding a repository with a key, for some people');
    await page.getByLabel('Password or access token').check();
    await expectAccessible(page, 'adding a repository with a password');
    await page.getByLabel('None (public)').check();
    await page.getByLabel('URL').fill('/srv/git/shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add repository' }).click();
    await page.locator('[aria-invalid] ~ p code', { hasText: 'ALLOW_LOCAL_REPOSITORIES' }).waitFor();

    await page.goto('/settings/api-keys');
    await untilLoaded(page, 'API keys');
    await press(page, 'Create API key');
    await page.getByLabel('Name').fill('laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await expectAccessibleEverywhere(page, 'the secret');
    await press(page, 'Done');
    await press(page, 'Revoke laptop');
    await press(page, 'Revoke');
    await page.getByText('Revoked').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectAccessibleEverywhere(page, 'the keys, with a message');
  });

  it('on error pages', async () => {
    const viewer = await newPerson(service.url, { as: service.acme.member });
    viewer.allow(/404: /);
    await viewer.page.goto('/settings/people');
    await untilLoaded(viewer.page, 'You don’t have access');
    await expectAccessibleEverywhere(viewer.page, 'not allowed');
    await viewer.page.goto('/<script>pwned=1</script>');
    await untilLoaded(viewer.page, 'Page not found');
    await expectHarmless(viewer.page, 'not found');
    await expectAccessibleEverywhere(viewer.page, 'not found');
  });
});

it('reports a page without accessible names, which proves that axe runs', async () => {
  const { page } = await newPerson(service.url);
  await page.goto('/sign-in');
  await untilLoaded(page, 'Sign in');
  await page.evaluate(`document.querySelector('label').remove()`);
  await expect(expectAccessible(page, 'a field without its label')).rejects.toThrow(/label/);
});
