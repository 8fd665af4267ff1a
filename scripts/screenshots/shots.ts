/** Lists the screenshots: every page of the web app with the data of the demo, and the states that a page alone does not show. */
import type { Page } from 'playwright-core';
import { PAGE_PATHS } from '../../src/transports/http/page-paths.ts';
import type { Demo } from '../demo/fill.ts';
import type { DemoOrganization } from '../demo/organization.ts';

export interface Shot {
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

const WITHOUT_SESSION = ['/setup', '/sign-in', '/sign-in/return', '/invitation', '/unsubscribe'];
/** Only reached from another site, or taken below with what they need. */
const NOT_PLAIN = ['/setup', '/sign-in/return', '/settings/account/link', '/settings/code-hosts/github-app'];

export function setupPage(token: string): Shot {
  return { name: 'setup', path: `/setup#token=${token}` };
}

/** Taken in an organization without any data. */
export const EMPTY_PAGES: Shot[] = [
  '/',
  '/inbox',
  '/plans',
  '/reviews',
  '/pull-requests',
  '/repositories',
  '/architecture',
  '/settings/webhooks',
].map((path) => ({ name: `${nameOf(path)}-empty`, path, as: 'owner' }));

/** Every page as it opens. */
export function plainPages(demo: Demo, signInId: string): Shot[] {
  const parameters: Record<string, string> = {
    seriesId: demo.plans.cache,
    pullRequestId: demo.pullRequests.declined,
    repositoryId: demo.repositories['acme/web-shop']!,
    reviewerId: demo.reviewer,
    signInId,
  };
  return PAGE_PATHS.filter((path) => !(NOT_PLAIN as readonly string[]).includes(path)).map((path) => ({
    name: nameOf(path),
    path: path.replaceAll(/:(\w+)/g, (_, name: string) => parameters[name]!),
    ...(!WITHOUT_SESSION.includes(path) && { as: 'owner' }),
    ...(path.startsWith('/connect/') && { tall: true, act: untilAllowable }),
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

/** Pages with something open, filtered or wrong. */
export function otherStates(organization: DemoOrganization, demo: Demo): Shot[] {
  return [
    ...planStates(demo),
    ...repositoryStates(demo),
    ...pullRequestStates(demo),
    ...settingStates(organization, demo),
    { name: 'home-new', path: '/', as: 'newcomer' },
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

function planStates({ plans: { cache, thread } }: Demo): Shot[] {
  return [
    { name: 'plans-filtered', path: '/plans?status=pending&repository=web-shop', as: 'owner' },
    { name: 'plans-no-match', path: '/plans?search=nothing+like+it', as: 'owner' },
    { name: 'plan-thread', path: `/plans/${cache}?thread=${thread}`, as: 'owner' },
    { name: 'plan-changes', path: `/plans/${cache}?view=changes&compare=2&version=3`, as: 'owner' },
    { name: 'plan-source', path: `/plans/${cache}?view=source&compare=2&version=3`, as: 'owner' },
    { name: 'plan-activity', path: `/plans/${cache}?view=activity`, as: 'owner' },
  ];
}

function repositoryStates({ repositories }: Demo): Shot[] {
  const files = `/repositories/${repositories['acme/web-shop']}`;
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
    {
      name: 'repository-file',
      path: `${files}?path=src%2Forders.ts#L21-L33`,
      as: 'owner',
      tall: true,
      act: (page) => untilColored(page),
    },
    {
      name: 'repository-branches',
      path: files,
      as: 'owner',
      async act(page) {
        await press(/^Branch, tag or commit/)(page);
        await page.getByRole('option', { name: 'declined-cards' }).waitFor();
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
      act: (page) => untilColored(page),
    },
    { name: 'repository-search-files', path: `${files}/search?mode=files&pattern=src%20st`, as: 'owner' },
    {
      name: 'repository-search-mistake',
      path: `${files}/search?pattern=pay%28Order&regex=true`,
      as: 'owner',
      act: (page) => page.getByRole('alert').waitFor(),
    },
    {
      name: 'search-found',
      path: '/search?pattern=formatPrice',
      as: 'owner',
      tall: true,
      act: (page) => untilColored(page),
    },
    { name: 'architecture-found', path: '/architecture?search=prices', as: 'owner' },
  ];
}

function pullRequestStates({ pullRequests: { declined, formatter, suppliers } }: Demo): Shot[] {
  const page = `/pull-requests/${declined}`;
  return [
    {
      name: 'pull-request-files',
      path: `${page}?view=files`,
      as: 'owner',
      async act(shown) {
        await shown.getByRole('region', { name: 'src/declined.ts' }).waitFor();
        await shown.keyboard.press('n');
        await shown.getByRole('article').first().waitFor();
        await untilColored(shown);
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
        await shown.getByRole('menuitemradio', { name: 'Split' }).click();
        await shown.getByRole('menu').waitFor({ state: 'detached' });
      },
    },
    {
      name: 'pull-request-findings',
      path: `/pull-requests/${suppliers}?view=files`,
      as: 'owner',
      tall: true,
      async act(shown) {
        await untilColored(shown, 'src/suppliers.ts');
        await shown.getByRole('article').first().waitFor();
      },
    },
    {
      name: 'pull-request-finding',
      path: `/pull-requests/${formatter}?view=files`,
      as: 'owner',
      tall: true,
      async act(shown) {
        await untilColored(shown, 'src/index.ts');
        await shown.getByRole('article').first().waitFor();
      },
    },
    { name: 'pull-request-runs', path: `/pull-requests/${suppliers}?view=reviews`, as: 'owner' },
    { name: 'pull-request-commits', path: `${page}?view=commits`, as: 'owner' },
    { name: 'pull-request-activity', path: `${page}?view=activity`, as: 'owner' },
    { name: 'pull-request-review', path: page, as: 'owner', act: press('Review') },
    { name: 'pull-requests-all', path: '/pull-requests?state=all', as: 'owner' },
    { name: 'pull-requests-open', path: '/pull-requests', as: 'owner', act: press('Open pull request') },
  ];
}

function settingStates({ invitation }: DemoOrganization, { agents, plans }: Demo): Shot[] {
  return [
    { name: 'invitation-open', path: `/invitation#token=${invitation}` },
    { name: 'api-keys-empty', path: '/settings/api-keys', as: 'newcomer' },
    { name: 'api-keys-create', path: '/settings/api-keys', as: 'owner', act: press('Create API key') },
    {
      name: 'api-keys-revoke',
      path: '/settings/api-keys',
      as: 'owner',
      act: press('Revoke CI of the web shop'),
    },
    { name: 'people-invite', path: '/settings/people', as: 'owner', act: press(/^Invite/) },
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
    { name: 'webhook', path: `/settings/webhooks?webhook=${plans.webhook}`, as: 'owner', tall: true },
    { name: 'agents-empty', path: '/settings/agents', as: 'newcomer' },
    {
      name: 'agents-key',
      path: '/settings/agents',
      as: 'owner',
      tall: true,
      act: (page) => page.getByRole('tab', { name: 'Other agents and CI' }).click(),
    },
    { name: 'agents-revoke', path: '/settings/agents', as: 'owner', act: press('Revoke Claude Code') },
    { name: 'connect-remote', path: agents.remote, as: 'owner', tall: true, act: untilAllowable },
    { name: 'connect-over', path: '/connect/used', as: 'owner' },
  ];
}

/** Taken last, because each changes what other pages show. */
export const CHANGING: Shot[] = [
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
    name: 'people-link',
    path: '/settings/people',
    as: 'owner',
    async act(page) {
      await press(/^Invite/)(page);
      await page.getByLabel('Email').fill(`hedy${Date.now()}@acme.example`);
      await press('Create invitation link')(page);
      await page.getByLabel('Invitation link').waitFor();
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
    name: 'sign-in-error',
    path: '/sign-in',
    async act(page) {
      await page.getByLabel('Email').fill('ada@acme.example');
      await page.getByLabel('Password').fill('not the right one');
      await press('Sign in')(page);
      await page.getByRole('alert').waitFor();
    },
  },
];

/** The Allow button is enabled a moment after the page appears. */
function untilAllowable(page: Page): Promise<void> {
  return page.locator('[aria-disabled=true]').waitFor({ state: 'detached' });
}

/** Code is highlighted a moment after it appears; of a file, or anywhere. */
function untilColored(page: Page, file?: string): Promise<void> {
  const place = file === undefined ? page : page.getByRole('region', { name: file });
  return place.locator('.code-keyword').first().waitFor();
}
