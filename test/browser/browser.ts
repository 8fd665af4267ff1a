/**
 * A real Chromium with signed-in users. Any problem on a page fails the test in which it happened: a violation of the
 * Content-Security-Policy, a script error, unexpected console output, a request to another origin, a file that could not
 * be loaded.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, expect, inject } from 'vitest';
import { PASSWORD, type Person } from '../helpers/service/factories.ts';
import { startTestService, type TestService } from '../helpers/service/harness.ts';
import { LAUNCH_ARGUMENTS } from './find-browser.ts';

export interface Look {
  /** The system's preference. */
  dark?: boolean;
  phone?: boolean;
}

export interface PersonOptions extends Look {
  /** Starts with a session, without using the sign-in page. */
  as?: Pick<Person, 'token'>;
  userAgent?: string;
  /** Stays open for the later tests of the file. */
  kept?: boolean;
  /** A profile that nobody used before and nobody uses afterward: for a first visit, or for what cannot be undone, such as a clock. */
  unused?: boolean;
}

export interface InBrowser {
  context: BrowserContext;
  page: Page;
  /** Problems that this test expects and that don't fail it. */
  allow(pattern: RegExp): void;
}

export interface Stage {
  browser: Browser;
  /** A separate browser profile with one page at the origin. */
  newPerson(origin: string, options?: PersonOptions): Promise<InBrowser>;
}

/** Runs in every page before its own scripts: reports violations and records layout shifts. */
const WATCH = `
  addEventListener('securitypolicyviolation', (event) =>
    console.error('Content-Security-Policy violated: ' + event.violatedDirective + ' by ' + event.blockedURI + ' ' + event.sample));
  globalThis.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) layoutShifts.push({ value: entry.value, moved: entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120)) });
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Pages live for a second here: compiling their scripts costs more CPU time than it saves, and so does a process for graphics. */
const SHORT_LIVED = [
  '--js-flags=--no-turbofan --no-sparkplug --invocation-count-for-maglev=4000',
  '--in-process-gpu',
  '--num-raster-threads=1',
];

/** One browser for all test files of this process. */
let shared: Promise<Browser> | undefined;

function launch(extraArguments: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: inject('browserPath'),
    args: [...LAUNCH_ARGUMENTS, ...extraArguments],
  });
}

/** A browser for the calling test file: the shared one, or a separate one if it needs other arguments. */
export async function startBrowser(extraArguments: string[] = []): Promise<Stage> {
  const isOwn = extraArguments.length > 0;
  if (!isOwn) shared ??= launch(SHORT_LIVED);
  const browser = isOwn ? await launch(extraArguments) : await shared!;
  let people: Profile[] = [];
  const idle: Profile[] = [];
  afterEach(async () => {
    const problems = people.flatMap((person) =>
      person.problems.filter((problem) => !person.allowed.some((pattern) => pattern.test(problem))),
    );
    const done = people.filter(({ kept }) => !kept);
    people = people.filter(({ kept }) => kept);
    for (const person of people) person.problems.length = 0;
    await Promise.all(
      done.map(async (person) => {
        if (await reset(person).catch(() => false)) idle.push(person);
        else await person.context.close();
      }),
    );
    expect(problems, 'what went wrong in the background of the pages').toEqual([]);
  });
  afterAll(() =>
    isOwn
      ? browser.close()
      : Promise.all([...people, ...idle].map(({ context }) => context.close())).then(() => undefined),
  );

  return {
    browser,
    async newPerson(origin, options = {}) {
      const { as, kept = false, unused = false, ...look } = options;
      const known = unused ? -1 : idle.findIndex((one) => one.origin === origin && isSame(one.look, look));
      const person = idle.splice(known, known < 0 ? 0 : 1)[0] ?? (await newProfile(browser, origin, look));
      Object.assign(person, { kept, unused });
      people.push(person);
      const { allowed, context, page } = person;
      if (as)
        await context.addCookies([
          { name: 'countersign', value: as.token, url: origin, httpOnly: true, sameSite: 'Lax' },
        ]);
      return { context, page, allow: (pattern) => void allowed.push(pattern) };
    },
  };
}

type AnyLook = Look & Pick<PersonOptions, 'userAgent'>;
const isSame = (one: AnyLook, other: AnyLook) =>
  !one.dark === !other.dark && !one.phone === !other.phone && one.userAgent === other.userAgent;

/** A browser profile with its page. Starting one takes almost as long as loading a page, so that tests of one file use it one after the other. */
interface Profile {
  origin: string;
  look: AnyLook;
  context: BrowserContext;
  page: Page;
  kept: boolean;
  unused: boolean;
  problems: string[];
  allowed: RegExp[];
}

async function newProfile(browser: Browser, origin: string, look: AnyLook): Promise<Profile> {
  const context = await browser.newContext({
    baseURL: origin,
    ...mediaOf(look),
    userAgent: look.userAgent,
    viewport: look.phone ? PHONE : DESKTOP,
    ...(look.phone && { isMobile: true, hasTouch: true }),
  });
  context.setDefaultTimeout(10_000);
  await context.addInitScript(WATCH);
  const problems: string[] = [];
  watch(context, origin, problems);
  const page = await context.newPage();
  return { origin, look, context, page, kept: false, unused: false, problems, allowed: [] };
}

const mediaOf = ({ dark }: Look) => ({
  colorScheme: dark ? ('dark' as const) : ('light' as const),
  reducedMotion: 'reduce' as const,
});

/** Makes it as good as new: nobody signed in, nothing stored, nothing intercepted. False if that is impossible. */
async function reset({ allowed, context, look, origin, page, problems, unused }: Profile): Promise<boolean> {
  if (unused || page.isClosed() || context.pages().length !== 1) return false;
  await context.setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['console', 'request', 'response'] as const) page.removeAllListeners(event);
  // A page of the same origin, which can empty what the browser stored for it and runs nothing else.
  await page.goto(`${origin}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
  await context.clearPermissions();
  await page.emulateMedia(mediaOf(look));
  await page.setViewportSize(look.phone ? PHONE : DESKTOP);
  problems.length = 0;
  allowed.length = 0;
  return true;
}

function watch(context: BrowserContext, origin: string, problems: string[]): void {
  context.on('weberror', (event) => problems.push(`script error: ${event.error().stack}`));
  context.on('console', (message) => {
    // Failed requests are checked below by status; this is only the browser's log of them.
    if (
      message.type() === 'error' &&
      !message.text().startsWith('Failed to load resource: the server responded')
    )
      problems.push(`console: ${message.text()}`);
    if (message.type() === 'warning') problems.push(`console warning: ${message.text()}`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) problems.push(`request elsewhere: ${url}`);
  });
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const isData = pathname.startsWith('/api/');
    if (response.status() >= (isData ? 500 : 400)) problems.push(`${response.status()}: ${response.url()}`);
  });
  context.on('requestfailed', (request) => {
    const failure = request.failure()?.errorText ?? '';
    // A canceled query, or navigation to another page.
    if (failure !== 'net::ERR_ABORTED') problems.push(`request failed: ${failure} ${request.url()}`);
  });
  context.on('dialog', (dialog) => {
    problems.push(`browser dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/** The service with the web app, for one test file. */
export function startServiceWithPages(
  settings: Record<string, string> = {},
  options: { worker?: boolean } = {},
): Promise<TestService> {
  return startTestService({ webAppFolder: inject('webAppFolder'), settings, ...options });
}

/** Fills the sign-in page that is open and submits it. */
export async function signIn(page: Page, who: { email: string; password?: string }): Promise<void> {
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password').fill(who.password ?? PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Waits until the page is shown and nothing is loading. */
export async function untilLoaded(page: Page, heading: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.locator('[role=status]:has(.sr-only), [aria-busy=true]').first().waitFor({ state: 'detached' });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Best practices that every page follows too. */
const LANDMARKS = {
  'landmark-unique': { enabled: true },
  'landmark-complementary-is-top-level': { enabled: true },
};

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Skips what only costs time here: selectors, and style sheets for rules that aren't run. */
const AXE_OPTIONS = { resultTypes: ['violations'], selectors: false, preload: false };

const ALL_RULES = { runOnly: STANDARDS, rules: LANDMARKS };

/** Opened above the page, which stays as it was: the page is checked without it. */
const POPPER = '[data-radix-popper-content-wrapper]';
const ABOVE = `[role=dialog], ${POPPER} [role=menu], ${POPPER} [role=listbox]`;

const CONTRAST = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/** At desktop width in light and at phone width in dark: axe is slow, and a width changes no color. */
export async function expectAccessibleAtBothWidths(
  page: Page,
  where: string,
  options: { alsoDarkAtDesktop?: boolean } = {},
): Promise<void> {
  const found = await axeFindings(page, ALL_RULES);
  if (options.alsoDarkAtDesktop) found.push(...(await findingsInDark(page, 'in dark', CONTRAST)));
  await page.setViewportSize(PHONE);
  found.push(...(await findingsInDark(page, 'on a phone in dark', ALL_RULES)));
  await page.setViewportSize(DESKTOP);
  expect(found, where).toEqual([]);
}

/** Fails on any axe violation of the current page, or of what is open above it alone; contrast is checked in light and dark. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const found = await axeFindings(page, ALL_RULES);
  found.push(...(await findingsInDark(page, 'in dark', CONTRAST)));
  expect(found, where).toEqual([]);
}

/** For a test that runs on a desk and then on a phone: there one pass is enough, in dark. */
export async function expectAccessibleOn(phone: boolean, page: Page, where: string): Promise<void> {
  if (!phone) return expectAccessible(page, where);
  expect(await findingsInDark(page, 'on a phone in dark', ALL_RULES), where).toEqual([]);
}

/** On a desk in light, and then on a phone in dark: axe is slow, and a width changes no color. */
export async function expectAtBothWidths(
  page: Page,
  where: string,
  check: (how: string) => Promise<void>,
): Promise<void> {
  await check(where);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  try {
    await check(`${where}, on a phone in dark`);
  } finally {
    // The next test goes on in the same page.
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(DESKTOP);
  }
}

/** Fails on any axe violation of what is shown, or of what is open above it alone, in the colors in which it is shown. */
export async function expectAccessibleAsShown(page: Page, where: string): Promise<void> {
  expect(await axeFindings(page, ALL_RULES), where).toEqual([]);
}

async function findingsInDark(page: Page, how: string, options: object): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const found = await axeFindings(page, options);
  await page.emulateMedia({ colorScheme: 'light' });
  return found.map((finding) => `${how}, ${finding}`);
}

async function axeFindings(page: Page, options: object): Promise<string[]> {
  // Evaluated from outside, where the page's policy doesn't apply. Half a megabyte: sent once per page.
  if (!(await page.evaluate('"axe" in globalThis')))
    await page.evaluate(`globalThis.axe = (() => { ${AXE}; return axe; })(); 0`);
  const { violations } = (await page.evaluate(
    `axe.run(document.querySelector(${JSON.stringify(ABOVE)}) ?? document, ${JSON.stringify({ ...options, ...AXE_OPTIONS })})`,
  )) as { violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[] };
  return violations.flatMap(({ help, id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${help}\n${html.slice(0, 300)}\n${failureSummary}`),
  );
}

export interface LayoutShift {
  value: number;
  moved: (string | undefined)[];
}

export async function layoutShifts(page: Page): Promise<LayoutShift[]> {
  return (await page.evaluate('layoutShifts')) as LayoutShift[];
}

/** Fails if the page moved what it had shown while it was loading. */
export async function expectSteadyLayout(page: Page): Promise<void> {
  // Shifts caused by the last reply are recorded two frames later.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const shifts = await layoutShifts(page);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts)).toBeLessThan(0.02);
}
