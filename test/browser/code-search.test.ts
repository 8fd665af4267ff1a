/** Repository → Search: lines by text or regular expression and files by name, with addresses that hold the whole query. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { makeRepository } from '../helpers/git/git-fixtures.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { startBrowser } from './browser.ts';
import { eventually } from './eventually.ts';
import { HOSTILE_TEXTS } from './harmless.ts';
import { addRepository, LOCAL_ALLOWED } from './sample-repository.ts';

const [IMAGE] = HOSTILE_TEXTS as [string];
const ORDERS = Array.from({ length: 30 }, (_, at) =>
  at === 3 || at === 25 ? `order(${at})` : `other ${at}`,
);

const repository = await makeRepository(
  [
    ['src/orders.ts', `${ORDERS.join('\n')}\n`],
    ['src/Order.test.ts', 'const ORDER = 1;\n'],
    ['docs/orders.md', 'An order is a promise.\n'],
    [`odd/${IMAGE.replaceAll('/', '')}`, `order ${HOSTILE_TEXTS.join(' ')}\n`],
    ['odd/turned \u202Egpj.exe', `order \u202E${'W'.repeat(10_000)}\n`],
    ['many.txt', 'again and again\n'.repeat(700)],
    ['src/app.go', 'package app // a:b std::move key:value\n'],
    ...Array.from(
      { length: 70 },
      (_, at) => [`many/f${at}.ts`, 'often\n'.repeat(at + 1)] as [string, string],
    ),
  ],
  { name: 'acme/shop.git' },
);
afterAll(() => repository.remove());
const head = await repository.git('rev-parse', 'main');
await repository.commit(
  { 'src/orders.ts': 'nothing here\n' },
  { branch: 'rewrite', from: head, message: 'rewrote it' },
);

const service = await startTestService({
  webAppFolder: inject('webAppFolder'),
  worker: true,
  settings: LOCAL_ALLOWED,
});
const { newPerson } = await startBrowser();
const { member } = service.acme;
const id = await addRepository(service, service.acme.admin, { url: repository.folder, name: 'acme/shop' });
const address = (query = '') => `/repositories/${id}/search${query}`;

const field = (page: Page) => page.getByRole('combobox', { name: 'Search code' });
const found = (page: Page) => page.getByText(/matching lines? in/);
const regexSwitch = (page: Page) => page.getByRole('button', { name: 'Use regular expression' });
const paths = (page: Page) => page.getByRole('heading', { level: 2 }).getByRole('link').allInnerTexts();

describe('lines of code', () => {
  it('are shown with context and marked matches, and link to the line at this commit', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(`/repositories/${id}`);
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByText('Finds literal text').first().waitFor();
    await regexSwitch(page).click();
    await field(page).fill('order\\(\\d+\\)');
    await page.keyboard.press('Enter');
    await found(page).waitFor();
    await expect(found(page).innerText()).resolves.toContain('2 matching lines in 1 file');
    await expect(page.locator('mark').allInnerTexts()).resolves.toEqual(['order(3)', 'order(25)']);
    await expect(
      page.evaluate(`[...document.querySelectorAll('.line')].map((line) => line.dataset.line).join(' ')`),
    ).resolves.toBe('2 3 4 5 6 24 25 26 27 28');
    const other = await newPerson(service.url, { as: service.acme.viewer });
    await other.page.goto(page.url());
    await other.page.locator('mark', { hasText: 'order(25)' }).waitFor();
    await page.keyboard.press('Escape');
    await field(page).blur();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.line.selected', { hasText: 'order(25)' }).waitFor();
    const url = new URL(page.url());
    expect(url.searchParams.get('ref')).toBe(head);
    expect(url.searchParams.get('path')).toBe('src/orders.ts');
    expect(url.hash).toBe('#L26');
    await page.goBack();
    await found(page).waitFor();
    await expect(field(page).inputValue()).resolves.toBe('order\\(\\d+\\)');
    // Without a query, the last choice applies.
    await page.goto(address());
    await expect(regexSwitch(page).getAttribute('aria-pressed')).resolves.toBe('true');
  });

  it('are found by literal text, and narrowed by folder, case and branch', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?pattern=ORDER'));
    await found(page).waitFor();
    await expect(paths(page)).resolves.toEqual(['src/Order.test.ts']);
    await page.getByLabel('Ignore case').check();
    await page.locator('section', { hasText: 'docs/orders.md' }).first().waitFor();
    const all = await paths(page);
    expect(all.indexOf('src/orders.ts'), 'code comes before documents').toBeLessThan(
      all.indexOf('docs/orders.md'),
    );
    await field(page).fill('ORDER path:src');
    await page.keyboard.press('Enter');
    // The test defines a name that matches, so it comes first.
    await eventually(() => paths(page)).toEqual(['src/Order.test.ts', 'src/orders.ts']);
    await field(page).fill('ORDER(3) path:src');
    await page.keyboard.press('Enter');
    await page.locator('mark', { hasText: 'order(3)' }).waitFor();
    await eventually(() => page.locator('mark').count()).toBe(1);
    await page.getByRole('button', { name: /Branch, tag or commit/ }).click();
    await page.keyboard.type('rewrite');
    await page.keyboard.press('Enter');
    await page.getByText('No matches').waitFor();
    await page.goto(address('?pattern=order%283&path=src'));
    await expect(field(page).inputValue()).resolves.toBe('order(3 path:src');
    await found(page).waitFor();
  });

  it('explains an invalid regular expression and offers a literal search; omitted matches are counted', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?pattern=order%28&regex=true'));
    await page.getByRole('alert').waitFor();
    await expect(field(page).getAttribute('aria-invalid')).resolves.toBe('true');
    await page.getByText(/^Invalid regular expression: /).waitFor();
    await page.getByRole('button', { name: 'Search for the literal text instead' }).click();
    await found(page).waitFor();
    await expect(page.getByRole('alert').count()).resolves.toBe(0);
    await field(page).blur();
    await page.keyboard.press('/');
    await page.keyboard.type('again');
    await page.keyboard.press('Enter');
    await page.getByText('700 matching lines in 1 file.').waitFor();
    await expect(page.locator('.line').count()).resolves.toBe(12);
    await page.getByRole('button', { name: 'Show 690 more matches' }).click();
    await page.getByRole('button', { name: 'Show 200 more matches' }).click();
    await page.locator('.line[data-line="700"]').waitFor();
    await expect(page.getByRole('button', { name: /more match/ }).count()).resolves.toBe(0);
  });
});

describe('the language of the form', () => {
  it('shows every file on request, with the exact count', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?query=often'));
    await page.getByText('2,485 matching lines in 70 files.').waitFor();
    const headings = () => page.getByRole('heading', { level: 2 }).count();
    const before = await headings();
    expect(before).toBeLessThan(70);
    await page.getByRole('button', { name: 'Show more files' }).click();
    await eventually(headings).toBe(70);
    expect(new Set(await paths(page)).size).toBe(70);
    await expect(page.getByRole('button', { name: 'Show more files' }).count()).resolves.toBe(0);
  });

  it('completes filters by key, and explains unknown ones', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address());
    await field(page).fill('order la');
    await page.getByRole('option', { name: 'lang:' }).waitFor();
    await expect(field(page).getAttribute('aria-expanded')).resolves.toBe('true');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('types');
    await page.getByRole('option', { name: 'typescript' }).waitFor();
    await page.keyboard.press('Tab');
    await expect(field(page).inputValue()).resolves.toBe('order lang:typescript ');
    await page.keyboard.type('-path:Ord');
    await page.getByRole('option', { name: 'src/Order.test.ts' }).click();
    await expect(field(page).inputValue()).resolves.toBe('order lang:typescript -path:src/Order.test.ts ');
    await page.keyboard.press('Enter');
    await eventually(() => paths(page)).toEqual(['src/orders.ts']);

    await field(page).fill('key:value');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unknown filter, key:. Filters are repo:, path:').waitFor();
    await page.getByRole('button', { name: 'Search for the text key:value' }).click();
    await eventually(() => paths(page)).toEqual(['src/app.go']);
    await expect(field(page).inputValue()).resolves.toBe('"key:value"');
    await field(page).fill('std::move or nothing lang:klingon');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unknown language, klingon').waitFor();
    await field(page).fill('std::move or nothing lang:go');
    await page.keyboard.press('Enter');
    await eventually(() => paths(page)).toEqual(['src/app.go']);

    // A query that names repositories is one for all of them.
    await field(page).fill('order repo:sh');
    await page.getByRole('option', { name: 'acme/shop' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Code search' }).waitFor();
    await page.getByText('in 1 repository, of 1 searched.').waitFor();
  });
});

describe('commits', () => {
  it('are found by message and by changed text, in one repository', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?query=rewrote'));
    await page.getByRole('link', { name: 'Commits' }).click();
    await page.getByText('No matching commits').waitFor();
    await page.getByRole('button', { name: /Branch, tag or commit/ }).click();
    await page.keyboard.type('rewrite');
    await page.keyboard.press('Enter');
    await page.getByText('1 commit found, of 2 searched.').waitFor();
    const box = page.getByRole('combobox', { name: 'Search commits' });
    await box.fill('order(25) path:src/');
    await page.getByLabel('In added or removed text').check();
    await page.getByText('2 commits found, of 2 searched.').waitFor();
    await page
      .getByRole('list', { name: 'Files' })
      .first()
      .getByRole('link', { name: 'src/orders.ts' })
      .click();
    await page.getByText('nothing here').waitFor();
    await page.goto('/search?mode=commits&query=lang:go');
    await page.getByText('In which repository?').waitFor();
    await page
      .getByRole('combobox', { name: 'Search commits' })
      .fill('order(25) repo:shop path:docs lang:go');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unknown filter, lang:').waitFor();
    await page.getByRole('combobox', { name: 'Search commits' }).fill('promise repo:shop path:docs');
    await page.keyboard.press('Enter');
    await page.getByText('No matching commits').waitFor();
    await page.getByLabel('In added or removed text').check();
    await page.getByText('1 commit found, of 1 searched.').waitFor();
  });
});

describe('file names', () => {
  it('are found by words, ignoring case, and by globs', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address());
    await page.getByRole('link', { name: 'File names' }).click();
    const names = page.getByRole('searchbox', { name: 'Search file names' });
    await names.fill('SRC order');
    await page.keyboard.press('Enter');
    await page.getByText('2 files').waitFor();
    await names.fill('*.md');
    await page.keyboard.press('Enter');
    await page.getByText('1 file.').waitFor();
    await page.getByRole('list', { name: 'Files' }).getByRole('link').click();
    await page.getByText('An order is a promise.').waitFor();
    await page.goto(address('?mode=files&pattern=zebra'));
    await page.getByText('No matching files').waitFor();
    await page.goto(address(`?mode=files&pattern=${encodeURIComponent('a\\')}*`));
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
});

it('Ctrl-K finds repositories and files, and searches the code of the open repository or of all', async () => {
  const { page } = await newPerson(service.url, { as: member });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('orders.md');
  await page.getByRole('option', { name: 'docs/orders.md' }).click();
  await page.getByText('An order is a promise.').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('shop');
  await page.getByRole('option', { name: /^acme\/shop/ }).click();
  await page.getByRole('list', { name: 'Files' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('again');
  await page.getByRole('option', { name: 'Search code in acme/shop for “again”' }).click();
  await found(page).waitFor();
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('order(25)');
  await page.getByRole('option', { name: 'Search code for “order(25)”' }).click();
  await page.getByText('1 matching line in 1 repository, of 1 searched.').waitFor();
});

it('shows invisible characters of paths and lines', async () => {
  const { page } = await newPerson(service.url, { as: member });
  await page.goto(address('?query=order%20path:odd'));
  await found(page).waitFor();
  await page.locator('h2 [data-sign="U+202E"]').waitFor();
  await page.locator('.line [data-sign="U+202E"]').first().waitFor();
  await page.goto(address('?mode=files&pattern=odd'));
  await page.getByRole('list', { name: 'Files' }).locator('[data-sign="U+202E"]').waitFor();
});

describe('a search in all repositories', () => {
  it('shows matches by repository and file, and says what is wrong with a field', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto('/');
    await page.getByRole('link', { name: 'Code search' }).click();
    await page.getByText('Search all files').waitFor();
    const box = page.getByRole('combobox', { name: 'Search code in all repositories' });
    await box.fill('order(25)');
    await page.keyboard.press('Enter');
    await page.getByText('1 matching line in 1 repository, of 1 searched.').waitFor();
    await expect(page.locator('mark').allInnerTexts()).resolves.toEqual(['order(25)']);
    await box.blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.line.selected', { hasText: 'order(25)' }).waitFor();
    await page.goBack();

    await box.fill('order lang:klingon');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('unknown language, klingon').waitFor();
    await box.fill('order lang:rust');
    await page.keyboard.press('Enter');
    await page.getByText('No matches').waitFor();
    await box.fill('often repo:acme/shop');
    await page.keyboard.press('Enter');
    await page.getByText('2,485 matching lines in 1 repository, of 1 searched.').waitFor();
    await page.getByRole('button', { name: /^Show \d+ more files of acme\/shop$/ }).click();
    await page.getByRole('button', { name: 'Show more files' }).click();
    await eventually(() => page.getByRole('heading', { level: 3 }).count()).toBe(70);
  });
});
