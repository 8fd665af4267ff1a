/** Statuses of the newest commit, as they are set while a person looks at the pull request. */
import { expect, it } from 'vitest';
import { withSession } from '../helpers/service/harness.ts';
import { expectAccessibleAtBothWidths, startBrowser, startServiceWithPages } from './browser.ts';
import { eventually } from './eventually.ts';
import { cachedListPullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED);
const { newPerson } = await startBrowser();
const { acme } = service;

it('appear without a reload, with who set them and where the details are, and as a mark in the list', async () => {
  const sample = await cachedListPullRequest(service);
  const path = `/api/v2/pull-requests/${sample.id}`;
  const { body: pullRequest } = await service.request('GET', path, { as: withSession(acme.admin) });
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto(`/pull-requests/${sample.id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const set = async (name: string, state: string, details: object = {}) => {
    const { headCommit: commit, repository } = pullRequest;
    const body = { repository: repository.name, commit, name, state, ...details };
    const reply = await service.request('POST', '/api/v2/commit-statuses', {
      as: withSession(acme.member),
      body,
    });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  };
  await set('ci/test', 'pending');
  await page.getByText('ci/test is pending').waitFor();
  await set('ci/build', 'success');
  await set('ci/test', 'failure', { description: 'One test failed', url: 'https://ci.example/7' });
  await page.getByRole('status').filter({ hasText: 'ci/test failed' }).click();
  const rows = page.getByRole('list', { name: 'Statuses' }).getByRole('listitem');
  await expect(rows.allInnerTexts()).resolves.toMatchObject([
    expect.stringMatching(`ci/test[\\s\\S]*One test failed[\\s\\S]*${acme.member.name}`),
    expect.stringContaining('ci/build'),
  ]);
  const link = rows.first().getByRole('link');
  await expect(link.getAttribute('href')).resolves.toBe('https://ci.example/7');
  await expectAccessibleAtBothWidths(page, 'statuses');

  // A required status is shown once, with the other requirements.
  const rule = { pattern: 'main', statuses: [{ name: 'ci/test', userIds: [acme.member.userId] }] };
  await service.request('PUT', '/api/v2/merge-rules', { as: withSession(acme.admin), body: rule });
  await page.reload();
  await page.getByRole('status').filter({ hasText: 'ci/build succeeded' }).waitFor();
  const failures = () => page.getByText('ci/test failed').filter({ visible: true }).count();
  await eventually(failures).toBe(1);
  await page.getByText('merge requirements met').click();
  await page.getByRole('listitem').filter({ hasText: 'One test failed' }).getByRole('link').waitFor();
  await eventually(failures).toBe(1);
  await expectAccessibleAtBothWidths(page, 'a required status');
  await page.goto('/pull-requests');
  await page.getByTitle('A status failed').waitFor();
});
