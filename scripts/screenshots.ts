/**
 * `npm run screenshots`: every page in light, dark and phone width, of a service with sample data, into screenshots/ (ignored by
 * git). Those that the README shows are copied into docs/screenshots.
 */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createServer } from 'vite';
import { PAGE_PATHS } from '../src/transports/http/page-paths.ts';
import { findBrowser, LAUNCH_ARGUMENTS } from '../test/browser/find-browser.ts';
import { endProcesses, startService } from '../test/countersign-process.ts';
import { freePort } from '../test/free-port.ts';
import { cleanUp } from '../test/real-processes.ts';
import { DOCS_FOLDER, readDocumentedScreenshots } from './documented-screenshots.ts';
import { makeSampleAgents, type SampleAgents } from './sample-agents.ts';
import { makeSampleOrganization, type Sample } from './sample-organization.ts';
import { makeSamplePlans, type SamplePlans } from './sample-plans.ts';
import { makeSamplePullRequest } from './sample-pull-request.ts';
import {
  makeSampleRepositories,
  type SampleRepositories,
  settleRepositories,
} from './sample-repositories.ts';
import { settleReplies } from './settle-replies.ts';
import { shrinkPng } from './shrink-png.ts';
import { NOW, Story } from './story.ts';

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
const story = new Story();
/** With an open connection, the page would never count as loaded. */
const NO_LIVE_EVENTS = 'globalThis.EventSource = class { addEventListener() {} close() {} };';

interface Shot {
  name: string;
  path: string;
  as?: 'owner' | 'newcomer';
  only?: 'phone' | 'desktop';
  /** Actions before the screenshot is taken. */
  act?(page: Page): Promise<void>;
  /** Whether to show the whole page after `act`; dialogs are shown in a window of the default size. */
  tall?: boolean;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click();

const SIGN_IN_ERROR: Shot = {
  name: 'sign-in-error',
  path: '/sign-in',
  async act(page) {
    await page.getByLabel('Email').fill('ada@acme.example');
    await page.getByLabel('Password').fill('not the right one');
    await press('Sign in')(page);
    await page.getByRole('alert').waitFor();
  },
};

const WITHOUT_SESSION = ['/setup', '/sign-in', '/invitation'];

type Stage = 'setup' | 'plans' | 'repositories' | 'pull-requests' | 'agents';

/** Every route in its default state, by the data it requires; the lists below add other states. */
const PLAIN_PAGES = Map.groupBy(PAGE_PATHS, (path): Stage => {
  if (path === '/setup') return 'setup';
  if (path.startsWith('/repositories')) return 'repositories';
  if (path.startsWith('/pull-requests')) return 'pull-requests';
  if (path.startsWith('/connect/') || path === '/settings/agents') return 'agents';
  return 'plans';
});

function plainPages(after: Stage, parameters: Record<string, string> = {}): Shot[] {
  return PLAIN_PAGES.get(after)!.map((path) => ({
    name: nameOf(path),
    path: path.replaceAll(/:(\w+)/g, (_, name: string) => parameters[name]!),
    ...(!WITHOUT_SESSION.includes(path) && { as: 'owner' }),
  }));
}

/** `/settings/audit` is named audit, `/plans/:seriesId` plan, `/repositories/:repositoryId/search` repository-search. */
function nameOf(path: string): string {
  if (path === '/') return 'home';
  return path
    .replace(/^\/settings\//, '/')
    .replaceAll(/ies\/:\w+/g, 'y')
    .replaceAll(/s?\/:\w+/g, '')
    .slice(1)
    .replaceAll('/', '-');
}

/** Pages without any plans. */
const EMPTY: Shot[] = [
  { name: 'plans-empty', path: '/plans', as: 'owner' },
  { name: 'inbox-empty', path: '/inbox', as: 'owner' },
  { name: 'webhooks-empty', path: '/settings/webhooks', as: 'owner' },
  { name: 'repositories-empty', path: '/repositories', as: 'owner' },
];

function pages(sample: Sample, { cache, thread, webhook }: SamplePlans): Shot[] {
  return [
    { name: 'invitation-open', path: `/invitation#token=${sample.invitation}` },
    { name: 'home-new', path: '/', as: 'newcomer' },
    { name: 'api-keys-empty', path: '/settings/api-keys', as: 'newcomer' },
    { name: 'api-keys-create', path: '/settings/api-keys', as: 'owner', act: press('Create API key') },
    {
      name: 'api-keys-secret',
      path: '/settings/api-keys',
      as: 'owner',
      async act(page) {
        await press('Create API key')(page);
        await page.getByLabel('Name').fill('Release robot');
        await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
        await page.getByLabel('API key', { exact: true }).waitFor();
      },
    },
    {
      name: 'api-keys-revoke',
      path: '/settings/api-keys',
      as: 'owner',
      act: press('Revoke CI of the web shop'),
    },
    { name: 'people-invite', path: '/settings/people', as: 'owner', act: press(/^Invite/) },
    {
      name: 'people-link',
      path: '/settings/people',
      as: 'owner',
      async act(page) {
        await press(/^Invite/)(page);
        await page.getByLabel('Email').fill('hedy@acme.example');
        await press('Create invitation link')(page);
        await page.getByLabel('Invitation link').waitFor();
      },
    },
    { name: 'plans-filtered', path: '/plans?status=pending&repository=web-shop', as: 'owner' },
    { name: 'plans-no-match', path: '/plans?search=nothing+like+it', as: 'owner' },
    { name: 'plan-thread', path: `/plans/${cache}?thread=${thread}`, as: 'owner' },
    { name: 'plan-changes', path: `/plans/${cache}?view=changes&compare=2&version=3`, as: 'owner' },
    { name: 'plan-source', path: `/plans/${cache}?view=source&compare=2&version=3`, as: 'owner' },
    { name: 'plan-activity', path: `/plans/${cache}?view=activity`, as: 'owner' },
    {
      name: 'webhooks-add',
      path: '/settings/webhooks',
      as: 'owner',
      async act(page) {
        await press('Add webhook')(page);
        await page.getByLabel('Only selected events').check();
        await page.getByLabel('New plan').check();
      },
    },
    {
      name: 'webhooks-secret',
      path: '/settings/webhooks',
      as: 'owner',
      async act(page) {
        await press('Add webhook')(page);
        await page.getByLabel('URL').fill('https://deploy.acme.example/hooks/plans');
        await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
        await page.getByLabel('Signing secret', { exact: true }).waitFor();
      },
    },
    {
      name: 'webhook',
      path: `/settings/webhooks?webhook=${webhook}`,
      as: 'owner',
      tall: true,
      async act(page) {
        await press(/Pending/)(page);
        await page.locator('[role=status]:has(.animate-spin)').waitFor({ state: 'detached' });
      },
    },
    { name: 'command-palette', path: '/', as: 'owner', act: (page) => page.keyboard.press('Control+k') },
    {
      name: 'command-palette-plans',
      path: '/',
      as: 'owner',
      async act(page) {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('cache');
        await page.getByRole('option', { name: /Serve product/ }).waitFor();
      },
    },
    { name: 'shortcut-help', path: '/plans', as: 'owner', act: (page) => page.keyboard.press('?') },
    { name: 'person-menu', path: '/', as: 'owner', only: 'desktop', act: press(/Ada Lovelace/) },
    { name: 'phone-menu', path: '/', as: 'owner', only: 'phone', act: press('Menu') },
    { name: 'not-found', path: '/no/such/page', as: 'owner' },
  ];
}

function repositoryPages({ ledger, shop }: SampleRepositories): Shot[] {
  const files = `/repositories/${shop}`;
  return [
    {
      name: 'repositories-add',
      path: '/repositories',
      as: 'owner',
      async act(page) {
        await press('Add repository')(page);
        await page.getByLabel('URL').fill('git@git.acme.example:acme/gateway.git');
        await page.getByLabel('SSH key').check();
      },
    },
    { name: 'repository-failed', path: `/repositories/${ledger}`, as: 'owner' },
    {
      name: 'repository-file',
      path: `${files}?path=src%2Forders.ts#L21-L33`,
      as: 'owner',
      tall: true,
      act: untilColored,
    },
    {
      name: 'repository-branches',
      path: files,
      as: 'owner',
      async act(page) {
        await press(/^Branch, tag or commit/)(page);
        await page.getByRole('option', { name: 'v4.1.0' }).waitFor();
      },
    },
    {
      name: 'repository-go-to-file',
      path: files,
      as: 'owner',
      async act(page) {
        await press('Go to file')(page);
        await page.keyboard.type('src s');
        await page.getByRole('option', { name: 'src/stock.ts' }).waitFor();
      },
    },
    {
      name: 'repository-search-found',
      path: `${files}/search?pattern=TODO`,
      as: 'owner',
      tall: true,
      act: untilColored,
    },
    { name: 'repository-search-files', path: `${files}/search?mode=files&pattern=src%20st`, as: 'owner' },
    {
      name: 'repository-search-mistake',
      path: `${files}/search?pattern=pay%28Order&regex=true`,
      as: 'owner',
      act: (page) => page.getByRole('alert').waitFor(),
    },
  ];
}

function pullRequestPages(id: string): Shot[] {
  const page = `/pull-requests/${id}`;
  return [
    {
      name: 'pull-request-files',
      path: `${page}?view=files`,
      as: 'owner',
      async act(shown) {
        await untilColored(shown);
        await shown.keyboard.press('n');
        await shown.getByRole('article').first().waitFor();
        await shown
          .getByRole('region', { name: 'src/declined.ts' })
          .locator('.code-keyword')
          .first()
          .waitFor();
      },
    },
    {
      name: 'pull-request-two-columns',
      path: `${page}?view=files`,
      as: 'owner',
      only: 'desktop',
      async act(shown) {
        await untilColored(shown);
        await press('View options')(shown);
        await shown.getByRole('menuitemradio', { name: 'Two columns' }).click();
        await shown.getByRole('menu').waitFor({ state: 'detached' });
      },
    },
    { name: 'pull-request-commits', path: `${page}?view=commits`, as: 'owner' },
    { name: 'pull-request-activity', path: `${page}?view=activity`, as: 'owner' },
    { name: 'pull-request-review', path: page, as: 'owner', act: press('Review') },
    { name: 'pull-requests-open', path: '/pull-requests', as: 'owner', act: press('Open pull request') },
  ];
}

function agentPages({ remote }: SampleAgents): Shot[] {
  return [
    { name: 'agents-empty', path: '/settings/agents', as: 'newcomer' },
    {
      name: 'agents-key',
      path: '/settings/agents',
      as: 'owner',
      tall: true,
      act: (page) => page.getByRole('tab', { name: 'Other agents and CI' }).click(),
    },
    { name: 'agents-revoke', path: '/settings/agents', as: 'owner', act: press('Revoke Claude Code') },
    { name: 'connect-remote', path: remote, as: 'owner', tall: true, act: untilAllowable },
    { name: 'connect-over', path: '/connect/used', as: 'owner' },
  ];
}

/** The Allow button is enabled a moment after the page appears. */
function untilAllowable(page: Page): Promise<void> {
  return page.locator('[aria-disabled=true]').waitFor({ state: 'detached' });
}

/** Code is highlighted a moment after it appears. */
function untilColored(page: Page): Promise<void> {
  return page.locator('.code-keyword').first().waitFor();
}

try {
  if (ONLY.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const service = await startService({
    env: {
      PORT: address.split(':')[1],
      BASE_URL: ORIGIN,
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT: 'off',
      ALLOW_PRIVATE_ADDRESSES: 'true',
      ALLOW_LOCAL_REPOSITORIES: 'true',
    },
  });
  const [, token] = await service.until(/#token=(\S+)/);
  const browser = await chromium.launch({
    executablePath: findBrowser((line) => process.stderr.write(`${line}\n`)),
    args: [...LAUNCH_ARGUMENTS, `--host-resolver-rules=MAP ${new URL(ORIGIN).host} ${address}`],
  });
  const studio = { browser, service: `http://${address}` };
  try {
    await shootAll(studio, [{ ...plainPages('setup')[0]!, path: `/setup#token=${token}` }]);
    const sample = await makeSampleOrganization(studio.service, token!);
    await shootAll(studio, EMPTY, sample);
    const plans = await makeSamplePlans(sample.people, story);
    await shootAll(studio, plainPages('plans', { seriesId: plans.cache }), sample);
    await shootAll(studio, pages(sample, plans), sample);
    // After the plans, which would otherwise show that their code has changed.
    const repositories = await makeSampleRepositories(sample.people);
    await shootAll(studio, plainPages('repositories', { repositoryId: repositories.shop }), sample);
    await shootAll(studio, repositoryPages(repositories), sample);
    const pullRequestId = await makeSamplePullRequest(sample.people, story);
    await shootAll(studio, plainPages('pull-requests', { pullRequestId }), sample);
    await shootAll(studio, pullRequestPages(pullRequestId), sample);
    await repositories.close();
    const agents = await makeSampleAgents(studio.service, sample.owner);
    const asked = await fetch(studio.service + agents.local, {
      redirect: 'manual',
      headers: { cookie: sample.owner },
    });
    const signInId = asked.headers.get('location')!.split('/').at(-1)!;
    const agentShots = plainPages('agents', { signInId });
    await shootAll(
      studio,
      agentShots.map((shot) => ({ ...shot, tall: true, act: untilAllowable })),
      sample,
    );
    await shootAll(studio, agentPages(agents), sample);
    // Last, because it adds to the audit log.
    await shootAll(studio, [SIGN_IN_ERROR]);
    await shootComponents(studio);
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  await endProcesses();
  await cleanUp();
}

interface Studio {
  browser: Browser;
  /** The real URL of the service. */
  service: string;
}

async function shootAll(
  { browser, service }: Studio,
  shots: Shot[],
  sample?: Sample,
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
      await settleReplies(context, story, ORIGIN, service);
      await settleRepositories(context, ORIGIN, service);
      await context.addInitScript(NO_LIVE_EVENTS);
      await context.clock.setFixedTime(NOW);
      if (shot.as) await context.addCookies([sessionCookie(sample![shot.as])]);
      const page = await context.newPage();
      await page.goto(origin + shot.path);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      const loading = page.getByText('Loading', { exact: true }).first();
      const busy = page.locator('[aria-busy=true]').first();
      // The component page always shows loading and busy states.
      if (origin === ORIGIN) for (const each of [loading, busy]) await each.waitFor({ state: 'detached' });
      await shot.act?.(page);
      if (!shot.act || shot.tall) await makeTall(page, viewport);
      await untilDrawn(page);
      await page.evaluate('new Promise(requestAnimationFrame)');
      const png = await page.screenshot({ animations: 'disabled' });
      const file = `${shot.name}-${variant}.png`;
      await writeFile(join(FOLDER, file), shrinkPng(png));
      if (documented.has(file)) await copyFile(join(FOLDER, file), join(DOCS_FOLDER, file));
      await context.unrouteAll({ behavior: 'ignoreErrors' });
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
async function shootComponents(studio: Studio): Promise<void> {
  const port = await freePort();
  const vite = await createServer({
    configFile: join(PROJECT, 'web', 'vite.config.ts'),
    logLevel: 'error',
    server: { port, host: '127.0.0.1', hmr: false },
  });
  try {
    await vite.listen();
    const shot = { name: 'components', path: '/dev/components' };
    await shootAll(studio, [shot], undefined, `http://127.0.0.1:${port}`);
  } finally {
    await vite.close();
  }
}

function sessionCookie(pair: string) {
  const [name, value] = pair.split('=', 2) as [string, string];
  return { name, value, url: ORIGIN };
}
