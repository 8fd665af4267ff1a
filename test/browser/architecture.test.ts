/** Architecture: summaries found by keywords or listed by domain, with links into the code; and the page of one repository. */
import { expect, inject, it } from 'vitest';
import { seedArchitecture, writeFacts, writeSummaries } from '../helpers/rows/architecture.ts';
import { addRepository } from '../helpers/rows/code.ts';
import { postPlan } from '../helpers/rows/plans.ts';
import { makeRepositoryRow } from '../helpers/rows/repository-rows.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { startBrowser, untilLoaded } from './browser.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

// Without a worker, which would summarize the repository itself.
const service = await startTestService({ webAppFolder: inject('webAppFolder'), settings: LOCAL_ALLOWED });
const { acme } = service;
const FILES = {
  'README.md': '# Billing\n\nIt creates invoices.\n',
  'src/pdf.ts': 'export const pdf = 1;\n',
};
const { newPerson } = await startBrowser();

it('explains an empty list', async () => {
  const { page } = await newPerson(service.url, { as: acme.viewer });
  await page.goto('/architecture');
  await untilLoaded(page, 'Architecture');
  await page.getByText('No summaries yet').waitFor();
});

it('finds summaries by keywords, and opens the code that shows a sentence', async () => {
  const { git, id } = await addRepository(service, FILES, { fullName: 'acme/billing' });
  const commit = await git('rev-parse', 'main');
  const repository = { id, organizationId: acme.id, name: 'acme/billing', commit };
  await seedArchitecture(service, { organizationId: acme.id, repositoryId: id, name: 'Acme', commit });
  await writeSummaries(service, repository, {
    API: ['It bills customers.', 'It renders invoices as PDF in `src/pdf.ts`.'],
    DATA: ['It bills customers.', 'It defines 1 table: <b>customers</b>.'],
  });
  await writeFacts(service, repository, ['provides package npm:@acme/billing package.json:2']);
  const shop = await makeRepositoryRow(service, acme.id, { name: 'acme/shop' });
  await writeFacts(service, { ...shop, organizationId: acme.id }, [
    'uses package npm:@acme/billing package.json:7',
    'provides event order.placed src/orders.ts:9',
  ]);
  const mail = await makeRepositoryRow(service, acme.id, { name: 'acme/mail' });
  await writeFacts(service, { ...mail, organizationId: acme.id }, ['uses event order.placed src/mail.ts:2']);
  const { page } = await newPerson(service.url, { as: acme.viewer });
  await page.goto('/architecture');
  await page.getByText('It defines 1 table').waitFor();
  await expect(page.getByText('It bills customers.').count(), 'once for the repository').resolves.toBe(1);
  await page.getByRole('button', { name: 'Data' }).click();
  await page.getByText('It defines 1 table: <b>customers</b>.').waitFor();
  await expect(page.getByText('It renders invoices').count()).resolves.toBe(0);
  await page.getByRole('button', { name: 'All domains' }).click();
  await page.getByRole('searchbox', { name: 'Search summaries' }).fill('invoice rendering');
  await page.getByText('1 summary, best match first').waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe('invoice rendering');
  await page.getByRole('searchbox').fill('qzqz');
  await page.getByText('No matches').waitFor();
  await page.getByRole('searchbox').fill('pdf');
  await page.getByRole('link', { name: 'acme/billing' }).click();

  await page.getByRole('heading', { name: 'Data', exact: true }).waitFor();
  await expect(page.getByText('It bills customers.').count(), 'once on its page').resolves.toBe(1);
  await page.getByRole('complementary', { name: 'Overview' }).waitFor();
  const consumers = page.getByRole('list', { name: 'Consumers' });
  await consumers.getByRole('link', { name: 'acme/shop' }).waitFor();
  await consumers.getByRole('link', { name: 'package.json:7' }).waitFor();
  const picture = page.getByRole('img', { name: 'Neighbors of acme/billing' });
  await picture.getByText('acme/mail').last().waitFor();
  const starts = [
    page.getByText('It bills customers.'),
    picture,
    page.getByRole('heading', { name: 'API', exact: true }),
  ];
  const tops = await Promise.all(starts.map(async (each) => (await each.boundingBox())!.y));
  expect(tops, 'what it is, then the picture').toEqual(tops.toSorted((one, other) => one - other));
  await page.getByRole('link', { name: 'README.md:3' }).first().click();
  await page.getByText('It creates invoices.').first().waitFor();
  expect(new URL(page.url()).searchParams.get('ref')).toBe(commit);
  expect(new URL(page.url()).hash).toBe('#L3');
});

it('names the consumers of a plan’s repositories that the plan doesn’t name', async () => {
  const { body: plan } = await postPlan(service, acme.member, { repoNames: ['acme/billing'] });
  const { page } = await newPerson(service.url, { as: acme.viewer });
  await page.goto(`/plans/${plan.seriesId}?view=activity`);
  const consumers = page.getByRole('region', { name: 'Consumers the plan doesn’t name' });
  await consumers.getByRole('link', { name: 'acme/shop' }).waitFor();
  await consumers.getByText('npm:@acme/billing').waitFor();
});
