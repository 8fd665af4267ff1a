/**
 * Every page of web/routes.tsx with hostile text, on a desk in light and on a phone in dark: nothing in the text runs,
 * loads or breaks the layout, and axe finds nothing (WCAG 2.2 AA, as far as it can tell).
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { PAGE_PATHS } from '../../src/transports/http/page-paths.ts';
import { newAgent } from './agent.ts';
import {
  expectAccessibleAsShown,
  expectAtBothWidths,
  type InBrowser,
  startBrowser,
  startServiceWithPages,
} from './browser.ts';
import { expectHarmless, HOSTILE_TEXTS } from './harmless.ts';
import { fillWithHostileText } from './hostile-organization.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED);
const { newPerson } = await startBrowser();
const { acme } = service;
const made = await fillWithHostileText(service);
const agentAddress = (await newAgent(service.url, { name: HOSTILE_TEXTS.slice(0, 5).join('') })).address;

interface Visit {
  route: (typeof PAGE_PATHS)[number];
  /** The address, if it isn't the route itself; for a route with parameters, what follows their values. */
  at?: string;
  /** Text that is there when everything is loaded. */
  shows?: string | RegExp;
  /** Buttons that open a dialog or a menu. */
  opens?: (string | RegExp)[];
  /** Without a session. */
  isPublic?: true;
  /** An address that the app never makes itself: it is loaded. */
  isTyped?: true;
}

const code = `/repositories/${made.repository}`;
const plan = `/plans/${made.plan}`;
const pullRequest = `/pull-requests/${made.pullRequest}`;
const reviewer = `/reviewers/${made.reviewer}`;
const search = encodeURIComponent(HOSTILE_TEXTS[0]!);

const VISITS: Visit[] = [
  { route: '/setup', shows: 'Already set up', isPublic: true },
  { route: '/sign-in', at: '/sign-in?next=/<script>pwned=1</script>', isPublic: true },
  { route: '/sign-in/return', at: `/sign-in/return?code=${search}&state=${search}`, isPublic: true },
  { route: '/invitation', at: made.invitation, shows: /Join/, isPublic: true },
  { route: '/invitation', at: `/invitation#token=${search}`, shows: 'can’t be used', isPublic: true },
  { route: '/join', at: `/join#token=${search}`, shows: 'can’t be used', isPublic: true },
  { route: '/unsubscribe', at: `/unsubscribe#token=${search}`, isPublic: true },
  { route: '/connect/:signInId', at: agentAddress, isTyped: true, shows: 'An agent requests access' },
  { route: '/connect/:signInId', at: '/connect/unknown', shows: 'This request has expired' },
  { route: '/', opens: [/onerror/, 'Search'] },
  { route: '/inbox', shows: HOSTILE_TEXTS[0] },
  { route: '/plans', shows: HOSTILE_TEXTS[0] },
  {
    route: '/plans',
    at: `/plans?status=${search}&authorId=javascript:1&version=-1&repository=%7B%7D`,
    isTyped: true,
  },
  { route: '/reviews' },
  { route: '/plans/:seriesId', at: plan, opens: ['More actions', 'Approve', 'Request review', /^Version: /] },
  { route: '/plans/:seriesId', at: `${plan}?view=changes&compare=1` },
  { route: '/plans/:seriesId', at: `${plan}?view=source&compare=1` },
  { route: '/plans/:seriesId', at: `${plan}?view=activity` },
  { route: '/pull-requests', shows: HOSTILE_TEXTS[0], opens: ['Open pull request'] },
  { route: '/pull-requests/:pullRequestId', at: pullRequest, opens: ['Review'] },
  { route: '/pull-requests/:pullRequestId', at: `${pullRequest}?view=files` },
  { route: '/pull-requests/:pullRequestId', at: `${pullRequest}?view=commits` },
  { route: '/pull-requests/:pullRequestId', at: `${pullRequest}?view=reviews` },
  { route: '/pull-requests/:pullRequestId', at: `${pullRequest}?view=activity` },
  { route: '/reviewers' },
  { route: '/reviewers/new' },
  { route: '/reviewers/dismissals', opens: [/^Undo/] },
  { route: '/reviewers/:reviewerId', at: reviewer, opens: ['Delete reviewer'] },
  { route: '/reviewers/:reviewerId/edit', at: `${reviewer}/edit` },
  { route: '/repositories', opens: ['Add repository'] },
  { route: '/search' },
  { route: '/search', at: '/search?pattern=order', shows: 'matching line' },
  { route: '/repositories/:repositoryId', at: code, opens: [/Branch, tag or commit/] },
  { route: '/repositories/:repositoryId', at: `${code}?path=odd/` },
  { route: '/repositories/:repositoryId', at: `${code}?path=${encodeURIComponent(made.file)}` },
  { route: '/repositories/:repositoryId/search', at: `${code}/search` },
  { route: '/repositories/:repositoryId/search', at: `${code}/search?pattern=order`, shows: 'matching line' },
  { route: '/repositories/:repositoryId/search', at: `${code}/search?pattern=order%28&regex=true` },
  { route: '/repositories/:repositoryId/search', at: `${code}/search?mode=files&pattern=odd` },
  { route: '/architecture' },
  { route: '/repositories/:repositoryId/architecture', at: `${code}/architecture` },
  { route: '/settings/agents', shows: HOSTILE_TEXTS[0], opens: [/^Revoke/] },
  { route: '/settings/api-keys', shows: HOSTILE_TEXTS[0], opens: ['Create API key', /^Revoke/] },
  { route: '/settings/account', opens: [/^Sign out/] },
  { route: '/settings/account/link', at: `/settings/account/link?code=${search}&state=${search}` },
  { route: '/settings/people', shows: HOSTILE_TEXTS[0], opens: [/^Invite/, /^Deactivate/] },
  { route: '/settings/teams', opens: ['Create team'] },
  { route: '/settings/merge-rules', opens: ['Add rule'] },
  { route: '/settings/single-sign-on' },
  { route: '/settings/code-hosts', opens: ['Connect code host'] },
  {
    route: '/settings/code-hosts/github-app',
    at: `/settings/code-hosts/github-app?code=${search}&state=forged`,
  },
  { route: '/settings/webhooks', opens: ['Add webhook'] },
  {
    route: '/settings/webhooks',
    at: `/settings/webhooks?webhook=${made.webhook}`,
    opens: ['Edit', 'Rotate secret', 'Turn off', 'Delete'],
  },
  { route: '/settings/model' },
  { route: '/settings/organization', opens: ['Conditions for Review every push', 'Exclude paths'] },
  { route: '/settings/audit', shows: HOSTILE_TEXTS[0] },
  { route: '/settings/audit', at: `/settings/audit?action=${search}`, shows: /./ },
  { route: '/settings/audit', at: `/settings/audit?action=password.reset`, shows: 'No matching events' },
  { route: '/settings/system' },
  {
    route: '/repositories/:repositoryId/settings',
    at: `${code}/settings`,
    opens: ['Add credential', 'Remove repository'],
  },
];

it('visits every page', () => {
  expect([...new Set(VISITS.map(({ route }) => route))].sort()).toEqual([...PAGE_PATHS].sort());
});

/** Loading the app and axe again costs more than everything else; the page in between makes the next heading a new one. */
async function goInApp(page: Page, path: string): Promise<void> {
  const open = (address: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`);
  const between = page.getByRole('heading', { level: 1, name: 'Page not found' });
  await open('/nowhere');
  await between.waitFor();
  await open(path);
  await between.waitFor({ state: 'detached' });
}

/** Without diagrams, which wait until they are in view. */
async function untilShown(page: Page, shows: Visit['shows']): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  if (shows) await page.getByText(shows).first().waitFor();
  const loading = page.locator('[role=status]:has(.sr-only):not(.picture), [aria-busy=true]');
  await loading.first().waitFor({ state: 'detached' });
}

async function drawDiagrams(page: Page): Promise<void> {
  for (const diagram of await page.locator('figure.diagram').filter({ visible: true }).all()) {
    await diagram.scrollIntoViewIfNeeded();
    await diagram.locator('img, .why').first().waitFor();
  }
}

async function check(page: Page, where: string): Promise<void> {
  await expectAtBothWidths(page, where, async (how) => {
    // Elsewhere, axe finds what the sticky header covers by chance too small.
    await page.evaluate('scrollTo(0, 0)');
    await expectHarmless(page, how);
    await expectAccessibleAsShown(page, how);
  });
}

const OVERLAY = '[role=dialog], [role=menu], [role=listbox]';
let guest: InBrowser;
let owner: InBrowser;
beforeAll(async () => {
  guest = await newPerson(service.url, { kept: true });
  owner = await newPerson(service.url, { kept: true, as: acme.owner });
  await owner.page.goto('/');
  // The policy of the diagram frame, which has no origin, blocks scripts in diagrams.
  owner.allow(/script-src-attr|inline event handler violates .*'script-src 'self''/);
});

it.each(VISITS.map((visit) => [visit.at?.slice(0, 80) ?? visit.route, visit] as const))(
  '%s is harmless and accessible',
  async (name, { at, isPublic, isTyped, opens = [], route, shows }) => {
    const { page } = isPublic ? guest : owner;
    await (isPublic || isTyped ? page.goto(at ?? route) : goInApp(page, at ?? route));
    await untilShown(page, shows);
    await drawDiagrams(page);
    await check(page, name);
    for (const opener of opens) {
      await page.getByRole('button', { name: opener }).filter({ visible: true }).first().click();
      await page.locator(OVERLAY).first().waitFor();
      await check(page, `${name}: ${opener}`);
      await page.keyboard.press('Escape');
      await page.locator(OVERLAY).first().waitFor({ state: 'detached' });
    }
  },
);
