/** The list of pull requests: filters in the address, keyboard navigation, opening one, and where else they are shown. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addRepository } from '../helpers/rows/code.ts';
import { makePullRequest, makeRepositoryRow } from '../helpers/rows/pull-requests.ts';
import { withSession } from '../helpers/service/harness.ts';
import { expectAccessibleAsShown, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED);
const { newPerson } = await startBrowser();
const { acme } = service;

const shop = await makeRepositoryRow(service, acme.id, { name: 'acme/web-shop' });
const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
const mine = await makePullRequest(service, shop, { title: 'Cache the product list', author: acme.member });
await makePullRequest(service, api, { title: 'Move invoices to events', author: acme.owner });
await makePullRequest(service, api, { title: 'Merged long ago', author: acme.owner, state: 'merged' });
const asked = await service.request('POST', `/api/v2/pull-requests/${mine.id}/review-requests`, {
  as: withSession(acme.member),
  body: { userIds: [acme.admin.userId] },
});
expect(asked.status, JSON.stringify(asked.body)).toBe(200);

const titlesOn = (page: Page) =>
  page.getByRole('list', { name: 'Pull requests', exact: true }).getByRole('link').allTextContents();
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describe('the list of pull requests', () => {
  it('filters by person, state, repository and words; each is in the address', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/pull-requests');
    await untilLoaded(page, 'Pull requests');
    await expect(titlesOn(page).then((titles) => titles.sort())).resolves.toEqual([
      'Cache the product list',
      'Move invoices to events',
    ]);
    await page.getByRole('link', { name: /Waiting for me/ }).click();
    await eventually(() => titlesOn(page)).toEqual(['Cache the product list']);
    expect(searchOf(page)).toEqual({ scope: 'waiting' });
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByLabel('Repository').selectOption('acme/api');
    await page.getByLabel('State').selectOption('Any state');
    await eventually(async () => (await titlesOn(page)).length).toBe(2);
    await page.getByLabel('Search pull requests').fill('invoices');
    await eventually(() => titlesOn(page)).toEqual(['Move invoices to events']);
    expect(searchOf(page)).toEqual({ repositoryId: api.id, state: 'all', search: 'invoices' });
    await page.reload();
    await untilLoaded(page, 'Pull requests');
    await expect(titlesOn(page)).resolves.toEqual(['Move invoices to events']);
  });

  it('is reached by keyboard, by the navigation with a count, by home, by reviews, by a repository and by the palette', async () => {
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto('/');
    await page.getByRole('list', { name: 'Pull requests waiting for your review' }).waitFor();
    const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Pull requests/ });
    await eventually(() => entry.innerText()).toMatch(/Pull requests\s+1\s+waiting for you/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('product list');
    await page.getByRole('option', { name: /acme\/web-shop#1/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await untilLoaded(page, 'To review');
    await page.getByRole('list', { name: 'Pull requests that need your review' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await untilLoaded(page, 'Pull requests');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Pull request views' }).waitFor();
    await page.goto(`/repositories/${api.id}`);
    await page
      .getByRole('navigation', { name: 'Repository' })
      .getByRole('link', { name: 'Pull requests' })
      .click();
    await eventually(() => titlesOn(page)).toEqual(['Move invoices to events']);
  });

  it('gets labels and assignees by keyboard, others see them at once, and the list filters by them', async () => {
    const { page: watching } = await newPerson(service.url, { as: acme.viewer, dark: true, phone: true });
    const { page } = await newPerson(service.url, { as: acme.member });
    for (const each of [page, watching]) await each.goto(`/pull-requests/${mine.id}`);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Add labels' }).press('Enter');
    await dialog.getByLabel('Find or add a label').waitFor();
    await page.keyboard.type('speed');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Backend work');
    await page.keyboard.press('Enter');
    await dialog.getByRole('checkbox', { name: 'Backend work', checked: true }).waitFor();
    await expectAccessibleAsShown(page, 'the dialog with labels');
    await page.keyboard.press('Enter');
    for (const each of [page, watching])
      await each.getByRole('region', { name: 'Labels' }).getByText('Backend work').waitFor();
    await eventually(() => page.evaluate('document.activeElement.textContent')).toBe('Edit labels');

    await page.getByRole('button', { name: 'Assign people' }).press('Enter');
    await dialog.getByLabel('Find people').fill('admin');
    await dialog.getByRole('checkbox', { name: /Acme admin/ }).press('Space');
    await expectAccessibleAsShown(page, 'the dialog with people');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    for (const each of [page, watching])
      await each.getByRole('region', { name: 'Assignees' }).getByText('Acme admin').waitFor();
    await expectAccessibleAsShown(watching, 'labels and assignees');
    expect(await watching.getByRole('button', { name: /labels|assign/i }).count()).toBe(0);

    await page.goto('/pull-requests');
    await untilLoaded(page, 'Pull requests');
    await page.getByLabel('Label').selectOption('speed');
    await eventually(() => titlesOn(page)).toEqual(['Cache the product list']);
    await page.getByLabel('Assignee').selectOption('Acme viewer');
    await page.getByText('No matching pull requests').waitFor();
    await page.getByLabel('Assignee').selectOption('Acme admin');
    await eventually(() => titlesOn(page)).toEqual(['Cache the product list']);
    expect(searchOf(page)).toEqual({ label: 'speed', assigneeId: acme.admin.userId });
    await page.getByLabel('Requested reviewer').selectOption('Acme owner');
    await page.getByText('No matching pull requests').waitFor();
    await page.goto(`/pull-requests/${mine.id}?view=activity`);
    await page.getByText('added the labels speed and Backend work').waitFor();
    await page.getByText('assigned Acme admin').waitFor();
  });

  it('opens a pull request between two branches with the template of the repository, and changes its base and state', async () => {
    const files = {
      'a.txt': 'a\n',
      '.github/PULL_REQUEST_TEMPLATE.md': '## Why\n',
      'docs/pull_request_template.md': 'Not this one.\n',
    };
    const repository = await addRepository(service, files, { fullName: 'acme/plain' });
    await repository.commit({ 'a.txt': 'b\n' }, { branch: 'topic/one', from: 'main', message: 'Change' });
    await repository.commit({ 'a.txt': 'b\n' }, { branch: 'topic/add-a_page', from: 'main' });
    await repository.commit({ 'b.txt': 'b\n' }, { branch: 'topic/add-a_page' });
    await repository.git('branch', 'release', 'main');
    await repository.refresh();
    const { page } = await newPerson(service.url, { as: acme.member });
    await page.goto('/pull-requests');
    await untilLoaded(page, 'Pull requests');
    await page.getByRole('button', { name: 'Open pull request' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Repository').selectOption('acme/plain');
    await dialog.getByPlaceholder('main', { exact: true }).waitFor();
    await dialog.locator('#branches-head option[value="topic/one"]').waitFor({ state: 'attached' });
    await eventually(() => dialog.getByLabel('Description (optional)').inputValue()).toBe('## Why\n');
    await dialog.getByLabel('Head branch').fill('topic/one');
    await eventually(() => dialog.getByLabel('Title').inputValue()).toBe('Change');
    await dialog.getByLabel('Head branch').fill('topic/add-a_page');
    await eventually(() => dialog.getByLabel('Title').inputValue()).toBe('Add a page');
    await dialog.getByLabel('Title').fill('Change a');
    await dialog.getByLabel('Head branch').fill('topic/missing');
    await dialog.getByRole('button', { name: 'Open pull request' }).click();
    await dialog.getByRole('alert').or(dialog.locator('[aria-invalid=true]')).first().waitFor();
    await dialog.getByLabel('Head branch').fill('topic/one');
    await dialog.getByRole('button', { name: 'Open pull request' }).click();
    await untilLoaded(page, /Change a/);
    await page.getByText('topic/one').first().waitFor();
    await page.getByRole('heading', { name: 'Why' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('Base branch').fill('release');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByTitle('Base branch: release').waitFor();

    // Another person saves a description meanwhile: both texts are shown, and each can be saved.
    const path = `/api/v2/pull-requests/${page.url().split('/').at(-1)!.split('?')[0]}`;
    const describe = (description: string) =>
      service.request('PATCH', path, { as: withSession(acme.admin), body: { description } });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await dialog.getByLabel('Description').fill('Mine.');
    await describe('Theirs.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const theirs = dialog.getByRole('region', { name: 'Saved by Acme admin' });
    await eventually(() => theirs.getByRole('textbox').inputValue()).toBe('Theirs.');
    await expectAccessibleAsShown(page, 'two descriptions');
    await dialog.getByRole('button', { name: 'Use this text' }).click();
    await eventually(() => dialog.getByLabel('Description').inputValue()).toBe('Theirs.');
    const own = dialog.getByRole('region', { name: 'Your text' });
    await eventually(() => own.getByRole('textbox').inputValue()).toBe('Mine.');
    await dialog.getByRole('button', { name: 'Use my text' }).click();
    await describe('Theirs again.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await eventually(() => theirs.getByRole('textbox').inputValue()).toBe('Theirs again.');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Mine.').first().waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Convert to draft' }).click();
    await page.getByRole('button', { name: 'Ready for review' }).click();
    await eventually(() => page.getByRole('button', { name: 'Ready for review' }).count()).toBe(0);
  });
});
