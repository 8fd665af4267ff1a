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
import { call } from './api/client.ts';
import { sessionQuery } from './api/queries.ts';
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

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./pages/setup.tsx'), 'SetupPage'),
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
  component: lazyRouteComponent(() => import('./pages/invitation.tsx'), 'InvitationPage'),
});

/** Everything inside needs a session; without one the way leads to the sign-in page and back again. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: AppFrame,
  async beforeLoad({ context, location }) {
    if (await context.client.ensureQueryData(sessionQuery)) return;
    const { needed } = await call('get-setup-state', {});
    if (needed) throw redirect({ to: '/setup' });
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
  },
});

const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: HomePage });
const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/api-keys',
  component: lazyRouteComponent(() => import('./pages/api-keys.tsx'), 'ApiKeysPage'),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/account',
  component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
});
const people = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/people',
  component: lazyRouteComponent(() => import('./pages/people.tsx'), 'PeoplePage'),
});
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/audit',
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    ...(typeof search.action === 'string' && { action: search.action }),
    ...(typeof search.userId === 'string' && { userId: search.userId }),
    ...(typeof search.from === 'string' && { from: search.from }),
    ...(typeof search.until === 'string' && { until: search.until }),
  }),
  component: lazyRouteComponent(() => import('./pages/audit.tsx'), 'AuditPage'),
});

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
  component: lazyRouteComponent(() => import('./pages/dev-components.tsx'), 'DevComponentsPage'),
});

const tree = root.addChildren([
  setup,
  signIn,
  invitation,
  signedIn.addChildren([home, apiKeys, account, people, audit]),
  ...(import.meta.env.DEV ? [components] : []),
]);

export function createAppRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    scrollRestoration: true,
    defaultPreload: 'intent',
  });
}

/** A path of this app, not an address that leads elsewhere. */
export function isOwnPath(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !path.includes('\\');
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
