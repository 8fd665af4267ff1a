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
import {
  isOwnPath,
  readAuditSearch,
  readBrowseSearch,
  readCodeSearch,
  readInboxSearch,
  readPlanSearch,
  readPlansSearch,
  readRepositoriesSearch,
  readWebhooksSearch,
} from './page-search.ts';
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
  validateSearch: readPlansSearch,
  component: lazyPage(() => import('./pages/plans.tsx'), 'PlansPage'),
});
const plan = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans/$seriesId',
  validateSearch: readPlanSearch,
  component: lazyPage(() => import('./pages/plan.tsx'), 'PlanPage'),
});
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readInboxSearch,
  component: lazyPage(() => import('./pages/inbox.tsx'), 'InboxPage'),
});
const repositories = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories',
  validateSearch: readRepositoriesSearch,
  component: lazyPage(() => import('./pages/repositories.tsx'), 'RepositoriesPage'),
});
const browse = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories/$repositoryId',
  validateSearch: readBrowseSearch,
  component: lazyPage(() => import('./pages/code/browse.tsx'), 'BrowsePage'),
});
const codeSearch = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories/$repositoryId/search',
  validateSearch: readCodeSearch,
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
  validateSearch: readAuditSearch,
  component: lazyPage(() => import('./pages/audit.tsx'), 'AuditPage'),
});

const webhooks = createRoute({
  getParentRoute: () => admins,
  path: '/settings/webhooks',
  validateSearch: readWebhooksSearch,
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

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
