/** P18: the page of a pull request with 10,000 changed lines in 500 files, in a real browser against a real service; P18b: of 2,000 files. */
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findBrowser, LAUNCH_ARGUMENTS } from '../test/browser/find-browser.ts';
import { makeRepository } from '../test/helpers/git/git-fixtures.ts';
import { endProcesses, startService } from '../test/helpers/processes/countersign-process.ts';
import { cleanUp } from '../test/helpers/processes/real-processes.ts';
import { launchBareBrowser } from './bare-browser.ts';
import type { Measurement } from './measure.ts';

const FILES = 500;
const MANY_FILES = 2000;
const LINES_A_FILE = 10;
/** Indexes of files to jump to: far and near, forward and back. */
const JUMPS = [1900, 1200, 1203, 40, 41, 1999, 700, 1100, 5, 1500];
/** A fast scroll: fifteen thousand pixels a second. */
const WHEEL_PIXELS = 240;
const WHEEL_MS = 16;
const WHEELS = 300;

/** Notes when the first lines were painted, and every task of more than 50 ms. */
const WATCH = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longTasks.push(duration); })
    .observe({ type: 'longtask' });
  globalThis.firstRowsMs = new Promise((resolve) => {
    const lines = document.getElementsByClassName('diff-line');
    new MutationObserver((_, observer) => {
      if (lines.length === 0) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    }).observe(document, { subtree: true, childList: true });
  });
`;

const SIZE = { width: 1440, height: 900 };
/** The browser keeps scripts after the first visit, and what it compiled after the second. */
const VISITS_BEFORE = 3;

interface Stage {
  /** The page's address. */
  url: string;
  cookie: { name: string; value: string; url: string };
  end(): Promise<void>;
}

/** Clicks a file in the tree. Resolves with the time until it is painted right below the bar, with its lines. */
const JUMP = `
  globalThis.jump = async (path) => {
    const frame = () => new Promise(requestAnimationFrame);
    const findTree = () => document.querySelector('[aria-label="Changed files"]');
    while (!findTree()) await frame();
    const tree = findTree();
    const find = () => tree.querySelector('button[title="' + path + '"]');
    for (let top = 0; !find(); top += 400) {
      tree.scrollTo(0, top);
      await frame();
    }
    // A person's click is a task of its own, not a part of painting a frame.
    await new Promise((resolve) => setTimeout(resolve));
    const started = performance.now();
    find().click();
    const isThere = () => {
      const file = document.querySelector('section[aria-label="' + path + '"]');
      return file?.querySelector('.diff-line') && Math.abs(file.getBoundingClientRect().top - 48) <= 2;
    };
    while (!isThere()) await frame();
    await frame().then(() => new Promise((resolve) => setTimeout(resolve)));
    return performance.now() - started;
  };
`;

const MILLISECONDS = { unit: 'ms', referenceName: 'the limit', target: { most: 1 } };

export const differencePage: Measurement[] = [
  firstRows('P18', 'navigation to the first rows of 10,000 changed lines', FILES),
  inPage('P18', 'longest task while scrolling 10,000 changed lines', FILES, 50, async (page) => {
    await page.mouse.move(900, 500);
    for (let wheel = 0; wheel < WHEELS; wheel += 1) {
      await page.mouse.wheel(0, WHEEL_PIXELS);
      await page.waitForTimeout(WHEEL_MS);
    }
    return longestTask(page);
  }),
  firstRows('P18B', 'navigation to the first rows of 2,000 files', MANY_FILES),
  inPage('P18B', 'slowest of ten jumps to a file among 2,000', MANY_FILES, 150, (page) => jumpAround(page)),
  inPage('P18B', 'longest task while jumping among 2,000 files', MANY_FILES, 50, async (page) => {
    await jumpAround(page);
    return longestTask(page);
  }),
];

function firstRows(id: string, what: string, files: number): Measurement {
  return {
    ...{ id, what, ...MILLISECONDS, rounds: 5 },
    async prepare() {
      const { cookie, end, url } = await prepareStage(files);
      const browser = await launchBareBrowser(SIZE);
      await browser.setCookie(cookie);
      const ours = async () => Number(await browser.visit(url, WATCH, 'firstRowsMs'));
      for (let visit = 0; visit < VISITS_BEFORE; visit += 1) await ours();
      return {
        ours,
        reference: async () => 500,
        async end() {
          await browser.close();
          await end();
        },
      };
    },
  };
}

/** Reads something on the page once its first rows are there and nothing is loading. */
function inPage(
  id: string,
  what: string,
  files: number,
  limit: number,
  read: (page: Page) => Promise<number>,
): Measurement {
  return {
    ...{ id, what, ...MILLISECONDS, rounds: 3 },
    async prepare() {
      const { cookie, end, url } = await prepareStage(files);
      const context = await openContext(cookie);
      const open = async () => {
        const page = await context.newPage();
        await page.goto(url);
        await page.evaluate('firstRowsMs');
        await page.waitForLoadState('networkidle');
        return page;
      };
      for (let visit = 0; visit < VISITS_BEFORE; visit += 1) {
        const page = await open();
        await read(page);
        await page.close();
      }
      const ours = async () => {
        const page = await open();
        await page.evaluate('longTasks.length = 0');
        const reading = await read(page);
        await page.close();
        return reading;
      };
      return {
        ours,
        reference: async () => limit,
        async end() {
          await context.browser()!.close();
          await end();
        },
      };
    },
  };
}

/** Tasks up to 50 ms aren't reported. */
async function longestTask(page: Page): Promise<number> {
  return Number(await page.evaluate('Math.max(50, ...longTasks)'));
}

async function jumpAround(page: Page): Promise<number> {
  let slowest = 0;
  for (const file of JUMPS)
    slowest = Math.max(slowest, Number(await page.evaluate(`jump(${JSON.stringify(pathOf(file))})`)));
  return slowest;
}

async function openContext(cookie: Stage['cookie']): Promise<BrowserContext> {
  const browser = await chromium.launch({
    executablePath: findBrowser((line) => process.stderr.write(`${line}\n`)),
    args: LAUNCH_ARGUMENTS,
  });
  const context = await browser.newContext({ viewport: SIZE });
  await context.addInitScript(WATCH + JUMP);
  await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Lax' }]);
  return context;
}

async function prepareStage(files: number): Promise<Stage> {
  const repository = await makeRepository(filesOf('before', files));
  await repository.commit(filesOf('after', files), { branch: 'feature', from: 'main', message: 'Change' });
  const service = await startService({
    env: { RATE_LIMIT: 'off', ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true' },
  });
  const [, url, token] = await service.until(/(http:\/\/\S+)\/setup#token=(\S+)/);
  let cookie = '';
  // biome-ignore lint/suspicious/noExplicitAny: replies are read here and nowhere else.
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const reply = await fetch(url + path, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    cookie ||= reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    return reply.json();
  };
  const person = { name: 'Bench', email: 'bench@example.com', password: 'correct horse battery staple' };
  await send('POST', '/api/v2/setup', { token, organizationName: 'Bench', ...person });
  const { id } = await send('POST', '/api/v2/repositories', { url: repository.folder, name: 'bench/many' });
  while ((await send('GET', `/api/v2/repositories/${id}`)).state !== 'ready')
    await new Promise((resolve) => setTimeout(resolve, 100));
  const opened = await send('POST', '/api/v2/pull-requests', {
    repository: 'bench/many',
    head: 'feature',
    title: 'Change everything',
  });
  // Its review takes both cores, and says nothing about the page.
  while ((await send('GET', `/api/v2/pull-requests/${opened.id}/review-runs`)).runs.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const [name, value] = cookie.split('=') as [string, string];
  return {
    url: `${url}/pull-requests/${opened.id}?view=files`,
    cookie: { name, value, url: url! },
    async end() {
      await service.stop();
      await endProcesses();
      await cleanUp();
      await repository.remove();
    },
  };
}

function pathOf(file: number): string {
  return `src/part-${file % 25}/file-${file}.ts`;
}

function filesOf(word: string, count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, file) => [
      pathOf(file),
      `import { load } from './load.ts';\n\nexport async function run${file}() {\n${Array.from(
        { length: LINES_A_FILE },
        (_, line) => `  const ${word}${line} = await load(${line}, { retries: ${file}, key: 'text' });\n`,
      ).join('')}}\n`,
    ]),
  );
}
