/** Merging in the browser: two people see the same, a bypass stays on the page, and a refusal of the server is shown. */
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withSession } from '../helpers/service/harness.ts';
import {
  expectAccessibleAsShown,
  expectAccessibleAtBothWidths,
  startBrowser,
  startServiceWithPages,
} from './browser.ts';
import { samplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED, { worker: true });
const { newPerson } = await startBrowser();
const { acme } = service;

it('merges by keyboard with a message, says why the server refused, and others see it at once', async () => {
  const pullRequest = await samplePullRequest(service, {
    title: 'Cache the list',
    description: 'It is read on every page.',
    before: { 'a.txt': 'one\n' },
    after: { 'a.txt': 'two\n' },
  });
  const { page: watching } = await newPerson(service.url, { as: acme.member, dark: true });
  await watching.goto(`/pull-requests/${pullRequest.id}`);
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto(`/pull-requests/${pullRequest.id}`);
  await page.getByText('No conflicts with main').first().waitFor();

  // A member can't go around the rule.
  await watching.getByRole('button', { name: 'Merge…' }).click();
  await watching.getByText('Not ready yet:').waitFor();
  await watching.getByRole('button', { name: 'Merge when ready' }).waitFor();
  expect(await watching.getByRole('checkbox', { name: /Bypass/ }).count()).toBe(0);
  await watching.getByRole('button', { name: 'Cancel' }).click();

  await service.request('POST', `/api/v2/pull-requests/${pullRequest.id}/reviews`, {
    ...{ as: withSession(acme.owner), body: { verdict: 'changes_requested', note: 'Please wait.' } },
  });
  expect(await watching.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
  await page.getByRole('button', { name: `Dismiss the review of ${acme.owner.name}` }).press('Enter');
  const question = page.getByRole('dialog', { name: /request for changes/ });
  await question.getByRole('button', { name: 'Dismiss review' }).click();
  await question.getByText('This field is required.').waitFor();
  await question.getByLabel('Reason').fill('It was agreed on the phone.');
  await expectAccessibleAsShown(page, 'the dialog that dismisses a review');
  await question.getByRole('button', { name: 'Dismiss review' }).press('Enter');
  for (const each of [page, watching])
    await each
      .getByRole('list', { name: 'Reviewers' })
      .getByText(`dismissed by ${acme.admin.name}: It was agreed on the phone.`)
      .waitFor();

  const hook = join(pullRequest.repository.folder, 'hooks', 'pre-receive');
  await writeFile(hook, '#!/bin/sh\necho "Freeze until Monday."\nexit 1\n');
  await chmod(hook, 0o755);
  const merge = async () => {
    await page.getByRole('button', { name: 'Merge…' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /Squash/ }).check();
    await expect(dialog.getByLabel('Commit message').inputValue()).resolves.toMatch(
      /^Cache the list \(#\d+\)\n\nIt is read on every page\.\n\nPull-Request: http\S+$/m,
    );
    await dialog.getByRole('checkbox', { name: 'Bypass the merge rule and merge now' }).check();
    await dialog.getByLabel('Reason').fill('The site is down.');
    await dialog.getByRole('checkbox', { name: 'Delete feature after merging' }).check();
    await expectAccessibleAsShown(page, 'the merge dialog');
    await dialog.getByRole('button', { name: 'Bypass the rule and merge' }).press('Enter');
  };
  await merge();
  await page.getByText('Freeze until Monday.').waitFor();
  await watching.getByText('Freeze until Monday.').waitFor();
  await expectAccessibleAtBothWidths(page, 'a failed merge');

  await rm(hook);
  await merge();
  for (const each of [page, watching]) {
    await each.getByText(/squashed and merged this as/).waitFor();
    await each.locator('header').getByText('bypassed the merge rule: The site is down.').waitFor();
    const conversation = each.getByRole('list', { name: 'Conversation' });
    await conversation.getByText(`${acme.admin.name} squashed and merged this into main as`).waitFor();
    await conversation.getByText('Bypassed the merge rule: The site is down.').waitFor();
  }
  for (const each of [page, watching]) await each.getByText('The branch feature was deleted').waitFor();
  await expectAccessibleAtBothWidths(watching, 'a merged pull request');
  await watching.getByRole('button', { name: 'Restore branch' }).press('Enter');
  for (const each of [page, watching])
    await each.getByText('The branch feature was deleted').waitFor({ state: 'detached' });
  await expectAccessibleAtBothWidths(page, 'a branch that can be deleted');
  await page.getByRole('button', { name: 'Delete branch' }).press('Enter');
  for (const each of [page, watching]) {
    await each.getByText('The branch feature was deleted').waitFor();
    await each.getByText(`${acme.admin.name} deleted the branch feature`).nth(1).waitFor();
  }
  await expect(pullRequest.repository.git('log', '-1', '--format=%s', 'main')).resolves.toMatch(
    /^Cache the list/,
  );
});

it('merges when it is ready, shown to both, and reverts once although both click', async () => {
  const pullRequest = await samplePullRequest(service, {
    title: 'Read it twice',
    before: { 'a.txt': 'one\n' },
    after: { 'a.txt': 'two\n' },
  });
  const { page: mine } = await newPerson(service.url, { as: acme.member });
  const { page: other } = await newPerson(service.url, { as: acme.admin, dark: true });
  for (const page of [mine, other]) {
    await page.goto(`/pull-requests/${pullRequest.id}`);
    await page.getByText('No conflicts with main').first().waitFor();
  }
  const turnOn = async () => {
    await mine.getByRole('button', { name: 'Merge…' }).click();
    const dialog = mine.getByRole('dialog');
    await dialog.getByRole('radio', { name: /Squash/ }).check();
    await dialog.getByLabel('Commit message').fill('Read it once');
    await expectAccessibleAsShown(mine, 'the dialog to merge when ready');
    await dialog.getByRole('button', { name: 'Merge when ready' }).click();
    await mine.getByText('Squashes and merges when ready, for you').waitFor();
    await other.getByText(`Squashes and merges when ready, for ${acme.member.name}`).waitFor();
  };
  await turnOn();
  await expectAccessibleAtBothWidths(other, 'a merge that waits');
  await other.getByRole('button', { name: 'Turn off' }).click();
  await mine.getByText('when ready, for you').waitFor({ state: 'detached' });
  await turnOn();

  await other.getByRole('button', { name: 'Review', exact: true }).click();
  await other.getByRole('radio', { name: /Approve/ }).check();
  await other.getByRole('dialog').locator('button[type=submit]').click();
  for (const page of [mine, other])
    await page.getByText(`${acme.member.name} squashed and merged this as`).waitFor();
  await expect(pullRequest.repository.git('log', '-1', '--format=%an|%s', 'main')).resolves.toMatch(
    /Read it once$/,
  );

  await expectAccessibleAtBothWidths(mine, 'a merge that can be reverted');
  for (const page of [mine, other]) await page.getByRole('button', { name: 'Revert…' }).click();
  await mine.getByRole('dialog', { name: 'Revert #1?' }).getByText('main stays as it is').waitFor();
  await expectAccessibleAsShown(mine, 'the dialog that reverts');
  await Promise.all(
    [mine, other].map((page) => page.getByRole('button', { name: 'Open the revert' }).press('Enter')),
  );
  for (const page of [mine, other])
    await page.getByRole('heading', { name: /Revert "Read it twice"/ }).waitFor();
  expect(new URL(mine.url()).pathname).toBe(new URL(other.url()).pathname);
  await mine.goto(`/pull-requests/${pullRequest.id}`);
  await mine.getByText(/^Being reverted by/).waitFor();

  // One request has everything that the header shows: it is complete although all others fail.
  const { allow, page: slow } = await newPerson(service.url, { as: acme.viewer });
  allow(/net::ERR_FAILED/);
  const needed = ['/api/v2/session', `/api/v2/pull-requests/${pullRequest.id}`];
  await slow.route('**/api/v2/**', (route) =>
    needed.includes(new URL(route.request().url()).pathname) ? route.continue() : route.abort(),
  );
  await slow.goto(`/pull-requests/${pullRequest.id}`);
  const header = slow.locator('header').filter({ has: slow.getByRole('heading', { name: /Read it twice/ }) });
  for (const text of [
    /Merged/,
    /Approved/,
    /no problems found/i,
    /squashed and merged this/,
    /Being reverted by/,
  ])
    await header.getByText(text).first().waitFor();

  await mine.getByRole('link', { name: '#2', exact: true }).first().click();
  await mine.getByText('Reverts #1').first().waitFor();
});
