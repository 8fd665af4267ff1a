/** Teams in a browser: made by an admin, asked when a pull request is opened, answered by one member; and owners in the tree of files. */
import { expect, it } from 'vitest';
import { checkHost } from '../../src/features/code-hosts/checks/check-host.ts';
import { readOwnersOfPullRequests } from '../../src/features/pull-requests/owners/read-owners.ts';
import { createLog } from '../../src/platform/core/telemetry/log.ts';
import { connectHost } from '../code-hosts/connected.ts';
import { startGitHubFake } from '../code-hosts/github-fake.ts';
import { addRepository } from '../helpers/rows/code.ts';
import { makePerson, makeUser } from '../helpers/service/factories.ts';
import { expectAccessibleAsShown, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED);
const { newPerson } = await startBrowser();
const { acme, clock, db } = service;
const user = await makeUser(db, { name: 'Grace Hopper', email: 'grace@acme.example' }, clock.now());
const grace = await makePerson(db, acme.id, user, 'member', clock.now());
const repository = await addRepository(
  service,
  {
    CODEOWNERS: '*.md @grace\n/api/ @core\n/web/ @nobody\n',
    'api/a.ts': 'a\n',
    'docs/a.md': 'a\n',
    'web/a.ts': 'a\n',
  },
  { fullName: 'acme/plain' },
);
await repository.commit(
  { 'api/a.ts': 'b\n', 'docs/a.md': 'b\n', 'web/a.ts': 'b\n' },
  {
    ...{ branch: 'topic', from: 'main' },
    message: `Change\n\nCo-authored-by: Somebody <${acme.owner.email}>`,
  },
);
await repository.refresh();

it('is made, asked when a pull request is opened, and answered by one member; its paths are in the tree', async () => {
  const { page: admin } = await newPerson(service.url, { as: acme.admin });
  await admin.goto('/settings/teams');
  await untilLoaded(admin, 'Teams');
  await admin.getByRole('button', { name: 'Create team' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel('Name').fill('grace');
  await dialog.getByLabel('Find people').fill('acme');
  await dialog.getByRole('checkbox', { name: /Grace Hopper/ }).check();
  await dialog.getByRole('checkbox', { name: /Acme member/ }).check();
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await dialog.getByText('@grace mentions a member of your organization').waitFor();
  await dialog.getByLabel('Name').fill('core');
  await dialog.getByRole('button', { name: 'Create team' }).click();
  const row = admin.getByRole('row', { name: /core/ });
  await eventually(() => row.innerText()).toMatch(/core\s+2\s/);

  const { page: author } = await newPerson(service.url, { as: acme.member });
  await author.goto('/pull-requests');
  await untilLoaded(author, 'Pull requests');
  await author.getByRole('button', { name: 'Open pull request' }).first().click();
  const opening = author.getByRole('dialog');
  await opening.getByLabel('Repository').selectOption('acme/plain');
  await opening.getByLabel('Head branch').fill('topic');
  await opening.getByLabel('Title').fill('Change everything');
  const automatic = opening.getByRole('region', { name: 'Asked automatically' });
  await eventually(() => automatic.innerText()).toMatch(/core owns \/api\/\s+Grace Hopper owns \*\.md/);
  await expectAccessibleAsShown(author, 'whom the owners file names, before opening');
  await opening.getByText('Reviewers').click();
  // Whoever opens it is the author.
  await opening.getByRole('checkbox', { name: /core/ }).check();
  expect(await opening.getByRole('checkbox', { name: /Acme member/ }).count()).toBe(0);
  await opening.getByRole('button', { name: 'Open pull request' }).click();
  await untilLoaded(author, /Change everything/);
  await eventually(() => author.getByRole('list', { name: 'Reviewers' }).innerText()).toContain('core');

  await author.getByRole('button', { name: 'More actions' }).click();
  await author.getByRole('menuitem', { name: 'Request review' }).click();
  const asking = author.getByRole('dialog');
  await eventually(() => asking.locator('label', { hasText: acme.owner.email }).innerText()).toContain(
    'wrote commits',
  );
  expect(await asking.locator('label', { hasText: acme.member.email }).count()).toBe(0);
  await asking.getByRole('button', { name: 'Cancel' }).click();

  await readOwnersOfPullRequests(
    {
      db,
      code: service.mirrors.code,
      log: createLog({ level: 'silent', terminal: false }),
      announce: () => undefined,
      now: () => clock.now(),
    },
    { organizationId: acme.id, repositoryId: repository.id },
    new AbortController().signal,
  );
  await eventually(() => author.getByRole('list', { name: 'Reviewers' }).innerText()).toContain(
    'review requested, owns /api/',
  );
  const { page: reviewer } = await newPerson(service.url, { as: grace });
  await reviewer.goto('/reviews');
  await reviewer
    .getByRole('link', { name: /Change everything/ })
    .first()
    .click();
  await reviewer
    .getByRole('navigation', { name: 'Pull request views' })
    .getByRole('link', { name: /Files/ })
    .click();
  const tree = reviewer.getByRole('navigation', { name: 'Changed files' });
  await tree.getByRole('img', { name: 'Owned by core: approval missing' }).waitFor();
  await tree.getByRole('img', { name: 'Owned by Grace Hopper: approval missing' }).waitFor();
  await reviewer.getByText('Line 3: nobody here is nobody').waitFor();
  const { id } = await db.selectFrom('pull_requests').select('id').executeTakeFirstOrThrow();
  const { head_commit } = await db
    .selectFrom('pull_requests')
    .select('head_commit')
    .executeTakeFirstOrThrow();
  const approved = await service.request('POST', `/api/v2/pull-requests/${id}/reviews`, {
    as: { session: grace.token },
    body: { verdict: 'approved', commit: head_commit },
  });
  expect(approved.status).toBe(200);
  await tree.getByRole('img', { name: 'Owned by core', exact: true }).waitFor();
  await tree.getByRole('img', { name: 'Owned by Grace Hopper', exact: true }).waitFor();
  await eventually(() => author.getByRole('list', { name: 'Reviewers' }).innerText()).not.toContain('core');

  await admin.goto(`/repositories/${repository.id}/settings`);
  await admin.getByRole('checkbox', { name: /Ask the code owners/ }).uncheck();
  await admin.getByRole('checkbox', { name: /Grace Hopper/ }).check();
  await admin.getByRole('button', { name: 'Save reviewers' }).click();
  await admin.getByText('Reviewers saved', { exact: true }).waitFor();
  await admin.goto('/settings/teams');
  await admin.getByRole('button', { name: 'Delete core' }).click();
  await admin.getByText('Paths that it owns in CODEOWNERS will have no owner').waitFor();
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete team' }).click();
  await admin.getByText('No teams yet').waitFor();
});

it('follows a team of a code host, and says who is not linked', async () => {
  const host = await connectHost(service, acme, 'github', (model) => startGitHubFake(model));
  host.model.team('acme', 'platform', [host.model.account('ada'), host.model.account('linus')]);
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto('/settings/teams');
  await untilLoaded(page, 'Teams');
  await page.getByRole('button', { name: 'Create team' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('platform');
  await dialog.getByLabel('Members').selectOption('A team or group of a code host');
  await dialog.getByLabel('Team there').fill('platform');
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await dialog.getByText('Must be a path such as group/team.').waitFor();
  await dialog.getByLabel('Team there').fill('acme/platform');
  await dialog.getByRole('button', { name: 'Create team' }).click();
  const row = page.getByRole('row', { name: /acme\/platform/ });
  await row.getByText('Its members are being read.').waitFor();
  await checkHost(host.services, host.id, new AbortController().signal);
  await page.reload();
  await row.getByText('Not linked to a member here: ada, linus.').waitFor();
  await row.getByRole('link', { name: 'Link accounts' }).click();
  await page.waitForURL(/\/settings\/code-hosts\?host=/);
  await host.fake.close();
  expect(host.fake.problems).toEqual([]);
});
