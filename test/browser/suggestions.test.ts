/** Suggestions in the browser: collected by keyboard, applied in one commit, and seen at once by another person on a phone. */
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Person } from '../helpers/service/factories.ts';
import {
  expectAccessibleAsShown,
  expectAccessibleAtBothWidths,
  startBrowser,
  startServiceWithPages,
} from './browser.ts';
import { eventually } from './eventually.ts';
import { samplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED, { worker: true });
const { newPerson } = await startBrowser();
const { acme } = service;

/** Settled discussions are folded, as soon as that is known. */
async function countShown(page: Page, text: string): Promise<number> {
  const folded = page.getByRole('button', { name: 'Show discussion' });
  while ((await folded.count()) > 0) await folded.first().click();
  return page.getByText(text).count();
}

it('applies several suggestions in one commit, says why the server refused, and others see it at once', async () => {
  const pullRequest = await samplePullRequest(service, {
    title: 'Count the rows',
    before: { 'a.txt': 'one\ntwo\nthree\n' },
    after: { 'a.txt': 'one\n2\nthree\n', 'b.txt': 'four\nfive\n' },
  });
  const { git, folder } = pullRequest.repository;
  const suggest = (as: Person, file: string, startLine: number, endLine: number, text: string) =>
    pullRequest.post(as, 'discussions', {
      ...{ file, startLine, endLine, body: `Rather:\n\`\`\`suggestion\n${text}\n\`\`\`` },
    });
  await suggest(acme.admin, 'a.txt', 2, 2, 'zwei');
  await suggest(acme.owner, 'a.txt', 1, 2, 'eins\ndos');
  await suggest(acme.owner, 'b.txt', 1, 1, 'vier');
  await suggest(acme.admin, 'b.txt', 2, 2, 'fünf');

  const { page: watching } = await newPerson(service.url, { as: acme.owner, dark: true, phone: true });
  await watching.goto(`/pull-requests/${pullRequest.id}`);
  const { page } = await newPerson(service.url, { as: acme.member });
  await page.goto(`/pull-requests/${pullRequest.id}?view=files`);
  const cards = page.getByRole('article');
  await eventually(() => cards.getByRole('button', { name: 'Add to batch' }).count()).toBe(4);

  // Only the first of two for the same lines.
  const bar = page.getByRole('region', { name: 'Suggestions to apply' });
  await page.keyboard.press('n');
  await page.keyboard.press('b');
  await bar.getByText('1 suggestion in the batch').waitFor();
  await page.getByText('Another one in the batch changes these lines.').waitFor();
  await cards.filter({ hasText: 'vier' }).getByRole('button', { name: 'Add to batch' }).click();
  await bar.getByText('2 suggestions in the batch').waitFor();
  await expectAccessibleAtBothWidths(page, 'a batch of suggestions');

  const dialog = page.getByRole('dialog');
  await bar.getByRole('button', { name: 'Apply 2 suggestions…' }).press('Enter');
  await dialog.getByText('b.txt:1').waitFor();
  await dialog.getByLabel('Commit message').fill('Count in German');
  await expectAccessibleAsShown(page, 'the dialog of suggestions');
  const hook = join(folder, 'hooks', 'pre-receive');
  await writeFile(hook, '#!/bin/sh\necho "Freeze until Monday."\nexit 1\n');
  await chmod(hook, 0o755);
  const apply = dialog.getByRole('button', { name: 'Apply 2 suggestions' });
  await apply.click();
  await dialog.getByText('Freeze until Monday.').waitFor();
  await rm(hook);
  await apply.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await bar.waitFor({ state: 'detached' });
  for (const each of [page, watching]) {
    await eventually(() => countShown(each, 'Applied by Acme member in')).toBe(2);
    await eventually(() => countShown(each, 'Outdated: these lines changed after the suggestion.')).toBe(1);
  }
  await expectAccessibleAtBothWidths(watching, 'applied suggestions');
  expect(await git('show', 'feature:a.txt')).toBe('one\nzwei\nthree');
  expect(await git('show', 'feature:b.txt')).toBe('vier\nfive');
  const message = await git('show', '-s', '--format=%an|%B', 'feature');
  expect(message).toMatch(/^Acme member\|Count in German\n\n/);
  for (const { email, name } of [acme.admin, acme.owner])
    expect(message).toContain(`Co-authored-by: ${name} <${email}>`);

  // One alone, with a key; the page follows the head that its person made.
  expect(await page.getByRole('button', { name: 'Show latest' }).count()).toBe(0);
  const last = page.getByRole('article').filter({ hasText: 'fünf' });
  await last.getByRole('button', { name: 'Apply…' }).waitFor();
  // The new files are still being laid out, which ends a selection.
  await eventually(async () => {
    await last.getByText('Rather:').click();
    return last.locator('kbd', { hasText: 'a' }).count();
  }).toBe(1);
  await page.keyboard.press('a');
  await dialog.getByRole('button', { name: 'Apply suggestion' }).click();
  await eventually(() => countShown(watching, 'Applied by Acme member in')).toBe(3);
  await watching.getByRole('link', { name: 'Activity' }).click();
  await watching.getByText(/applied 2 suggestions in/).waitFor();
});
