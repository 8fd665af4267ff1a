/** Decisions about a plan: only allowed ones are offered, with a note, and recorded for everyone. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Person } from '../helpers/service/factories.ts';
import { withSession } from '../helpers/service/harness.ts';
import { startBrowser, startServiceWithPages } from './browser.ts';
import { doToPlan, OVERLAPPING_PLAN, type PostedPlan, postPlan } from './plan-samples.ts';

const service = await startServiceWithPages();
const { acme } = service;
const { newPerson } = await startBrowser();

async function open(plan: PostedPlan, as: Person = acme.member, query = '') {
  const person = await newPerson(service.url, { as });
  await person.page.goto(`/plans/${plan.seriesId}${query}`);
  await person.page.getByRole('button', { name: /^Version: v/ }).waitFor();
  return person;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const inMenu = async (page: Page, name: string) => {
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name, exact: true }).click();
};
const inDialog = async (page: Page, action: string, note?: string) => {
  const dialog = page.getByRole('dialog');
  if (note !== undefined) await dialog.getByRole('textbox').fill(note);
  await dialog.getByRole('button', { name: action }).click();
  await dialog.waitFor({ state: 'detached' });
};
const header = (page: Page) => page.locator('header').filter({ hasText: 'Plans' });

it('a reviewer requests changes with a note, approves, withdraws; an admin closes and reopens', async () => {
  const plan = await postPlan(service, acme.owner);
  const { page } = await open(plan, acme.admin);
  await page.getByText('Not reviewed yet').waitFor();
  await press(page, 'Request changes');
  await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click();
  await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor();
  await inDialog(page, 'Request changes', 'Think of the weekend.');
  await page.getByText('Acme admin requested changes to v1').waitFor();
  await page.getByText('Think of the weekend.').waitFor();
  const comment = { versionId: plan.versionId, body: 'Which weekend?' };
  const asOwner = { as: withSession(acme.owner), body: comment };
  await service.request('POST', `/api/v2/plans/${plan.seriesId}/comments`, asOwner);
  await press(page, 'Approve');
  await page.getByRole('dialog').getByText('1 comment is still open.').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Acme owner: Which weekend?' }).waitFor();
  await page.getByRole('dialog').getByRole('textbox').fill('Now it is good.');
  await page.keyboard.press('Control+Enter');
  await header(page).getByText('Approved').waitFor();
  await page.getByText('Now it is good.').waitFor();
  await expect(page.getByRole('button', { name: 'Approve', exact: true }).count()).resolves.toBe(0);
  await inMenu(page, 'Withdraw approval');
  await inDialog(page, 'Withdraw approval', 'Too fast.');
  await header(page).getByText('Pending').waitFor();
  await inMenu(page, 'Close');
  await inDialog(page, 'Close plan');
  await header(page).getByText('Closed').waitFor();
  await inMenu(page, 'Reopen');
  await inDialog(page, 'Reopen plan');
  await header(page).getByText('Pending').waitFor();
  await page.getByRole('link', { name: 'Activity' }).click();
  for (const said of [
    'posted the plan',
    'requested changes to version 1',
    'approved version 1',
    'withdrew the approval of version 1',
    'changed the status from pending to closed',
    'changed the status from closed to pending',
  ])
    await page.getByRole('listitem').getByText(said, { exact: true }).waitFor();
  await page.getByText('Too fast.').first().waitFor();
  await expect(page.getByText('with an API key').count()).resolves.toBe(1);
});

it('an approved plan is marked as implemented', async () => {
  const plan = await postPlan(service, acme.owner);
  await doToPlan(service, acme.admin, plan, 'approve', { versionId: plan.versionId });
  const { page } = await open(plan, acme.member);
  await inMenu(page, 'Mark as implemented');
  await inDialog(page, 'Mark as implemented');
  await header(page).getByText('Implemented').waitFor();
});

it('the author sees why they cannot approve it, and requests reviews by name', async () => {
  const plan = await postPlan(service, acme.member);
  const { page } = await open(plan, acme.member);
  await page.getByText('You wrote this version; someone else has to approve it.').waitFor();
  await expect(page.getByRole('button', { name: 'Approve', exact: true }).count()).resolves.toBe(0);
  await press(page, 'Request review');
  const people = page.getByRole('group', { name: 'People' });
  await people.getByText('Acme owner').waitFor();
  for (const name of ['Acme member', 'Acme viewer'])
    await expect(people.getByText(name).count(), `${name} cannot approve it`).resolves.toBe(0);
  await page.getByLabel('Find people').fill('ADMIN@');
  await expect(people.getByRole('checkbox').count()).resolves.toBe(1);
  await people.getByRole('checkbox').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Request review' }).click();
  await page.getByText('Review requested from Acme admin').waitFor();
  await press(page, 'Request review');
  await people.getByText('requested', { exact: true }).waitFor();
});

it('a version posted while the dialog is open is not approved unread', async () => {
  const plan = await postPlan(service, acme.owner);
  const { page } = await open(plan, acme.admin);
  await press(page, 'Approve');
  await page.route('**/events?**', (route) => route.abort());
  await postPlan(service, acme.owner, '# Something else', { seriesKey: plan.seriesId });
  await page.getByRole('dialog').getByRole('textbox').fill('A careful note');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('Review version 2 and try again').waitFor();
  await expect(page.getByRole('dialog').getByRole('textbox').inputValue()).resolves.toBe('A careful note');
});

it('a pull request is linked manually; an invalid number is rejected at its field', async () => {
  const plan = await postPlan(service, acme.owner);
  const { page } = await open(plan);
  await inMenu(page, 'Link a pull request');
  await page.getByLabel('Number').fill('zero');
  await press(page, 'Link');
  await page.getByLabel('Number').and(page.locator('[aria-invalid=true]')).waitFor();
  await page.getByLabel('Repository').selectOption('acme/web-shop');
  await page.getByLabel('Number').fill('#7');
  await press(page, 'Link');
  await page.getByText('acme/web-shop#7', { exact: true }).waitFor();
  await header(page).getByText('Linked, not approved').waitFor();
});

it('deleting asks for confirmation with the title, and returns to the list', async () => {
  const plan = await postPlan(service, acme.member, OVERLAPPING_PLAN);
  const other = await open(plan, acme.member);
  await inMenu(other.page, 'Delete');
  await other.page.getByRole('dialog', { name: 'Delete “Show when a key was used last”?' }).waitFor();
  await press(other.page, 'Cancel');
  await inMenu(other.page, 'Delete');
  await press(other.page, 'Delete plan');
  await other.page.waitForURL(`${service.url}/plans`);
  await other.page.goto(`/plans/${plan.seriesId}`);
  await other.page.getByRole('heading', { name: 'Plan not found' }).waitFor();
});

it('a viewer sees no decisions', async () => {
  const plan = await postPlan(service, acme.owner);
  const { page } = await open(plan, acme.viewer);
  for (const name of ['Approve', 'Request changes', 'Request review'])
    await expect(page.getByRole('button', { name }).count(), name).resolves.toBe(0);
  await press(page, 'More actions');
  await expect(page.getByRole('menuitem').allTextContents()).resolves.toEqual(['Copy link']);
});
