/** Repository → Files: any folder and file at any branch, tag or commit, by addresses that can be shared. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { lfsPointer, makeRepository } from '../helpers/git/git-fixtures.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { expectAccessible, startBrowser, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';
import { expectHarmless, HOSTILE_TEXTS } from './harmless.ts';
import { addRepository, LOCAL_ALLOWED } from './sample-repository.ts';

const MANY_LINES = 12_000;
const [IMAGE, SCRIPT] = HOSTILE_TEXTS as [string, string];
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const TURNED = 'safe \u202Egpj.exe';

const repository = await makeRepository(
  [
    [
      'README.md',
      `# The shop\n\n![logo](logo.png) ![gone](gone.png) ![far](https://img.example/far.png) [![build](https://ci.example/b.svg)](https://ci.example)\n\nRead **me** and [main](src/main.ts#L2). ${IMAGE}\n\n<p align="center">\n  <img src="badge.svg" alt="badge">\n</p>\n`,
    ],
    ['logo.png', PIXEL],
    [
      'badge.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>pwned=1</script></svg>',
    ],
    [
      'src/main.ts',
      `export const answer = 42;\n${Array.from({ length: 80 }, (_, at) => `f(${at});`).join('\n')}\n`,
    ],
    ['src/deep/er/file.txt', 'deep\n'],
    ['empty.txt', ''],
    ['binary.dat', Buffer.from([0, 1, 2, 3])],
    ['large.bin', lfsPointer('a'.repeat(64), 1_000_000)],
    ['many.txt', Array.from({ length: MANY_LINES }, (_, at) => `line ${at + 1}`).join('\n')],
    ['constructor', 'no language has this name\n'],
    ['link', { symlink: 'src/main.ts' }],
    ['outside', { symlink: '/etc/passwd' }],
    ['vendor/module', { submodule: '1'.repeat(40) }],
    [`odd/${IMAGE.replaceAll('/', '')}`, `${IMAGE}\n${SCRIPT}\n`],
    [`odd/${TURNED}`, `${HOSTILE_TEXTS.join('\n')}\nwide ${'W'.repeat(500_000)}\n`],
    ['odd/new\nline.txt', 'found\n'],
    [Buffer.from('odd/caf\xe9.txt', 'latin1'), 'latin\n'],
  ],
  { name: 'acme/shop.git' },
);
afterAll(() => repository.remove());
const first = await repository.git('rev-parse', 'main');
await repository.git('tag', 'v1.0');
await repository.commit(
  { 'src/main.ts': 'export const answer = 43;\n' },
  { branch: 'feature/new/answer', from: first },
);

const service = await startTestService({
  webAppFolder: inject('webAppFolder'),
  worker: true,
  settings: LOCAL_ALLOWED,
});
const { newPerson } = await startBrowser();
const { member } = service.acme;
const id = await addRepository(service, service.acme.admin, { url: repository.folder, name: 'acme/shop' });
const address = (query = '', hash = '') => `/repositories/${id}${query}${hash}`;

const files = (page: Page) => page.getByRole('list', { name: 'Files' });
const line = (page: Page, number: number) =>
  page.getByRole('button', { name: `Line ${number}`, exact: true });
const chosen = (page: Page) => page.locator('.line.selected').evaluateAll((lines) => lines.length);

describe('folders', () => {
  it('come first, describe their entries, link to each other, and show their README', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto('/repositories');
    await page.getByRole('link', { name: 'acme/shop' }).click();
    await page.getByRole('heading', { name: 'The shop' }).waitFor();
    const readme = page.getByRole('region', { name: 'README' });
    await readme.getByRole('link', { name: 'build', exact: true }).waitFor();
    for (const name of ['logo', 'badge']) {
      const image = readme.getByRole('img', { name });
      await image.waitFor();
      await eventually(async () =>
        expect(
          await image.evaluate((element: { naturalWidth: number }) => element.naturalWidth),
        ).toBeGreaterThan(0),
      );
    }
    await readme.getByRole('link', { name: 'gone' }).waitFor();
    await expect(readme.getByRole('link', { name: 'far' }).getAttribute('href')).resolves.toBe(
      'https://img.example/far.png',
    );
    await expect(page.evaluate('globalThis.pwned')).resolves.toBeUndefined();
    await readme.getByRole('link', { name: 'main' }).click();
    await page.getByText('export const answer').waitFor();
    await page.goBack();
    await readme.waitFor();
    expect(await page.title()).toContain('acme/shop');
    const names = await files(page).getByRole('listitem').allInnerTexts();
    expect(names.map((name) => name.split('\n')[0]).slice(0, 4)).toEqual([
      'odd',
      'src',
      'vendor',
      'README.md',
    ]);
    await files(page).getByText('symbolic link').first().waitFor();
    await files(page).getByRole('link', { name: 'vendor' }).click();
    await files(page).getByText('submodule', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Parent folder' }).click();
    await files(page).getByRole('link', { name: 'src' }).click();
    await files(page).getByRole('link', { name: 'deep' }).click();
    await files(page).getByRole('link', { name: 'er', exact: true }).click();
    await files(page).getByRole('link', { name: 'file.txt' }).click();
    await page.getByText('deep', { exact: true }).last().waitFor();
    const way = page.getByRole('navigation', { name: 'Path' });
    await expect(way.innerText()).resolves.toMatch(/shop\s*\/\s*src\s*\/\s*deep\s*\/\s*er\s*\/\s*file\.txt/);
    await way.getByRole('link', { name: 'src' }).click();
    await files(page).getByRole('link', { name: 'main.ts' }).waitFor();
    await page.goto(address('?path=src/deep'));
    await files(page).getByRole('link', { name: 'er', exact: true }).waitFor();
  });

  it('and files can be opened with only the keyboard', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('link', { name: 'acme/shop' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await files(page).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await files(page).getByRole('link', { name: 'main.ts' }).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('DEEP fil');
    await page.getByRole('option', { name: 'src/deep/er/file.txt' }).waitFor();
    await expectAccessible(page, 'go to file');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually(() => new URL(page.url()).searchParams.get('path')).toBe('src/deep/er/file.txt');
  });
});

describe('branches, tags and commits', () => {
  it('are picked by part of the name, including slashes, or by a commit id', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=src/main.ts'));
    await page.getByText('answer = 42').waitFor();
    const picker = page.getByRole('button', { name: /Branch, tag or commit/ });
    await picker.click();
    await page.getByRole('option', { name: 'v1.0' }).waitFor();
    await page.keyboard.type('answer');
    await page.getByRole('option', { name: 'v1.0' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'feature/new/answer' }).click();
    await page.getByText('answer = 43').waitFor();
    expect(new URL(page.url()).searchParams.get('ref')).toBe('feature/new/answer');
    const other = await newPerson(service.url, { as: service.acme.viewer });
    await other.page.goto(page.url());
    await other.page.getByText('answer = 43').waitFor();
    await picker.click();
    await page.keyboard.type(first.slice(0, 10));
    await page.getByRole('option', { name: first.slice(0, 10) }).click();
    await page.getByText('answer = 42').waitFor();
    await page.goto(address('?ref=gone'));
    await page.getByText('Branch, tag or commit not found').waitFor();
    await page.getByRole('link', { name: 'Go to main' }).click();
    await files(page).waitFor();
    await page.goto(address('?path=src/gone.ts'));
    await page.getByText('File or folder not found').waitFor();
  });
});

describe('panels of a file', () => {
  it('show where a name is defined and used, the history, and who changed which lines', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=src/main.ts'));
    await page.getByRole('button', { name: 'Symbols' }).click();
    const symbols = page.getByRole('region', { name: 'Symbols' });
    const detail = 'This commit is still being indexed.';
    await page.route(
      '**/remote-fs/symbols?*',
      (route) => route.fulfill({ status: 409, json: { code: 'repository_not_ready', detail } }),
      { times: 1 },
    );
    await page.getByText('answer', { exact: true }).first().dblclick();
    await symbols.getByRole('status').getByText(detail).waitFor();
    const definition = symbols.getByRole('list', { name: 'Definitions' }).getByRole('link');
    // The first answer waits for the symbols of the commit to be indexed.
    await expect(definition.innerText({ timeout: 40_000 })).resolves.toBe('src/main.ts:1');
    await symbols.getByRole('searchbox').fill('f');
    await symbols.getByRole('button', { name: 'Find' }).click();
    const references = symbols.getByRole('list', { name: 'References' });
    await references.getByText('f(3);', { exact: true }).waitFor();
    await references.getByRole('link', { name: 'src/main.ts:5', exact: true }).click();
    await eventually(() => new URL(page.url()).hash).toBe('#L5');
    await expectAccessible(page, 'the symbols of a file');
    await page.getByRole('button', { name: 'Blame' }).click();
    await page.getByRole('region', { name: 'Blame of line 5' }).getByText('5', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('region', { name: 'History of line 5' });
    await history.getByRole('link', { name: first.slice(0, 7) }).waitFor();
    await expectAccessible(page, 'the history of a line');
  });
});

describe('lines', () => {
  it('are selected by their numbers, and the address links to them, permanently at a commit', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=src/main.ts'));
    await line(page, 3).click();
    await eventually(() => new URL(page.url()).hash).toBe('#L3');
    await line(page, 6).click({ modifiers: ['Shift'] });
    await eventually(() => new URL(page.url()).hash).toBe('#L3-L6');
    await line(page, 6).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await eventually(() => new URL(page.url()).hash).toBe('#L3-L7');
    await expect(chosen(page)).resolves.toBe(5);
    await page.locator('.code-keyword').first().waitFor();
    await page.getByRole('link', { name: 'Permalink' }).click();
    await eventually(() => page.url()).toContain(`ref=${first}`);
    expect(new URL(page.url()).hash).toBe('#L3-L7');
    await page.goto(address('?path=src/main.ts', '#L70'));
    await line(page, 70).waitFor();
    await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(100);
    await page.keyboard.press('y');
    await eventually(() => page.url()).toContain(`ref=${first}`);
  });

  it('of a long file are loaded around the selected line, and more on demand', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=many.txt', '#L7000'));
    await page.locator('.line.selected', { hasText: 'line 7000' }).waitFor();
    await expect(page.locator('[data-line="4999"]').count()).resolves.toBe(0);
    await page.getByText('Show lines before 5,001').click();
    await page.locator('[data-line="1"]').waitFor({ state: 'attached' });
    await page.getByText('Show lines after 10,000').click();
    await page.locator(`[data-line="${MANY_LINES}"]`).waitFor({ state: 'attached' });
    await expect(page.getByText('Show lines').count()).resolves.toBe(0);
  });
});

describe('files without lines', () => {
  it('say what they are, and symbolic links lead to their target', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address());
    for (const [name, words] of [
      ['empty.txt', 'This file is empty'],
      ['binary.dat', 'Binary file'],
      ['large.bin', 'This file is stored in Git LFS'],
      ['constructor', 'no language has this name'],
      ['outside', 'outside the repository'],
    ] as const) {
      await files(page).getByRole('link', { name, exact: true }).click();
      await page.getByText(words).waitFor();
      await page.goBack();
    }
    await files(page).getByRole('link', { name: 'link', exact: true }).click();
    await page.getByRole('link', { name: 'src/main.ts' }).click();
    await page.getByText('answer = 42').waitFor();
  });
});

it('escapes hostile names and contents, and shows invisible characters', async () => {
  const { page } = await newPerson(service.url, { as: member });
  await page.goto(address('?path=odd/'));
  await files(page).getByText(IMAGE.slice(0, 10)).waitFor();
  for (const sign of ['↵', 'U+202E']) await files(page).locator(`[data-sign="${sign}"]`).waitFor();
  await files(page)
    .getByRole('link', { name: /gpj\.exe/ })
    .click();
  await page.locator('.line [data-sign="U+2066"]').waitFor();
  await page.locator('[data-words*="more characters"]').waitFor();
  await page.getByText('too large for syntax highlighting').waitFor();
  expect(await page.title()).toContain('⟨U+202E⟩');
  await expectHarmless(page, 'a file');
  for (const [name, words] of [
    [/line\.txt/, 'found'],
    [/caf/, 'latin'],
    [/onerror/, 'globalThis.pwned=1</script>'],
  ] as const) {
    await page.goBack();
    await files(page).getByRole('link', { name }).click();
    await page.locator('.line', { hasText: words }).waitFor();
  }
});
