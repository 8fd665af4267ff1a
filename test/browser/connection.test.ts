/** Slow, broken and missing networks, and expired sessions: the page shows the problem and keeps what was typed. */
import { describe, expect, it } from 'vitest';
import { makePerson, makeUser, PASSWORD } from '../helpers/service/factories.ts';
import { startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();
const { acme } = service;

async function newMember(name: string) {
  const now = service.clock.now();
  const user = await makeUser(service.db, { name, email: `${name.toLowerCase()}@acme.example` }, now);
  return makePerson(service.db, acme.id, user, 'member', now);
}
const endSession = (sessionId: string) =>
  service.db.deleteFrom('sessions').where('id', '=', sessionId).execute();

describe('without network', () => {
  it('shows a banner, rejects changes visibly, shows no page as empty, and recovers automatically', async () => {
    const { allow, context, page } = await newPerson(service.url, { as: acme.owner });
    allow(/ERR_INTERNET_DISCONNECTED/);
    await page.goto('/settings/people');
    const role = page.getByLabel('Role of Acme viewer');
    await role.waitFor();
    await page.getByRole('link', { name: 'API keys', exact: true }).hover();
    await page.getByRole('link', { name: 'Account' }).hover();
    await context.setOffline(true);
    await page.getByText('You’re offline.').waitFor();

    await role.selectOption('admin');
    await page.getByText('The service cannot be reached').first().waitFor();
    await expect
      .poll(() => role.inputValue(), { message: 'a change that was not saved is not shown' })
      .toBe('viewer');

    await page.getByRole('button', { name: /^Invite/ }).click();
    await page.getByRole('dialog').getByLabel('Email addresses').fill('later@acme.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByText('The service cannot be reached').waitFor();
    await expect(page.getByRole('dialog').getByLabel('Email addresses').inputValue()).resolves.toBe(
      'later@acme.example',
    );

    await context.setOffline(false);
    await page.getByText('You’re offline.').waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByLabel('Invitation link').waitFor();
  });

  it('shows that an unloaded page is unavailable, and loads it when the network is back', async () => {
    const { allow, context, page } = await newPerson(service.url, { as: acme.owner });
    allow(/ERR_INTERNET_DISCONNECTED|The service cannot be reached/);
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await context.setOffline(true);
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByText('No connection').waitFor();
    await page.getByText('You’re offline.').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await untilLoaded(page, 'Audit log');
  });
});

describe('a slow service', () => {
  it('shows that it is loading, and a busy button ignores a second click', async () => {
    const { page } = await newPerson(service.url, { as: await newMember('Patient') });
    const held = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/api/v2/api-keys**', async (route) => {
      if (route.request().method() === 'POST') asked += 1;
      await held.promise;
      await route.continue();
    });
    await page.goto('/settings/api-keys');
    await page.getByRole('status').getByText('Loading').waitFor();
    held.resolve();
    await page.getByRole('row', { name: /test key/ }).waitFor();

    const second = Promise.withResolvers<void>();
    await page.route('**/api/v2/api-keys', async (route) => {
      await second.promise;
      await route.fallback();
    });
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('slow');
    await page.getByLabel('Name').press('Enter');
    await page.locator('[role=dialog] button[aria-busy=true]').waitFor();
    await page.getByLabel('Name').press('Enter');
    second.resolve();
    await page.getByLabel('API key', { exact: true }).waitFor();
    expect(asked).toBe(1);
  });

  it('that fails shows the request id and a retry button', async () => {
    const { allow, page } = await newPerson(service.url, { as: acme.owner });
    allow(/500: |503: /);
    await page.route('**/api/v2/audit-events**', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          status: 503,
          code: 'unavailable',
          detail: 'The database is away.',
          requestId: 'req-17',
        }),
      }),
    );
    await page.goto('/settings/audit');
    await page.getByRole('alert').getByText('The database is away.').waitFor();
    await page.getByText('req-17').waitFor();
    await page.unroute('**/api/v2/audit-events**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row').nth(1).waitFor();
  });
});

describe('a session that expires during an action', () => {
  it('asks for the password in a dialog, then sends what was typed, and discards the password', async () => {
    const person = await newMember('Writer');
    const { page } = await newPerson(service.url, { as: person });
    await page.goto('/settings/api-keys');
    await untilLoaded(page, 'API keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('typed before the end');
    await endSession(person.sessionId);
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill('wrong');
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await again.getByLabel('Password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await page.getByText('typed before the end is active.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /typed before the end/ }).waitFor();

    await service.db.deleteFrom('sessions').where('user_id', '=', person.userId).execute();
    await page.getByRole('button', { name: 'Revoke typed before the end' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await expect(again.getByLabel('Password').inputValue()).resolves.toBe('');
  });

  it('keeps the page and what was typed when a background check finds the session expired', async () => {
    const person = await newMember('Sleeper');
    const { page } = await newPerson(service.url, { as: person, unused: true });
    await page.clock.install();
    await page.goto('/settings/account');
    await untilLoaded(page, 'Account');
    await page.getByLabel('New password', { exact: true }).fill('half typed');
    await endSession(person.sessionId);
    await page.clock.fastForward('02:00');
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('Password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'detached' });
    await expect(page.getByLabel('New password', { exact: true }).inputValue()).resolves.toBe('half typed');
    await page.getByRole('row', { name: /This device/ }).waitFor();
  });
});
