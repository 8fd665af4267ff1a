/** Signing in and out, deep links, invitations, passwords and other devices. */
import { describe, expect, it } from 'vitest';
import { acceptInvitation } from '../../src/features/accounts/invitations/accept-invitation.ts';
import { inviteMember } from '../../src/features/accounts/invitations/invite-member.ts';
import { revokeInvitation } from '../../src/features/accounts/invitations/revoke-invitation.ts';
import { signIn as signInOperation } from '../../src/features/accounts/sessions/sign-in.ts';
import { makePerson, makeUser, PASSWORD } from '../helpers/service/factories.ts';
import { withSession } from '../helpers/service/harness.ts';
import { tokenFrom } from '../helpers/service/sign-in-requests.ts';
import { signIn, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();
const { acme, globex } = service;

/** A user that no other test uses. */
async function newMember(name: string) {
  const now = service.clock.now();
  const user = await makeUser(service.db, { name, email: `${name.toLowerCase()}@acme.example` }, now);
  return makePerson(service.db, acme.id, user, 'member', now);
}

describe('signing in', () => {
  it('says that the email address or the password is wrong, and keeps what was typed', async () => {
    const { page } = await newPerson(service.url);
    await page.goto('/sign-in');
    await signIn(page, { email: acme.viewer.email, password: 'wrong' });
    await page.getByRole('alert').getByText('Incorrect email address or password.').waitFor();
    await expect(page.getByLabel('Email').inputValue()).resolves.toBe(acme.viewer.email);
    await signIn(page, acme.viewer);
    await untilLoaded(page, 'Welcome, Acme viewer');
    await page.goBack();
    expect(page.url(), 'the sign-in page is no longer in the way back').not.toContain('/sign-in');
  });

  it('says how long to wait after too many attempts, once', async () => {
    const { page } = await newPerson(service.url);
    for (let attempt = 0; attempt < 10; attempt += 1)
      await service.call(signInOperation, { email: 'guessed@acme.example', password: 'wrong' }, 'nobody');
    await page.goto('/sign-in');
    await signIn(page, { email: 'guessed@acme.example' });
    const said = await page.getByRole('alert').textContent();
    expect(said).toMatch(/Too many sign-in attempts.*15 min/);
    expect(said!.match(/15 min/g), 'the wait is said once').toHaveLength(1);
  });

  it('returns to the requested address, with its filters', async () => {
    const { page } = await newPerson(service.url);
    await page.goto('/settings/audit?action=api_key.created');
    await untilLoaded(page, 'Sign in');
    await signIn(page, acme.owner);
    await untilLoaded(page, 'Audit log');
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
      '/settings/audit?action=api_key.created',
    );
    await expect(page.getByLabel('Action').inputValue()).resolves.toBe('api_key.created');
  });

  it('does not leave the app', async () => {
    const { page } = await newPerson(service.url);
    await page.goto(`/sign-in?next=${encodeURIComponent('/\\evil.example')}`);
    await signIn(page, acme.admin);
    await untilLoaded(page, 'Welcome, Acme admin');
    expect(page.url()).toBe(`${service.url}/`);
  });
});

describe('signing out', () => {
  it('discards everything that was shown: going back shows the sign-in page', async () => {
    const { page } = await newPerson(service.url, { as: await newMember('Leaver') });
    await page.goto('/');
    await untilLoaded(page, 'Welcome, Leaver');
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByText('test key').waitFor();
    await page.getByRole('button', { name: /Leaver/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await untilLoaded(page, 'Sign in');
    await page.goBack();
    await untilLoaded(page, 'Sign in');
    await expect(page.getByText('test key').count()).resolves.toBe(0);
    await signIn(page, acme.admin);
    await untilLoaded(page, /./);
    await expect(page.getByText('Leaver').count()).resolves.toBe(0);
  });
});

describe('an invitation', () => {
  const invite = async (email: string) => {
    const { body } = await service.call(inviteMember, { email, role: 'member' }, withSession(acme.owner));
    return body as { link: string; invitation: { id: string } };
  };

  it('lets a new person join with their name and password', async () => {
    const { link } = await invite('grace@acme.example');
    const { page } = await newPerson(service.url);
    await page.goto(link);
    await untilLoaded(page, 'Join Acme');
    expect(page.url(), 'the token has left the address bar').toBe(`${service.url}/invitation`);
    await page.getByLabel('Your name').fill('Grace');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Join Acme' }).click();
    await page.getByLabel('Password').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join Acme' }).click();
    await untilLoaded(page, 'Welcome, Grace');
  });

  it('lets a person with an account join with its password', async () => {
    const { link } = await invite(globex.member.email);
    const { page } = await newPerson(service.url);
    await page.goto(link);
    await untilLoaded(page, 'Join Acme');
    await expect(page.getByLabel('Your name').count()).resolves.toBe(0);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Join Acme' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join Acme' }).click();
    await untilLoaded(page, 'Welcome, Globex member');
    await page.getByRole('button', { name: /Globex member/ }).click();
    await page.getByRole('menuitem', { name: 'Globex' }).click();
    await page.getByText('Get started with Globex').waitFor();
  });

  it('that was used or revoked is explained; the next link works on the same page', async () => {
    const [used, revoked, good] = await Promise.all(
      ['u', 'r', 'g'].map((who) => invite(`${who}@acme.example`)),
    );
    const token = new URL(used!.link).hash.slice('#token='.length);
    await service.call(acceptInvitation, { token, name: 'U', password: PASSWORD }, 'nobody');
    await service.call(revokeInvitation, { invitationId: revoked!.invitation.id }, withSession(acme.owner));
    const { page } = await newPerson(service.url);
    for (const { link } of [used!, revoked!]) {
      await page.goto(link);
      await untilLoaded(page, 'This invitation can’t be used');
      await page.getByRole('link', { name: 'Sign in instead' }).waitFor();
    }
    await page.goto(good!.link);
    await untilLoaded(page, 'Join Acme');
    await expect(page.getByLabel('Email').inputValue()).resolves.toBe('g@acme.example');
  });
});

describe('the account', () => {
  it('changes the name, and the email once the password confirms it', async () => {
    const person = await newMember('Renamed');
    const { page } = await newPerson(service.url, { as: person });
    await page.goto('/settings/account');
    await untilLoaded(page, 'Account');
    const save = page.getByRole('button', { name: 'Save' });
    await page.getByLabel('Name').fill('Grace Renamed');
    await save.click();
    await page.getByText('Profile saved').first().waitFor();
    await page.getByRole('button', { name: /^Grace Renamed/ }).waitFor();
    await page.getByLabel('Email').fill('new-address@acme.example');
    const password = page.getByLabel('Confirm with your current password');
    await save.click();
    await page.getByText('This field is required to change the email address.').waitFor();
    await password.fill('wrong');
    await save.click();
    await page.getByText('Is not the current password.').waitFor();
    await password.fill(PASSWORD);
    await save.click();
    await password.waitFor({ state: 'detached' });
    await page.reload();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('new-address@acme.example');
  });

  it('a new password signs out other devices and keeps this one', async () => {
    const person = await newMember('Changer');
    const here = await newPerson(service.url, { as: person });
    const there = await newPerson(service.url);
    await there.page.goto('/settings/account');
    await signIn(there.page, person);
    await untilLoaded(there.page, 'Account');

    const { page } = here;
    await page.goto('/settings/account');
    await untilLoaded(page, 'Account');
    await page.getByRole('row').nth(2).waitFor();
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password', { exact: true }).fill('a brand new password');
    await page.getByLabel('Confirm new password').fill('another');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText("Passwords don't match.").waitFor();
    await page.getByLabel('Confirm new password').fill('a brand new password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page
      .locator('form')
      .getByText(/Is not the (present|current) password\./)
      .waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').first().waitFor();
    await expect(page.getByLabel('Current password').inputValue()).resolves.toBe('');
    await expect.poll(() => page.getByRole('row').count(), { message: 'only this device is left' }).toBe(2);

    await there.page.reload();
    await untilLoaded(there.page, 'Sign in');
    await signIn(there.page, { email: person.email, password: 'a brand new password' });
    await untilLoaded(there.page, 'Account');
  });

  it('lists the devices, and signs out another one by name', async () => {
    const person = await newMember('Roamer');
    const phone = await newPerson(service.url, {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Safari/604.1',
    });
    await phone.page.goto('/');
    await untilLoaded(phone.page, 'Sign in');
    await signIn(phone.page, person);
    await untilLoaded(phone.page, 'Welcome, Roamer');

    const { page } = await newPerson(service.url);
    await page.goto('/settings/account');
    await untilLoaded(page, 'Sign in');
    await signIn(page, person);
    await untilLoaded(page, 'Account');
    await page.getByRole('row', { name: /Chrome on Linux.*This device/ }).waitFor();
    await page.getByRole('button', { name: 'Sign out Safari on iOS' }).click();
    await page.getByRole('dialog', { name: 'Sign out Safari on iOS?' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('row', { name: /Safari on iOS/ }).waitFor({ state: 'detached' });
    await phone.page.reload();
    await untilLoaded(phone.page, 'Sign in');
  });
});

it('a person who is deactivated meanwhile is asked to sign in at the next action, and cannot', async () => {
  const person = await newMember('Victim');
  const working = await newPerson(service.url, { as: person });
  await working.page.goto('/settings/api-keys');
  await untilLoaded(working.page, 'API keys');
  const admin = await newPerson(service.url, { as: acme.admin });
  await admin.page.goto('/settings/people');
  await admin.page.getByRole('button', { name: 'Deactivate Victim' }).click();
  await admin.page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  await admin.page.getByText('Victim deactivated').first().waitFor();

  await working.page.getByRole('button', { name: 'Create API key' }).click();
  await working.page.getByLabel('Name').fill('late');
  await working.page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  const again = working.page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password').fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await again.getByRole('alert').waitFor();
  await again.getByRole('button', { name: 'Sign in as someone else' }).click();
  await untilLoaded(working.page, 'Sign in');
  const { body } = await service
    .call(signInOperation, { email: acme.owner.email, password: PASSWORD }, 'nobody')
    .then(async (answer) =>
      service.request('GET', '/api/v2/api-keys?limit=200', { as: { session: tokenFrom(answer) } }),
    );
  expect(JSON.stringify(body)).not.toContain('"late"');
});
