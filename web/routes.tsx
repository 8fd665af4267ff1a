/** Every page and its address; nothing else. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { call, Unreachable } from './api/client.ts';
import { sessionQuery } from './api/queries.ts';
import { AdminsOnly } from './frame/admins-only.tsx';
import { AppFrame } from './frame/app-frame.tsx';
import { LoadFailed, NotFound } from './frame/dead-ends.tsx';
import { HomePage } from './pages/home.tsx';
import { SignInPage } from './pages/sign-in.tsx';

interface RouterContext {
  client: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: LoadFailed,
});

/** The router loads the whole app anew when a page's file is gone; without network that would only lose the app. */
const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error) => {
        throw navigator.onLine ? error : new Unreachable(error);
      }),
    name,
  );

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyPage(() => import('./pages/setup.tsx'), 'SetupPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search.next === 'string' && isOwnPath(search.next) ? { next: search.next } : {},
  component: SignInPage,
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./pages/invitation.tsx'), 'InvitationPage'),
});

/** Without a session the way leads to the sign-in page and back again. */
async function needSession({ context, location }: { context: RouterContext; location: { href: string } }) {
  if (await context.client.ensureQueryData(sessionQuery)) return;
  const { needed } = await call('get-setup-state', {});
  if (needed) throw redirect({ to: '/setup' });
  throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
}

/** An agent asks to be let in. Outside the frame: this is to be answered, and nothing else done, here. */
const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect/$signInId',
  beforeLoad: needSession,
  component: lazyPage(() => import('./pages/connect.tsx'), 'ConnectPage'),
});

/** Everything inside needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: AppFrame,
  beforeLoad: needSession,
});

const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: HomePage });
const agents = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/agents',
  component: lazyPage(() => import('./pages/agents.tsx'), 'AgentsPage'),
});
const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/api-keys',
  component: lazyPage(() => import('./pages/api-keys.tsx'), 'ApiKeysPage'),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/account',
  component: lazyPage(() => import('./pages/account.tsx'), 'AccountPage'),
});
const plans = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans',
  validateSearch: (search: Record<string, unknown>): PlansSearch => ({
    ...(isPlanStatus(search.status) && { status: search.status }),
    ...textOf(search, 'repository', 300),
    ...(isUuid(search.authorId) && { authorId: search.authorId }),
    ...textOf(search, 'agentVendor', 100),
    ...textOf(search, 'search', 200),
  }),
  component: lazyPage(() => import('./pages/plans.tsx'), 'PlansPage'),
});
const plan = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans/$seriesId',
  validateSearch: (search: Record<string, unknown>): PlanSearch => ({
    ...(isVersion(search.version) && { version: search.version }),
    ...(isVersion(search.compare) && { compare: search.compare }),
    ...(isUuid(search.thread) && { thread: search.thread }),
    ...textOf(search, 'view', 40),
  }),
  component: lazyPage(() => import('./pages/plan.tsx'), 'PlanPage'),
});
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: (search: Record<string, unknown>): InboxSearch =>
    search.unread === true ? { unread: true } : {},
  component: lazyPage(() => import('./pages/inbox.tsx'), 'InboxPage'),
});
const repositories = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories',
  validateSearch: (search: Record<string, unknown>): RepositoriesSearch => textOf(search, 'search', 300),
  component: lazyPage(() => import('./pages/repositories.tsx'), 'RepositoriesPage'),
});
const browse = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories/$repositoryId',
  validateSearch: (search: Record<string, unknown>): BrowseSearch => ({
    ...textOf(search, 'ref', 1000),
    ...textOf(search, 'path', 4096),
  }),
  component: lazyPage(() => import('./pages/code/browse.tsx'), 'BrowsePage'),
});
const codeSearch = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories/$repositoryId/search',
  validateSearch: (search: Record<string, unknown>): CodeSearch => ({
    ...textOf(search, 'ref', 1000),
    ...(search.mode === 'files' && { mode: search.mode }),
    ...textOf(search, 'pattern', 1900),
    ...textOf(search, 'path', 4096),
    ...(search.ignoreCase === true && { ignoreCase: true }),
    ...(search.literal === true && { literal: true }),
  }),
  component: lazyPage(() => import('./pages/code-search/code-search.tsx'), 'CodeSearchPage'),
});
/** Everything inside is for admins and owners. */
const admins = createRoute({ getParentRoute: () => signedIn, id: 'admins', component: AdminsOnly });
const people = createRoute({
  getParentRoute: () => admins,
  path: '/settings/people',
  component: lazyPage(() => import('./pages/people.tsx'), 'PeoplePage'),
});
const audit = createRoute({
  getParentRoute: () => admins,
  path: '/settings/audit',
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    ...(typeof search.action === 'string' && { action: search.action }),
    ...(typeof search.userId === 'string' && { userId: search.userId }),
    ...(isDay(search.from) && { from: search.from }),
    ...(isDay(search.until) && { until: search.until }),
  }),
  component: lazyPage(() => import('./pages/audit.tsx'), 'AuditPage'),
});

const webhooks = createRoute({
  getParentRoute: () => admins,
  path: '/settings/webhooks',
  validateSearch: (search: Record<string, unknown>): WebhooksSearch => ({
    ...(isUuid(search.webhook) && { webhook: search.webhook }),
    ...(isDeliveryState(search.state) && { state: search.state }),
  }),
  component: lazyPage(() => import('./pages/webhooks.tsx'), 'WebhooksPage'),
});
const organization = createRoute({
  getParentRoute: () => admins,
  path: '/settings/organization',
  component: lazyPage(() => import('./pages/organization.tsx'), 'OrganizationPage'),
});

const repositorySettings = createRoute({
  getParentRoute: () => admins,
  path: '/repositories/$repositoryId/settings',
  component: lazyPage(() => import('./pages/repository/repository-settings.tsx'), 'RepositorySettingsPage'),
});

const PLAN_STATUSES = ['pending', 'approved', 'implemented', 'closed'] as const;
const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;

export interface PlansSearch {
  status?: (typeof PLAN_STATUSES)[number];
  repository?: string;
  authorId?: string;
  agentVendor?: string;
  search?: string;
}

export interface PlanSearch {
  /** The version that is read; the newest unless told. */
  version?: number;
  /** The older version that it is compared with. */
  compare?: number;
  /** A comment, whose thread is opened. */
  thread?: string;
  view?: string;
}

export interface InboxSearch {
  unread?: true;
}

export interface RepositoriesSearch {
  search?: string;
}

export interface BrowseSearch {
  /** A branch, a tag or a commit; the default branch unless told. */
  ref?: string;
  /** Of a folder with a slash at its end. */
  path?: string;
}

export interface CodeSearch {
  ref?: string;
  /** Lines of code unless told. */
  mode?: 'files';
  pattern?: string;
  path?: string;
  ignoreCase?: true;
  /** The pattern is a text, not a regular expression. */
  literal?: true;
}

export interface WebhooksSearch {
  /** The one whose deliveries are shown. */
  webhook?: string;
  state?: (typeof DELIVERY_STATES)[number];
}

export interface AuditSearch {
  action?: string;
  userId?: string;
  from?: string;
  until?: string;
}

/** Shows every component at once, for those who build with them. */
const components = createRoute({
  getParentRoute: () => root,
  path: '/dev/components',
  component: lazyPage(() => import('./pages/dev-components.tsx'), 'DevComponentsPage'),
});

const tree = root.addChildren([
  setup,
  signIn,
  invitation,
  connect,
  signedIn.addChildren([
    home,
    plans,
    plan,
    inbox,
    repositories,
    browse,
    codeSearch,
    agents,
    apiKeys,
    account,
    admins.addChildren([people, webhooks, organization, audit, repositorySettings]),
  ]),
  ...(import.meta.env.DEV ? [components] : []),
]);

export function createAppRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: LoadFailed,
    // What no page has checked never reaches one.
    search: { strict: true },
  });
}

function isPlanStatus(value: unknown): value is PlansSearch['status'] & string {
  return PLAN_STATUSES.some((status) => status === value);
}

function isDeliveryState(value: unknown): value is WebhooksSearch['state'] & string {
  return DELIVERY_STATES.some((state) => state === value);
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 2_147_483_647;
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** A text of the address, cut to what the service takes; words of digits alone arrive as numbers. */
function textOf<Name extends string>(
  search: Record<string, unknown>,
  name: Name,
  mostCharacters: number,
): { [name in Name]?: string } {
  const value = search[name];
  if (typeof value !== 'string' && typeof value !== 'number') return {};
  const text = [...String(value)].slice(0, mostCharacters).join('');
  return (text === '' ? {} : { [name]: text }) as { [name in Name]?: string };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** A path of this app, not an address that leads elsewhere; browsers read it as they read any address. */
export function isOwnPath(path: string): boolean {
  return path.startsWith('/') && URL.parse(path, location.origin)?.origin === location.origin;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
