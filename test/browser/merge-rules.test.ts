/** Merge rules in the browser: set on their page by an admin, and what the header of a pull request makes of them for each person. */
import { expect, it } from 'vitest';
import { withSession } from '../helpers/service/harness.ts';
import {
  expectAccessibleAsShown,
  expectAccessibleAtBothWidths,
  startBrowser,
  startServiceWithPages,
  untilLoaded,
} from './browser.ts';
import { eventually } from './eventually.ts';
import { samplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED, { worker: true });
const { newPerson } = await startBrowser();
const { acme } = service;

it('are set, changed and deleted; each person sees what is missing and their own next step', async () => {
  const sample = await samplePullRequest(service, {
    title: 'Cache the list',
    before: { 'a.txt': 'one\n' },
    after: { 'a.txt': 'two\n' },
  });
  const { page: admin } = await newPerson(service.url, { as: acme.admin });
  await admin.goto('/settings/merge-rules');
  await untilLoaded(admin, 'Merge rules');
  await admin.getByText('one approval of their newest commit').waitFor();
  await admin.getByRole('button', { name: 'Add rule' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel('Approvals', { exact: true }).fill('2');
  await dialog.getByRole('button', { name: 'Add status' }).click();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await dialog.getByText('Name each required status, or remove it.').waitFor();
  await dialog.getByLabel('Status', { exact: true }).fill('ci/test');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await dialog.getByText('Choose who can set the status ci/test.').waitFor();
  await dialog.getByText('Members who can set it').click();
  await dialog
    .getByRole('group', { name: 'Required statuses' })
    .getByRole('checkbox', { name: /Acme member/ })
    .check();
  await dialog.getByLabel('Who can merge').selectOption({ label: 'Only people chosen here' });
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await dialog.getByText('Choose who can merge.').waitFor();
  await dialog
    .getByRole('checkbox', { name: /Acme owner/ })
    .last()
    .check();
  await expectAccessibleAsShown(admin, 'the form of a merge rule');
  await dialog.getByRole('button', { name: 'Save rule' }).press('Enter');
  await admin.getByText('Status ci/test, set by Acme member').waitFor();
  await admin.getByText('Acme owner can merge').waitFor();

  const { page: author } = await newPerson(service.url, { as: acme.member, phone: true });
  await author.goto(`/pull-requests/${sample.id}`);
  const box = author.getByRole('region', { name: 'Next step and merging' });
  await box.getByText('No conflicts with main').waitFor();
  await box.getByText('Automatic review: no problems found in 1 file.').waitFor();
  await box.locator('summary', { hasText: /of \d merge requirements met/ }).press('Enter');
  await box.getByText('2 approvals needed').waitFor();
  await box.getByText('ci/test is not set yet').waitFor();
  await expectAccessibleAtBothWidths(author, 'the header of a pull request');

  // Someone else's page: what the author does there next is not what this person does.
  const { page: owner } = await newPerson(service.url, { as: acme.owner, dark: true });
  await owner.goto(`/pull-requests/${sample.id}`);
  await owner.getByRole('link', { name: 'Review 1 changed file' }).waitFor();
  await sample.post(acme.admin, 'reviews', { verdict: 'approved', commit: sample.head });
  await sample.post(acme.owner, 'reviews', { verdict: 'approved', commit: sample.head });
  await box.getByText('Approved by').waitFor();
  await eventually(() => box.innerText()).not.toContain('2 approvals needed');
  const reply = await service.request('POST', '/api/v2/commit-statuses', {
    as: withSession(acme.member),
    body: { repository: sample.repository.fullName, commit: sample.head, name: 'ci/test', state: 'success' },
  });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  await owner.getByText('Merge rule met').waitFor();
  await eventually(() => box.innerText()).toContain('Acme owner can');

  await admin.getByRole('button', { name: 'Edit the rule for main in every repository' }).click();
  await dialog.getByRole('button', { name: 'Remove ci/test' }).click();
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await eventually(() => admin.getByText('ci/test').count()).toBe(0);
  await admin.getByRole('button', { name: 'Delete the rule for main in every repository' }).click();
  await dialog.getByRole('button', { name: 'Delete rule' }).click();
  await admin.getByText('No merge rules yet').waitFor();
});
