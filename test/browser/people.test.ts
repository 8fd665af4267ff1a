/** Settings → People: invitations, roles and deactivation; and what non-admins see. */
import { describe, expect, it } from 'vitest';
import { changeMember } from '../../src/features/accounts/members/change-member.ts';
import type { Role } from '../../src/platform/core/operations/actor.ts';
import { makePerson, makeUser } from '../helpers/service/factories.ts';
import { withSession } from '../helpers/service/harness.ts';
import { expectAccessible, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

// Nothing is delivered: no worker runs here.
const service = await startServiceWithPages({
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'bot@review.example',
});
const { newPerson } = await startBrowser();
const { acme, globex } = service;

/** A user that no other test uses. */
async function newMember(name: string, role: Role) {
  const now = service.clock.now();
  const user = await makeUser(service.db, { name, email: `${name.toLowerCase()}@acme.example` }, now);
  return makePerson(service.db, acme.id, user, role, now);
}

describe('an admin', () => {
  it('invites a person with a link that is shown once, and revokes an invitation', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/people');
    await page.getByText('No pending invitations').waitFor();
    await page.getByRole('button', { name: /^Invite/ }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Role').getByRole('option').allTextContents()).resolves.not.toContainEqual(
      expect.stringMatching(/^owner/),
    );
    await dialog.getByLabel('Email addresses').fill('nobody, bo@acme.example; x@');
    await dialog.getByRole('button', { name: 'Invite 3 people' }).click();
    await dialog.getByText('Nobody was invited. Not email addresses: nobody, x@').waitFor();
    await dialog.getByLabel('Email addresses').fill('guest@acme.example');
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await page.getByLabel('Invitation link').inputValue();
    expect(link).toContain(`${service.url}/invitation#token=`);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.content()).resolves.not.toContain(link);
    await page.getByRole('row', { name: /guest@acme.example.*viewer.*Sending mail/ }).waitFor();
    await page.getByRole('button', { name: 'Revoke the invitation for guest@acme.example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /guest@acme.example.*Revoked/ }).waitFor();
  });

  it('invites many people from pasted addresses, and is told who was known already', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/people');
    const inviteAll = async (addresses: string) => {
      await page.getByRole('button', { name: 'Invite people' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email addresses').fill(addresses);
      await dialog.getByRole('button', { name: /^Invite \d people/ }).press('Enter');
      return dialog;
    };
    const dialog = await inviteAll(
      `"Lovelace, Ada" <ada@many.example>, bo@many.example\n${acme.viewer.email}`,
    );
    await dialog.getByRole('heading', { name: '2 people invited' }).waitFor();
    await dialog.getByLabel('Invitation link for ada@many.example').waitFor();
    await dialog.getByText(acme.viewer.email).waitFor();
    await expectAccessible(page, 'many invitations');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /bo@many.example.*Sending mail/ }).waitFor();
    const again = await inviteAll('ada@many.example bo@many.example');
    await again.getByRole('heading', { name: 'Nobody new to invite' }).waitFor();
    await again.getByText('ada@many.example, bo@many.example').waitFor();
  });

  it('creates a link for a domain, through which a person is mailed an invitation, and revokes it', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/people');
    await page.getByRole('button', { name: 'Create link for a domain' }).click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('gmail.com');
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await page.getByText(/open to everyone/).waitFor();
    await page.getByRole('textbox', { name: 'Domain' }).fill('domain.example');
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    const link = await page.getByLabel('Link for the domain').inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    const { page: theirs } = await newPerson(service.url);
    await theirs.goto(link);
    await untilLoaded(theirs, 'Join Acme');
    expect(theirs.url(), 'the token has left the address bar').toBe(`${service.url}/join`);
    await theirs.getByLabel('Email').fill('ida@else.example');
    await theirs.getByRole('button', { name: 'Send invitation' }).click();
    await theirs.getByText('Must be an address at domain.example.').waitFor();
    await theirs.getByLabel('Email').fill('ida@domain.example');
    await theirs.getByRole('button', { name: 'Send invitation' }).click();
    await untilLoaded(theirs, 'Check your mail');
    await expectAccessible(theirs, 'asked for an invitation');
    await page.reload();
    await page
      .getByRole('row', { name: /ida@domain.example.*by the link for domain.example/ })
      .first()
      .waitFor();
    await page
      .getByRole('row', { name: /domain.example.*0 \(1 of 100 invited\).*Active/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Revoke the link for domain.example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByRole('row', { name: /domain.example.*Revoked/ })
      .first()
      .waitFor();
    const { page: another } = await newPerson(service.url);
    await another.goto(link);
    await untilLoaded(another, 'This link can’t be used');
  });

  it('sees a new role immediately, before the service replies', async () => {
    const person = await newMember('Quick', 'viewer');
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/people');
    const role = page.getByLabel('Role of Quick');
    await role.waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(`**/api/v2/members/${person.userId}`, async (route) => {
      await held.promise;
      await route.continue();
    });
    await role.selectOption('member');
    await expect.poll(() => role.inputValue()).toBe('member');
    await expect(page.getByText('Quick is now a member').count(), 'not said before it is so').resolves.toBe(
      0,
    );
    held.resolve();
    await page.getByText('Quick is now a member').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => role.inputValue()).toBe('viewer');
    await page.getByText('Quick is now a viewer').first().waitFor();
    await role.selectOption('member');
    await page.getByText('Quick is now a member').last().waitFor();
    await page.reload();
    await expect.poll(() => role.inputValue()).toBe('member');
  });

  it('sees the previous role again when the service refuses because another admin was faster', async () => {
    const admin = await newMember('Demoted', 'admin');
    const { page } = await newPerson(service.url, { as: admin });
    await page.goto('/settings/people');
    const role = page.getByLabel('Role of Acme viewer');
    await role.waitFor();
    await service.call(changeMember, { userId: admin.userId, role: 'member' }, withSession(acme.owner));
    await role.selectOption('admin');
    await page
      .getByText(/role|admin/i)
      .and(page.locator('[data-radix-collection-item] *, [role=status] *'))
      .first()
      .waitFor();
    await untilLoaded(page, /./);
    const { body } = await service.request('GET', '/api/v2/members', { as: withSession(acme.owner) });
    expect(body.members.find(({ userId }: { userId: string }) => userId === acme.viewer.userId).role).toBe(
      'viewer',
    );
    await expect.poll(async () => ((await role.count()) === 0 ? 'viewer' : role.inputValue())).toBe('viewer');
  });

  it('deactivates a person by name, and reactivates them', async () => {
    await newMember('Wanderer', 'member');
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/people');
    await page.getByRole('button', { name: 'Deactivate Wanderer' }).click();
    await page.getByRole('dialog', { name: 'Deactivate Wanderer?' }).waitFor();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByRole('row', { name: /Wanderer.*Deactivated/ }).waitFor();
    await page.getByRole('button', { name: 'Reactivate Wanderer' }).click();
    await page.getByRole('button', { name: 'Deactivate Wanderer' }).waitFor();
  });

  it('cannot change an owner', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/settings/people');
    await expect(page.getByLabel('Role of Acme owner').isDisabled()).resolves.toBe(true);
    await page.getByRole('row', { name: /Acme owner.*Only owners can change this role/ }).waitFor();
    await expect(page.getByRole('button', { name: 'Deactivate Acme owner' }).count()).resolves.toBe(0);
  });
});

describe('an owner', () => {
  it('who is the last one cannot deactivate themselves or lower their role', async () => {
    const { page } = await newPerson(service.url, { as: globex.owner });
    await page.goto('/settings/people');
    await expect(page.getByLabel('Role of Globex owner').isDisabled()).resolves.toBe(true);
    await page.getByText('The only owner. Make someone else an owner first.').waitFor();
    await page.getByRole('button', { name: 'Deactivate Globex admin' }).waitFor();
    await expect(page.getByRole('button', { name: 'Deactivate Globex owner' }).count()).resolves.toBe(0);
  });

  it('who lowers their own role immediately loses access to admin pages', async () => {
    const other = await newMember('Second', 'owner');
    const { page } = await newPerson(service.url, { as: other });
    await page.goto('/settings/people');
    await page.getByLabel('Role of Second').selectOption('viewer');
    await untilLoaded(page, 'You don’t have access');
    await expect(page.getByRole('link', { name: 'People' }).count()).resolves.toBe(0);
  });
});

describe('a member', () => {
  it('sees no admin pages, and gets an explanation when opening their addresses', async () => {
    const { page } = await newPerson(service.url, { as: globex.member });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    const places = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(places).toEqual([
      'Home',
      'Inbox',
      'Plans',
      'To review',
      'Pull requests',
      'Reviewers',
      'Repositories',
      'Code search',
      'Architecture',
      'Agents',
      'API keys',
      'Account',
    ]);
    await expect(page.getByText('Invite your team').count()).resolves.toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Go to Home' }).waitFor();
    await expect(page.getByRole('option', { name: 'Go to People' }).count()).resolves.toBe(0);
    for (const path of ['/settings/people', '/settings/audit']) {
      await page.goto(path);
      await untilLoaded(page, 'You don’t have access');
      await page.getByText('Your role in Globex is member.').waitFor();
      await expect(page.getByRole('button', { name: /Invite/ }).count()).resolves.toBe(0);
    }
  });
});
