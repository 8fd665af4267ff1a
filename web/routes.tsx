/** Every page: its address and where the navigation shows it. The service's list of addresses is generated from this. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import {
  Activity,
  Bot,
  BrainCircuit,
  Building2,
  FolderGit2,
  GitMerge,
  GitPullRequest,
  House,
  Inbox,
  KeyRound,
  LogIn,
  Network,
  NotebookText,
  ScanSearch,
  ScrollText,
  Search,
  Server,
  UserRound,
  UserRoundCheck,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react';
import { call, Unreachable } from './api/client.ts';
import { operationQuery, sessionQuery } from './api/queries.ts';
import { AdminsOnly } from './frame/admins-only.tsx';
import { AppFrame } from './frame/app-frame.tsx';
import { LoadFailed, NotFound } from './frame/dead-ends.tsx';
import {
  isOwnPath,
  readArchitectureSearch,
  readAuditSearch,
  readBrowseSearch,
  readCodeHostsSearch,
  readCodeSearch,
  readDismissalsSearch,
  readHostReturn,
  readInboxSearch,
  readPlanSearch,
  readPlansSearch,
  readProviderReturn,
  readPullRequestSearch,
  readPullRequestsSearch,
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

/** The router reloads the app when a page's chunk is missing; offline, a reload would lose the app. */
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
  // Shown at once with the right ways to sign in; without an answer, with the password.
  loader: ({ context }) =>
    context.client.ensureQueryData(operationQuery('list-sign-in-methods', {})).catch(() => undefined),
  component: SignInPage,
});

/** Where an identity provider returns to. */
const signInReturn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/return',
  validateSearch: readProviderReturn,
  component: lazyPage(() => import('./pages/single-sign-on/return.tsx'), 'SingleSignOnReturnPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./pages/invitation.tsx'), 'InvitationPage'),
});

/** A link with which everyone at a domain can ask for an invitation. */
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyPage(() => import('./pages/join.tsx'), 'JoinPage'),
});

/** The unsubscribe link of a mail, for which nobody has to sign in. */
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe',
  component: lazyPage(() => import('./pages/unsubscribe.tsx'), 'UnsubscribePage'),
});

/** Without a session, redirects to the sign-in page, which returns here. */
async function needSession({ context, location }: { context: RouterContext; location: { href: string } }) {
  if (await context.client.ensureQueryData(sessionQuery)) return;
  const { needed } = await call('get-setup-state', {});
  if (needed) throw redirect({ to: '/setup' });
  throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
}

/** An agent requests access. Outside the frame, so that nothing distracts from the decision. */
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

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: HomePage,
  staticData: { nav: { name: 'Home', icon: House, key: 'h', group: 'Work' } },
});
const agents = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/agents',
  component: lazyPage(() => import('./pages/agents.tsx'), 'AgentsPage'),
  staticData: { nav: { name: 'Agents', icon: Bot, key: 't', group: 'Settings' } },
});
const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/api-keys',
  component: lazyPage(() => import('./pages/api-keys.tsx'), 'ApiKeysPage'),
  staticData: { nav: { name: 'API keys', icon: KeyRound, key: 'k', group: 'Settings' } },
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/account',
  component: lazyPage(() => import('./pages/account.tsx'), 'AccountPage'),
  staticData: { nav: { name: 'Account', icon: UserRound, key: 'a', group: 'Settings' } },
});
const plans = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans',
  validateSearch: readPlansSearch,
  component: lazyPage(() => import('./pages/plans.tsx'), 'PlansPage'),
  staticData: { nav: { name: 'Plans', icon: NotebookText, key: 'n', group: 'Work' } },
});
const reviews = createRoute({
  getParentRoute: () => signedIn,
  path: '/reviews',
  component: lazyPage(() => import('./pages/reviews.tsx'), 'ReviewsPage'),
  staticData: { nav: { name: 'To review', icon: UserRoundCheck, key: 'r', group: 'Work' } },
});
const plan = createRoute({
  getParentRoute: () => signedIn,
  path: '/plans/$seriesId',
  validateSearch: readPlanSearch,
  component: lazyPage(() => import('./pages/plan.tsx'), 'PlanPage'),
});
const pullRequests = createRoute({
  getParentRoute: () => signedIn,
  path: '/pull-requests',
  validateSearch: readPullRequestsSearch,
  component: lazyPage(() => import('./pages/pull-requests.tsx'), 'PullRequestsPage'),
  staticData: { nav: { name: 'Pull requests', icon: GitPullRequest, key: 'u', group: 'Work' } },
});
const pullRequest = createRoute({
  getParentRoute: () => signedIn,
  path: '/pull-requests/$pullRequestId',
  validateSearch: readPullRequestSearch,
  component: lazyPage(() => import('./pages/pull-request.tsx'), 'PullRequestPage'),
});
const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: readInboxSearch,
  component: lazyPage(() => import('./pages/inbox.tsx'), 'InboxPage'),
  staticData: { nav: { name: 'Inbox', icon: Inbox, key: 'i', group: 'Work' } },
});
const repositories = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories',
  validateSearch: readRepositoriesSearch,
  component: lazyPage(() => import('./pages/repositories.tsx'), 'RepositoriesPage'),
  staticData: { nav: { name: 'Repositories', icon: FolderGit2, key: 'c', group: 'Work' } },
});
const searchAll = createRoute({
  getParentRoute: () => signedIn,
  path: '/search',
  validateSearch: readCodeSearch,
  component: lazyPage(() => import('./pages/search.tsx'), 'SearchPage'),
  staticData: { nav: { name: 'Code search', icon: Search, key: 's', group: 'Work' } },
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
const architecture = createRoute({
  getParentRoute: () => signedIn,
  path: '/architecture',
  validateSearch: readArchitectureSearch,
  component: lazyPage(() => import('./pages/architecture.tsx'), 'ArchitecturePage'),
  staticData: { nav: { name: 'Architecture', icon: Network, key: 'm', group: 'Work' } },
});
const repositoryArchitecture = createRoute({
  getParentRoute: () => signedIn,
  path: '/repositories/$repositoryId/architecture',
  component: lazyPage(
    () => import('./pages/repository/repository-architecture.tsx'),
    'RepositoryArchitecturePage',
  ),
});
const reviewers = createRoute({
  getParentRoute: () => signedIn,
  path: '/reviewers',
  component: lazyPage(() => import('./pages/reviewers.tsx'), 'ReviewersPage'),
  staticData: { nav: { name: 'Reviewers', icon: ScanSearch, key: 'v', group: 'Work' } },
});
const newReviewer = createRoute({
  getParentRoute: () => signedIn,
  path: '/reviewers/new',
  component: lazyPage(() => import('./pages/reviewers/edit-reviewer.tsx'), 'NewReviewerPage'),
});
const dismissals = createRoute({
  getParentRoute: () => signedIn,
  path: '/reviewers/dismissals',
  validateSearch: readDismissalsSearch,
  component: lazyPage(() => import('./pages/reviewers/dismissals.tsx'), 'DismissalsPage'),
});
const reviewer = createRoute({
  getParentRoute: () => signedIn,
  path: '/reviewers/$reviewerId',
  component: lazyPage(() => import('./pages/reviewers/reviewer.tsx'), 'ReviewerPage'),
});
const editReviewer = createRoute({
  getParentRoute: () => signedIn,
  path: '/reviewers/$reviewerId/edit',
  component: lazyPage(() => import('./pages/reviewers/edit-reviewer.tsx'), 'EditReviewerPage'),
});
/** Everything inside is for admins and owners. */
const admins = createRoute({
  getParentRoute: () => signedIn,
  id: 'admins',
  component: AdminsOnly,
  staticData: { adminsOnly: true },
});
const people = createRoute({
  getParentRoute: () => admins,
  path: '/settings/people',
  component: lazyPage(() => import('./pages/people.tsx'), 'PeoplePage'),
  staticData: { nav: { name: 'People', icon: UsersRound, key: 'p', group: 'Settings' } },
});
const teams = createRoute({
  getParentRoute: () => admins,
  path: '/settings/teams',
  component: lazyPage(() => import('./pages/teams.tsx'), 'TeamsPage'),
  staticData: { nav: { name: 'Teams', icon: Users, key: 'b', group: 'Settings' } },
});
const audit = createRoute({
  getParentRoute: () => admins,
  path: '/settings/audit',
  validateSearch: readAuditSearch,
  component: lazyPage(() => import('./pages/audit.tsx'), 'AuditPage'),
  staticData: { nav: { name: 'Audit log', icon: ScrollText, key: 'l', group: 'Settings' } },
});

const codeHosts = createRoute({
  getParentRoute: () => admins,
  path: '/settings/code-hosts',
  validateSearch: readCodeHostsSearch,
  component: lazyPage(() => import('./pages/code-hosts.tsx'), 'CodeHostsPage'),
  staticData: { nav: { name: 'Code hosts', icon: Server, key: 'e', group: 'Settings' } },
});
const githubApp = createRoute({
  getParentRoute: () => admins,
  path: '/settings/code-hosts/github-app',
  validateSearch: readHostReturn,
  component: lazyPage(() => import('./pages/code-hosts/github-app.tsx'), 'GitHubAppPage'),
});
const accountLink = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/account/link',
  validateSearch: readHostReturn,
  component: lazyPage(() => import('./pages/code-hosts/account-link.tsx'), 'AccountLinkPage'),
});
const singleSignOn = createRoute({
  getParentRoute: () => admins,
  path: '/settings/single-sign-on',
  component: lazyPage(() => import('./pages/single-sign-on.tsx'), 'SingleSignOnPage'),
  staticData: { nav: { name: 'Single sign-on', icon: LogIn, key: 'y', group: 'Settings' } },
});
const webhooks = createRoute({
  getParentRoute: () => admins,
  path: '/settings/webhooks',
  validateSearch: readWebhooksSearch,
  component: lazyPage(() => import('./pages/webhooks.tsx'), 'WebhooksPage'),
  staticData: { nav: { name: 'Webhooks', icon: Webhook, key: 'w', group: 'Settings' } },
});
const model = createRoute({
  getParentRoute: () => admins,
  path: '/settings/model',
  component: lazyPage(() => import('./pages/model.tsx'), 'ModelPage'),
  staticData: { nav: { name: 'Model', icon: BrainCircuit, key: 'd', group: 'Settings' } },
});
const system = createRoute({
  getParentRoute: () => admins,
  path: '/settings/system',
  component: lazyPage(() => import('./pages/system.tsx'), 'SystemPage'),
  staticData: { nav: { name: 'System', icon: Activity, key: 'x', group: 'Settings' } },
});
const mergeRules = createRoute({
  getParentRoute: () => admins,
  path: '/settings/merge-rules',
  component: lazyPage(() => import('./pages/merge-rules.tsx'), 'MergeRulesPage'),
  staticData: { nav: { name: 'Merge rules', icon: GitMerge, key: 'g', group: 'Settings' } },
});
const organization = createRoute({
  getParentRoute: () => admins,
  path: '/settings/organization',
  component: lazyPage(() => import('./pages/organization.tsx'), 'OrganizationPage'),
  staticData: { nav: { name: 'Organization', icon: Building2, key: 'o', group: 'Settings' } },
});

const repositorySettings = createRoute({
  getParentRoute: () => admins,
  path: '/repositories/$repositoryId/settings',
  component: lazyPage(() => import('./pages/repository/repository-settings.tsx'), 'RepositorySettingsPage'),
});

/** Shows every component at once, for developers. */
const components = createRoute({
  getParentRoute: () => root,
  path: '/dev/components',
  component: lazyPage(() => import('./pages/dev/dev-components.tsx'), 'DevComponentsPage'),
});

/** The navigation shows pages in this order. */
const tree = root.addChildren([
  setup,
  signIn,
  signInReturn,
  invitation,
  join,
  unsubscribe,
  connect,
  signedIn.addChildren([
    home,
    inbox,
    plans,
    reviews,
    plan,
    pullRequests,
    pullRequest,
    reviewers,
    newReviewer,
    dismissals,
    reviewer,
    editReviewer,
    repositories,
    searchAll,
    browse,
    codeSearch,
    architecture,
    repositoryArchitecture,
    agents,
    apiKeys,
    account,
    accountLink,
    admins.addChildren([
      ...[
        people,
        teams,
        singleSignOn,
        codeHosts,
        githubApp,
        mergeRules,
        webhooks,
        model,
        organization,
        audit,
        system,
      ],
      repositorySettings,
    ]),
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
    // Search parameters reach a page only after its validateSearch.
    search: { strict: true },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
