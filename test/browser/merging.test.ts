/** Merging in the browser: two people see the same, a bypass stays on the page, and a refusal of the server is shown. */
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
  await watching.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();

  const hook = join(pullRequest.repository.folder, 'hooks', 'pre-receive');
  await writeFile(hook, '#!/bin/sh\necho "Freeze until Monday."\nexit 1\n');
  await chmod(hook, 0o755);
  const merge = async () => {
    await page.getByRole('button', { name: 'Merge…' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /Squash/ }).check();
    await expect(dialog.getByLabel('Commit message').inputValue()).resolves.toMatch(
      /^Cache the list \(#\d+\)\n\nIt is read on every page\.$/,
    );
    await dialog.getByLabel('Reason').fill('The site is down.');
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
    await each.getByText('bypassed the merge rule: The site is down.').waitFor();
  }
  await expectAccessibleAtBothWidths(watching, 'a merged pull request');
  await expect(pullRequest.repository.git('log', '-1', '--format=%s', 'main')).resolves.toMatch(
    /^Cache the list/,
  );
});
