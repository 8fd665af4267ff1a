/** WCAG 2.2 AA as far as axe can check it: pages and dialogs, in light and dark, at desktop and phone width. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inviteMember } from '../../src/features/accounts/invitations/invite-member.ts';
import { withSession } from '../helpers/service/harness.ts';
import { signInAgent } from '../oauth/agent.ts';
import { newAgent } from './agent.ts';
import {
  expectAccessible,
  expectAccessibleAtBothWidths as expectAccessibleEverywhere,
  expectAccessibleOn,
  startBrowser,
  startServiceWithPages,
  untilLoaded,
} from './browser.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

async function openAccountMenu(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Acme owner/ })
    .or(page.getByText('Acme owner', { exact: true }))
    .filter({ visible: true })
    .last()
    .click();
  await page.getByRole('menu').waitFor();
  await expectAccessible(page, 'the account menu');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

describe('axe finds nothing', () => {
  it('on the pages before sign-in', async () => {
    const { page } = await newPerson(service.url);
    await page.goto('/sign-in');
    await untilLoaded(page, 'Sign in');
    await expectAccessibleEverywhere(page, 'sign-in');
    await page.getByLabel('Email').fill('nobody@acme.example');
    await page.getByLabel('Password').fill('wrong');
    await press(page, 'Sign in');
    await page.getByRole('alert').waitFor();
    await expectAccessibleEverywhere(page, 'a refused sign-in');
    await page.goto('/setup');
    await untilLoaded(page, 'Already set up');
    await expectAccessibleEverywhere(page, 'setup is over');
    await page.goto('/invitation');
    await untilLoaded(page, 'This invitation can’t be used');
    await expectAccessibleEverywhere(page, 'an invitation without its token');
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

  it('in the frame: menus, command palette, shortcuts', async () => {
    const { page } = await newPerson(service.url, { as: service.acme.owner });
    await page.goto('/');
    await untilLoaded(page, 'Welcome, Acme owner');
    await expectAccessibleEverywhere(page, 'home', { alsoDarkAtDesktop: true });
    await openAccountMenu(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await press(page, 'Menu');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page, 'the menu on a phone');
    await openAccountMenu(page);
    await closeDialog(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search pages').waitFor();
    await expectAccessibleEverywhere(page, 'the command palette');
    await page.keyboard.type('nothing like this');
    await expectAccessibleEverywhere(page, 'the command palette without a match');
    await closeDialog(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessibleEverywhere(page, 'the shortcuts');
  });

  it('on the pages of repositories and API keys, and in their dialogs', async () => {
    const { page } = await newPerson(service.url, { as: service.acme.owner });
    await page.goto('/repositories');
    await untilLoaded(page, 'Repositories');
    await expectAccessibleEverywhere(page, 'repositories');
    await press(page, 'Add repository');
    await page.getByLabel('SSH key').check();
    await page.getByLabel(/^Only admins, owners/).check();
    await page.getByRole('checkbox').first().waitFor();
    await expectAccessibleEverywhere(page, 'adding a repository with a key, for some people');
    await page.getByLabel('Password or access token').check();
    await expectAccessibleEverywhere(page, 'adding a repository with a password');
    await page.getByLabel('None (public)').check();
    await page.getByLabel('URL').fill('/srv/git/shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add repository' }).click();
    await page.locator('[aria-invalid] ~ p code', { hasText: 'ALLOW_LOCAL_REPOSITORIES' }).waitFor();

    await page.goto('/settings/api-keys');
    await untilLoaded(page, 'API keys');
    await press(page, 'Create API key');
    await page.getByLabel('Name').waitFor();
    await expectAccessibleEverywhere(page, 'generating a key');
    await page.getByLabel('Name').fill('laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await expectAccessibleEverywhere(page, 'the secret');
    await press(page, 'Done');
    await press(page, 'Revoke laptop');
    await page.getByRole('dialog').waitFor();
    await expectAccessibleEverywhere(page, 'revoking a key');
    await press(page, 'Revoke');
    await page.getByText('Revoked').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectAccessibleEverywhere(page, 'the keys, with a message');
  });

  it('on the account page', async () => {
    const { page } = await newPerson(service.url, { as: service.acme.owner });
    await page.goto('/settings/account');
    await untilLoaded(page, 'Account');
    await page.getByLabel('New password', { exact: true }).fill('one');
    await press(page, 'Change password');
    await page.locator('[aria-invalid]').first().waitFor();
    await expectAccessibleEverywhere(page, 'account with errors at its fields');
  });

  it('on the pages of people and the audit log, and in their dialogs', async () => {
    const { page } = await newPerson(service.url, { as: service.acme.owner });
    await page.goto('/settings/people');
    await untilLoaded(page, 'People');
    await press(page, /^Invite/);
    await page.getByRole('dialog').getByLabel('Email').fill('guest@acme.example');
    await expectAccessibleEverywhere(page, 'inviting');
    await press(page, 'Create invitation link');
    await page.getByLabel('Invitation link').waitFor();
    await expectAccessibleEverywhere(page, 'the invitation link');
    await press(page, 'Done');
    await press(page, 'Deactivate Acme viewer');
    await page.getByRole('dialog').waitFor();
    await expectAccessibleEverywhere(page, 'deactivating');
    await press(page, /^Deactivate$/);
    await page.getByText('Deactivated', { exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectAccessibleEverywhere(page, 'people', { alsoDarkAtDesktop: true });
    await press(page, 'Reactivate Acme viewer');
    await page.getByText('Deactivated', { exact: true }).waitFor({ state: 'detached' });

    await page.goto('/settings/audit');
    await untilLoaded(page, 'Audit log');
    await expectAccessibleEverywhere(page, 'audit');
    await page.goto('/settings/audit?action=password.reset');
    await page.getByText('No matching events').waitFor();
    await expectAccessibleEverywhere(page, 'audit without a match');
  });

  it('on the pages for agents', async () => {
    const { owner } = service.acme;
    await signInAgent(service, owner);
    const { page } = await newPerson(service.url, { as: owner });
    await page.goto('/settings/agents');
    await untilLoaded(page, 'Agents');
    await page
      .getByRole('row', { name: /Test agent/ })
      .first()
      .waitFor();
    await expectAccessibleEverywhere(page, 'agents');
    await press(page, 'Revoke Test agent');
    await page.getByRole('dialog').waitFor();
    await expectAccessibleEverywhere(page, 'revoking an agent');
    const redirectUri = 'https://agent.example/callback';
    await page.goto((await newAgent(service.url, { redirectUri })).address);
    await untilLoaded(page, 'An agent requests access');
    await expectAccessibleEverywhere(page, 'an agent asks');
    await page.goto('/connect/unknown');
    await untilLoaded(page, 'This request has expired');
    await expectAccessibleEverywhere(page, 'a sign-in that is over');
  });

  it('on error pages', async () => {
    const viewer = await newPerson(service.url, { as: service.acme.member });
    viewer.allow(/404: .*\/nowhere/);
    await viewer.page.goto('/settings/people');
    await untilLoaded(viewer.page, 'You don’t have access');
    await expectAccessibleEverywhere(viewer.page, 'not allowed');
    await viewer.page.goto('/nowhere');
    await untilLoaded(viewer.page, 'Page not found');
    await expectAccessibleEverywhere(viewer.page, 'not found');
  });
});

it('reports a page without accessible names, which proves that axe runs', async () => {
  const { page } = await newPerson(service.url);
  await page.goto('/sign-in');
  await untilLoaded(page, 'Sign in');
  await page.evaluate(`document.querySelector('label').remove()`);
  await expect(expectAccessible(page, 'a field without its label')).rejects.toThrow(/label/);
  await expect(expectAccessibleOn(true, page, 'the same on a phone')).rejects.toThrow('the same on a phone');
});
