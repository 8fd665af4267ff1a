/** Two people: names that are completed, links to what texts refer to, and the inbox of who is mentioned or watches. */
import { expect, it } from 'vitest';
import { addRepository } from '../helpers/rows/code.ts';
import { postPlan } from '../helpers/rows/plans.ts';
import { withSession } from '../helpers/service/harness.ts';
import { expectAccessibleAsShown, startBrowser, startServiceWithPages } from './browser.ts';
import { eventually } from './eventually.ts';
import { cachedListPullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED, { worker: true });
const { newPerson } = await startBrowser();
const { acme } = service;

it('completes a name, links a pull request, and notifies who is mentioned', async () => {
  const sample = await cachedListPullRequest(service);
  const path = `/api/v2/pull-requests/${sample.id}`;
  const { body: pullRequest } = await service.request('GET', path, { as: withSession(acme.admin) });
  const { page: reader } = await newPerson(service.url, { as: acme.admin });
  await reader.goto(`/pull-requests/${sample.id}`);
  await reader.getByRole('heading', { level: 1 }).waitFor();
  const { page: writer } = await newPerson(service.url, { as: acme.member });
  await writer.goto(`/pull-requests/${sample.id}`);
  const area = writer.getByRole('textbox', { name: /comment/i }).first();
  await area.click();
  await area.pressSequentially('Ask @acme');
  const people = writer.getByRole('listbox', { name: 'People and teams' });
  await people.waitFor();
  await expectAccessibleAsShown(writer, 'completion');
  const admin = people.getByRole('option').filter({ hasText: acme.admin.name });
  await admin.click();
  await eventually(() => area.inputValue()).toMatch(/^Ask @\S+ $/);
  await area.pressSequentially(
    `about #${pullRequest.number}, ${sample.head.slice(0, 10)}, not acme/none#1 or \`#${pullRequest.number}\``,
  );
  await area.press('Control+Enter');
  const link = reader.getByRole('link', { name: `#${pullRequest.number}`, exact: true });
  await link.waitFor();
  await expect(link.getAttribute('href')).resolves.toBe(`/pull-requests/${sample.id}`);
  await expect(reader.getByRole('link', { name: 'acme/none#1' }).count()).resolves.toBe(0);
  await reader.getByRole('link', { name: sample.head.slice(0, 10), exact: true }).waitFor();
  // One in the text, none in the code.
  await expect(link.count()).resolves.toBe(1);
  await reader.goto('/');
  await reader.getByText('mentioned you in').first().waitFor();
  await reader.goto('/inbox');
  await reader.getByText('mentioned you in').first().waitFor();
});

it('completes by key in a dialog, which Escape leaves open, and in a plan', async () => {
  const sample = await cachedListPullRequest(service);
  const { page } = await newPerson(service.url, { as: acme.member });
  await page.goto(`/pull-requests/${sample.id}`);
  await page.getByRole('button', { name: 'Review', exact: true }).first().click();
  const note = page.getByRole('dialog').getByRole('textbox');
  await note.pressSequentially('Hm @adm');
  const people = page.getByRole('listbox', { name: 'People and teams' });
  await people.waitFor();
  await note.press('Escape');
  await people.waitFor({ state: 'hidden' });
  await note.pressSequentially('i');
  await people.waitFor();
  await note.press('Enter');
  await eventually(() => note.inputValue()).toBe('Hm @admin ');
  await note.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  const { seriesId } = (
    await postPlan(service, acme.member, { content: '# Move\n\nFor @admin and `@admin`.' })
  ).body;
  await page.goto(`/plans/${seriesId}`);
  await eventually(() => page.getByTitle(acme.admin.name, { exact: true }).count()).toBe(1);
});

it('is watched by choice: paths of a repository, chosen on its page, come into the inbox', async () => {
  const repository = await addRepository(
    service,
    { 'src/a.ts': 'a\n', 'docs/a.md': 'a\n' },
    { fullName: 'acme/watched' },
  );
  const root = await repository.git('rev-parse', 'main');
  await service.request('POST', '/api/v2/teams', {
    as: withSession(acme.admin),
    body: { name: 'core', userIds: [acme.viewer.userId] },
  });
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto(`/repositories/${repository.id}`);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Pull requests that change some paths' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This field is required.').waitFor();
  await dialog.getByRole('textbox', { name: 'Paths' }).fill('src/**\n*.sql');
  await expectAccessibleAsShown(page, 'watching');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Watching' }).click();
  await dialog.getByRole('combobox', { name: 'Who watches' }).selectOption({ label: 'Team core' });
  await dialog.getByRole('radio', { name: 'All pull requests' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  for (const [branch, file] of [
    ['docs', 'docs/a.md'],
    ['code', 'src/a.ts'],
  ] as const) {
    await repository.commit({ [file]: 'b\n' }, { branch, from: root });
    await repository.refresh();
    const body = { repository: 'acme/watched', head: branch, title: `Change ${branch}` };
    const opened = await service.request('POST', '/api/v2/pull-requests', {
      as: withSession(acme.member),
      body,
    });
    expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  }
  await page.goto('/inbox');
  await page.getByRole('link', { name: /opened acme\/watched#2 Change code/ }).waitFor({ timeout: 40_000 });
  await expect(page.getByText('Change docs').count()).resolves.toBe(0);
  const { page: phone } = await newPerson(service.url, { as: acme.viewer, phone: true, dark: true });
  await phone.goto('/inbox');
  await phone.getByRole('link', { name: /opened, watched by your team: acme\/watched#2/ }).waitFor();
  await phone.goto(`/repositories/${repository.id}`);
  await phone.getByRole('button', { name: 'Watch', exact: true }).click();
  await phone.getByText('core (your team): all pull requests').waitFor();
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Stop watching acme/watched' }).click();
  await page.getByText('You don’t watch any repository.').waitFor();
});
