/** Settings → People: invitations, roles and deactivation; and what non-admins see. */
import { describe, expect, it } from 'vitest';
import { changeMember } from '../../src/features/accounts/members/change-member.ts';
import type { Role } from '../../src/platform/core/operations/actor.ts';
import { makePerson, makeUser } from '../helpers/service/factories.ts';
import { withSession } from '../helpers/service/harness.ts';
import { startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

const service = await startServiceWithPages();
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
    await dialog.getByLabel('Email').fill('nobody');
    await dialog.getByRole('button', { name: 'Create invitation link' }).click();
    await dialog.getByText('Must be an email address.').waitFor();
    await dialog.getByLabel('Email').fill('guest@acme.example');
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Create invitation link' }).click();
    const link = await page.getByLabel('Invitation link').inputValue();
    expect(link).toContain(`${service.url}/invitation#token=`);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.content()).resolves.not.toContain(link);
    await page.getByRole('row', { name: /guest@acme.example.*viewer.*Pending/ }).waitFor();
    await page.getByRole('button', { name: 'Revoke the invitation for guest@acme.example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /guest@acme.example.*Revoked/ }).waitFor();
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
