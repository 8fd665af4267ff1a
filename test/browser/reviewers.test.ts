/** Reviewers, conditions of settings, and excluded paths, in the browser. */
import { expect, inject, it } from 'vitest';
import { reviewNow, scriptedFinding } from '../code-hosts/scripted-review.ts';
import { addRepository } from '../helpers/rows/code.ts';
import { startTestService, withSession } from '../helpers/service/harness.ts';
import { expectAccessibleAtBothWidths, startBrowser, untilLoaded } from './browser.ts';
import { samplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startTestService({ webAppFolder: inject('webAppFolder'), settings: LOCAL_ALLOWED });
const { newPerson } = await startBrowser();
const { acme } = service;
const repository = await addRepository(service, { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'dist/c.js': 'c\n' });

it('a reviewer is created with a preview of its files, edited, compared, activated, turned off and deleted', async () => {
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto('/reviewers');
  await untilLoaded(page, 'Reviewers');
  await page.getByText('No custom reviewers yet').waitFor();
  await page.getByRole('link', { name: 'Create reviewer' }).click();
  await untilLoaded(page, 'Create reviewer');
  await page.getByRole('button', { name: 'Create reviewer' }).click();
  await page.getByText('This field is required.').first().waitFor();
  await page.getByLabel('Title').fill('No console');
  await page.getByLabel('Kind').selectOption('rules');
  await page.getByRole('textbox', { name: 'Rules' }).fill('id: a\nlanguage: nope\nrule: {kind: x}\n');
  await page.getByLabel('Repository').selectOption(repository.id);
  await page.getByLabel('Paths').fill('src/');
  await page.getByText('2 files match').waitFor();
  await page.getByRole('button', { name: 'Create reviewer' }).click();
  const mistakes = page.getByText(/Line 2, column 11: nope is not a language/i);
  // In the preview too.
  await mistakes.nth(1).waitFor();
  await expectAccessibleAtBothWidths(page, 'the editor with an error');
  await page.getByRole('textbox', { name: 'Rules' }).fill('id: a\nlanguage: ts\nrule: {kind: identifier}\n');
  await page.getByText('2 matches in 2 files').waitFor();
  await page.getByRole('button', { name: 'Create reviewer' }).click();
  await untilLoaded(page, 'No console');

  await page.getByRole('link', { name: 'Edit' }).click();
  await untilLoaded(page, 'Edit No console');
  await page.getByRole('textbox', { name: 'Rules' }).fill('id: a\nlanguage: ts\nrule: {kind: number}\n');
  await page.getByRole('button', { name: 'Save version' }).click();
  await untilLoaded(page, 'No console');
  await page.getByRole('button', { name: 'Compare version 2' }).click();
  await expect(page.getByLabel('Difference').textContent()).resolves.toMatch(
    /- rule: \{kind: identifier\}\+ rule: \{kind: number\}/,
  );
  await page.getByRole('button', { name: 'Activate version 1' }).click();
  await page.getByRole('dialog').getByText('It wasn’t tried on past pull requests').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('button', { name: 'Activate version 2' }).waitFor();
  await page.getByRole('switch', { name: 'No console is on', checked: true }).click();
  await page.getByRole('switch', { name: 'No console is on', checked: false }).waitFor();

  const viewer = await newPerson(service.url, { as: acme.viewer });
  await viewer.page.goto(page.url());
  await untilLoaded(viewer.page, 'No console');
  await expect(viewer.page.getByRole('switch', { name: 'No console is on' }).isDisabled()).resolves.toBe(
    true,
  );
  await expect(viewer.page.getByRole('link', { name: 'Edit' }).count()).resolves.toBe(0);

  await page.getByRole('button', { name: 'Delete reviewer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete reviewer' }).click();
  await untilLoaded(page, 'Reviewers');
  await page.getByText('No custom reviewers yet').waitFor();
  await page.getByRole('link', { name: 'Secrets' }).click();
  await page.getByText('Every added line.').waitFor();
});

it('conditions and excluded paths are saved, shown and recorded', async () => {
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto('/settings/organization');
  await untilLoaded(page, 'Organization');
  await page.getByRole('button', { name: 'Conditions for Review every push' }).click();
  await page.getByLabel('Authors').fill('ada');
  await page.getByLabel('Maximum changed lines').fill('2000');
  await page.getByRole('button', { name: 'Save conditions' }).click();
  await page.getByText('by ada; at most 2,000 changed lines').waitFor();
  await page.getByRole('button', { name: 'History of Review every push' }).click();
  await page.getByRole('dialog').getByText('Only if: by ada').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Exclude paths' }).click();
  await page.getByRole('textbox', { name: 'Paths' }).fill('../x\ndist/\n/');
  await page.getByRole('button', { name: 'Save paths' }).click();
  await page.getByText(/^\.\.\/x uses \.\., but .+\n\/ names no file or folder/).waitFor();
  await page.getByRole('textbox', { name: 'Paths' }).fill('dist/');
  await page.getByText('1 file matches').waitFor();
  await page.getByRole('button', { name: 'Save paths' }).click();
  await page.getByRole('button', { name: `History of ${repository.fullName}` }).click();
  await page.getByRole('dialog').getByText('dist/').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('dismissals are listed, filtered and undone by keyboard; viewers only read them', async () => {
  const pullRequest = await samplePullRequest(service, {
    ...{ title: 'Dates', before: { 'src/a.ts': 'a\n' }, after: { 'src/a.ts': 'b\n' } },
  });
  await reviewNow(service, acme, pullRequest.id, [scriptedFinding({})]);
  const as = withSession(acme.member);
  const path = `/api/v2/pull-requests/${pullRequest.id}/discussions`;
  const [discussion] = (await service.request('GET', path, { as })).body.discussions;

  const { page } = await newPerson(service.url, { as: acme.member });
  await page.goto('/reviewers');
  await untilLoaded(page, 'Reviewers');
  await page.getByRole('link', { name: 'Dismissals' }).click();
  await untilLoaded(page, 'Dismissals');
  await page.getByText('No dismissals').waitFor();
  await service.request('POST', `/api/v2/discussions/${discussion.id}/dismissal`, {
    as,
    body: { reason: 'later', scope: 'path', note: 'After the release.' },
  });
  await page.reload();
  const row = page.getByRole('row', { name: /A focused test hides the others/ });
  for (const text of ['All findings of this check in src/a.ts', 'to be fixed later: After the release.'])
    await row.getByText(text).waitFor();
  await page.getByLabel('Repository').selectOption(repository.id);
  await page.getByText('No matching dismissals').waitFor();
  await page.getByLabel('Repository').selectOption(pullRequest.repository.id);
  await row.waitFor();

  const viewer = await newPerson(service.url, { as: acme.viewer });
  await viewer.page.goto('/reviewers/dismissals');
  await viewer.page.getByRole('row', { name: /A focused test/ }).waitFor();
  await expect(viewer.page.getByRole('button', { name: /^Undo/ }).count()).resolves.toBe(0);

  await row.getByRole('button', { name: 'Undo the dismissal of A focused test hides the others' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Undo this dismissal?' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Dismissal undone', { exact: true }).waitFor();
  await page.getByText('No matching dismissals').waitFor();
  await page.goto(`/pull-requests/${pullRequest.id}?discussion=${discussion.id}`);
  await page.getByText('Dismissal undone.').first().waitFor();
});
