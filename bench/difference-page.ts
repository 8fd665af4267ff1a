/** P18: the page of a pull request with 10,000 changed lines in 500 files, in a real browser against a real service. */
import { type BrowserContext, chromium } from 'playwright-core';
import { findBrowser, LAUNCH_ARGUMENTS } from '../test/browser/find-browser.ts';
import { endProcesses, startService } from '../test/countersign-process.ts';
import { makeRepository } from '../test/git-fixtures.ts';
import { cleanUp } from '../test/real-processes.ts';
import { launchBareBrowser } from './bare-browser.ts';
import type { Measurement } from './measure.ts';

const FILES = 500;
const LINES_A_FILE = 10;
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

export const differencePage: Measurement[] = [
  {
    id: 'P18',
    what: 'navigation to the first rows of 10,000 changed lines',
    unit: 'ms',
    referenceName: 'the limit',
    target: { most: 1 },
    rounds: 5,
    async prepare() {
      const { cookie, end, url } = await prepareStage();
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
  },
  {
    id: 'P18',
    what: 'longest task while scrolling 10,000 changed lines',
    unit: 'ms',
    referenceName: 'the limit',
    target: { most: 1 },
    rounds: 3,
    async prepare() {
      const { cookie, end, url } = await prepareStage();
      const context = await openContext(cookie);
      const ours = async () => {
        const page = await context.newPage();
        await page.goto(url);
        await page.evaluate('firstRowsMs');
        await page.waitForLoadState('networkidle');
        await page.evaluate('longTasks.length = 0');
        await page.mouse.move(900, 500);
        for (let wheel = 0; wheel < WHEELS; wheel += 1) {
          await page.mouse.wheel(0, WHEEL_PIXELS);
          await page.waitForTimeout(WHEEL_MS);
        }
        // Tasks up to 50 ms aren't reported.
        const longest = Number(await page.evaluate('Math.max(50, ...longTasks)'));
        await page.close();
        return longest;
      };
      return {
        ours,
        reference: async () => 50,
        async end() {
          await context.browser()!.close();
          await end();
        },
      };
    },
  },
];

async function openContext(cookie: Stage['cookie']): Promise<BrowserContext> {
  const browser = await chromium.launch({
    executablePath: findBrowser((line) => process.stderr.write(`${line}\n`)),
    args: LAUNCH_ARGUMENTS,
  });
  const context = await browser.newContext({ viewport: SIZE });
  await context.addInitScript(WATCH);
  await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Lax' }]);
  return context;
}

async function prepareStage(): Promise<Stage> {
  const repository = await makeRepository(filesOf('before'));
  await repository.commit(filesOf('after'), { branch: 'feature', from: 'main', message: 'Change' });
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

function filesOf(word: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, file) => [
      `src/part-${file % 25}/file-${file}.ts`,
      `import { load } from './load.ts';\n\nexport async function run${file}() {\n${Array.from(
        { length: LINES_A_FILE },
        (_, line) => `  const ${word}${line} = await load(${line}, { retries: ${file}, key: 'text' });\n`,
      ).join('')}}\n`,
    ]),
  );
}
