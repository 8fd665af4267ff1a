/**
 * `npm run screenshots`: every page in light, dark and phone width, of a service with the data of the demo, into screenshots/ (ignored
 * by git). Those that the README shows are copied into docs/screenshots.
 */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { findBrowser, LAUNCH_ARGUMENTS } from '../test/browser/find-browser.ts';
import { endProcesses, startService } from '../test/helpers/processes/countersign-process.ts';
import { freePort } from '../test/helpers/processes/free-port.ts';
import { cleanUp, temporaryFolder } from '../test/helpers/processes/real-processes.ts';
import { DEMO_SETTINGS, fillDemo } from './demo/fill.ts';
import { type DemoOrganization, makeDemoOrganization } from './demo/organization.ts';
import { Story } from './demo/story.ts';
import { DOCS_FOLDER, readDocumentedScreenshots } from './documented-screenshots.ts';
import { CHANGING, EMPTY_PAGES, otherStates, plainPages, type Shot, setupPage } from './screenshots/shots.ts';
import { shrinkPng } from './shrink-png.ts';

const PROJECT = join(import.meta.dirname, '..');
const FOLDER = join(PROJECT, 'screenshots');
/** The origin in the address bar, independent of the real port. */
const ORIGIN = 'http://localhost:4000';
/** `npm run screenshots -- home audit` takes only these screenshots. */
const ONLY = process.argv.slice(2);
const CONTEXT_OPTIONS = {
  locale: 'en-GB',
  timezoneId: 'UTC',
  deviceScaleFactor: 1,
  reducedMotion: 'reduce',
} as const;
const DESKTOP = { width: 1120, height: 720 };
const PHONE = { width: 390, height: 780 };
const VARIANTS = [
  { name: 'light', colorScheme: 'light', viewport: DESKTOP, hasTouch: false },
  { name: 'dark', colorScheme: 'dark', viewport: DESKTOP, hasTouch: false },
  { name: 'phone', colorScheme: 'light', viewport: PHONE, hasTouch: true },
  { name: 'phone-dark', colorScheme: 'dark', viewport: PHONE, hasTouch: true },
] as const;

const documented = new Set(readDocumentedScreenshots());
/** With an open connection, the page would never count as loaded. */
const NO_LIVE_EVENTS = 'globalThis.EventSource = class { addEventListener() {} close() {} };';

try {
  if (ONLY.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const service = await startService({
    env: { DATA_DIR: dataDir, PORT: String(port), BASE_URL: ORIGIN, ...DEMO_SETTINGS },
  });
  const [, token] = await service.until(/#token=(\S+)/);
  const browser = await chromium.launch({
    executablePath: findBrowser((line) => process.stderr.write(`${line}\n`)),
    args: [...LAUNCH_ARGUMENTS, `--host-resolver-rules=MAP ${new URL(ORIGIN).host} 127.0.0.1:${port}`],
  });
  try {
    await shootAll(browser, [setupPage(token!)]);
    const url = `http://127.0.0.1:${port}`;
    const story = new Story();
    const organization = await makeDemoOrganization(url, token!, story);
    await shootAll(browser, EMPTY_PAGES, organization);
    const stopped = new AbortController().signal;
    const demo = await fillDemo({ url, dataDir, folder, stopped }, organization, story);
    const asked = await fetch(url + demo.agents.local, {
      redirect: 'manual',
      headers: { cookie: organization.owner },
    });
    const signInId = asked.headers.get('location')!.split('/').at(-1)!;
    await shootAll(browser, plainPages(demo, signInId), organization);
    await shootAll(browser, otherStates(organization, demo), organization);
    await shootAll(browser, CHANGING, organization);
    await shootComponents(browser);
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  await endProcesses();
  await cleanUp();
}

async function shootAll(
  browser: Browser,
  shots: Shot[],
  organization?: DemoOrganization,
  origin = ORIGIN,
): Promise<void> {
  const each = VARIANTS.map(async ({ name: variant, ...look }) => {
    const { viewport } = look;
    const wanted = shots
      .filter(({ name }) => ONLY.length === 0 || ONLY.includes(name))
      .filter(({ only }) => !only || (only === 'phone') === (viewport === PHONE));
    for (const shot of wanted) {
      const context = await browser.newContext({ ...CONTEXT_OPTIONS, ...look });
      context.setDefaultTimeout(120_000);
      await context.addInitScript(NO_LIVE_EVENTS);
      if (shot.as) await context.addCookies([sessionCookie(organization![shot.as])]);
      const page = await context.newPage();
      await page.goto(origin + shot.path);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      const loading = page.getByText('Loading', { exact: true }).first();
      const busy = page.locator('[aria-busy=true]').first();
      // The component page always shows loading and busy states.
      if (origin === ORIGIN) for (const each of [loading, busy]) await each.waitFor({ state: 'detached' });
      // Code outside the window is neither drawn nor colored.
      if (shot.tall) await makeTall(page, viewport);
      await shot.act?.(page);
      if (!shot.act || shot.tall) await makeTall(page, viewport);
      await untilDrawn(page);
      await page.evaluate('new Promise(requestAnimationFrame)');
      const png = await page.screenshot({ animations: 'disabled' });
      const file = `${shot.name}-${variant}.png`;
      await writeFile(join(FOLDER, file), shrinkPng(png));
      if (documented.has(file)) await copyFile(join(FOLDER, file), join(DOCS_FOLDER, file));
      await context.close();
    }
  });
  await Promise.all(each);
}

/** Makes the window as tall as the page, up to a limit. */
async function makeTall(page: Page, { width, height }: typeof DESKTOP): Promise<void> {
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width, height: Math.min(Math.max(whole, height), 2 * height) });
}

/** Waits for diagrams and colors, which appear once their place is visible; outside the window they never do. */
async function untilDrawn(page: Page): Promise<void> {
  const unfinished = `[...document.querySelectorAll('.picture[role=status], .code-block:not(.diagram) code:not(:has(span))')]
    .some((each) => each.getBoundingClientRect().top < innerHeight && each.getBoundingClientRect().bottom > 0)`;
  // Polled from outside, because the page's content security policy forbids waitForFunction.
  for (let waited = 0; await page.evaluate(unfinished); waited += 50) {
    if (waited > 60_000) throw new Error(`A diagram or code on ${page.url()} was not drawn in a minute.`);
    await page.waitForTimeout(50);
  }
}

/** The component page exists only in the development server. */
async function shootComponents(browser: Browser): Promise<void> {
  const vite = await createServer({
    configFile: join(PROJECT, 'web', 'vite.config.ts'),
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1', hmr: false },
  });
  try {
    await vite.listen();
    const shot = { name: 'components', path: '/dev/components' };
    await shootAll(browser, [shot], undefined, vite.resolvedUrls!.local[0]!.replace(/\/$/, ''));
  } finally {
    await vite.close();
  }
}

function sessionCookie(pair: string) {
  const [name, value] = pair.split('=', 2) as [string, string];
  return { name, value, url: ORIGIN };
}
