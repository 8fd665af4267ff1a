/** Shapes and limits for code hosts that an organization is connected to. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const MAX_CODE_HOSTS = 20;
export const MAX_SELECTIONS = 50;
export const NAME_CHARACTERS = 100;
export const URL_CHARACTERS = 2000;
export const TOKEN_CHARACTERS = 2000;
export const FULL_NAME_CHARACTERS = 300;
/** Repositories that can be added by name in one request; patterns have no limit. */
export const MAX_ADDED_AT_ONCE = 50;

export const HOST_KINDS = ['github', 'gitlab', 'gitea'] as const;
export const HostKind = z.enum(HOST_KINDS).describe('`gitea` includes Forgejo.');

const Url = requiredText({ max: URL_CHARACTERS }).describe(
  'The address that people open in a browser, such as https://github.com or https://git.example.com.',
);
const Token = requiredText({ max: TOKEN_CHARACTERS }).describe(
  'An access token. Stored encrypted and never returned.',
);
const Name = requiredText({ max: NAME_CHARACTERS }).describe('Default: the host name of the URL.');

export const CHECK_STATES = ['ok', 'warning', 'problem'] as const;
export const HostCheck = z.object({
  name: z.enum(['connection', 'credential', 'permissions', 'webhooks', 'repositories', 'access', 'statuses']),
  state: z.enum(CHECK_STATES),
  message: z.string().describe('What works or does not.'),
  fix: z.string().nullable().describe('What to do about it.'),
});

export const HostSelection = z.object({
  id: uuid(),
  pattern: z.string().describe('`*` stands for any characters.'),
  includeNew: z.boolean().describe('Repositories that are created later are added too.'),
  state: z.enum(['adding', 'done']),
  addedCount: z.int(),
  problem: z.string().nullable(),
});

export const CodeHost = z
  .object({
    id: uuid(),
    kind: HostKind,
    name: z.string(),
    url: z.string(),
    credentialKind: z.enum(['token', 'app']),
    account: z.string().nullable().describe('The account that the service uses on the host.'),
    state: z.enum(['working', 'rate_limited', 'unreachable', 'unauthorized']),
    checks: z.array(HostCheck),
    updates: z
      .enum(['webhooks', 'polling'])
      .describe('How the service learns about changes. Without webhooks it asks the host regularly.'),
    webhookUrl: z.string().describe('Where the host sends webhooks.'),
    installUrl: z.string().nullable().describe('Where a GitHub App is installed; null with a token.'),
    canSignIn: z.boolean().describe('Members can link their accounts by signing in at the host.'),
    signInRedirectUrl: z
      .string()
      .describe('The redirect URL to register with the OAuth application for linking accounts.'),
    repositoryCount: z.int(),
    selections: z.array(HostSelection),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'CodeHost' });

export const ConnectCodeHostInput = z.object({
  kind: HostKind,
  url: Url,
  token: Token,
  name: Name.optional(),
});
export const ListCodeHostsInput = z.object({});
export const CodeHostList = z
  .object({ codeHosts: z.array(CodeHost).describe(`Oldest first; there are at most ${MAX_CODE_HOSTS}.`) })
  .meta({ id: 'CodeHostList' });
export const GetCodeHostInput = z.object({ codeHostId: uuid() });
export const TestCodeHostInput = z.object({ codeHostId: uuid() });
export const ChangeCodeHostInput = z.object({
  codeHostId: uuid(),
  name: Name.optional(),
  token: Token.optional().describe('Replaces the credential. Not for a GitHub App.'),
  signIn: z
    .object({ clientId: requiredText({ max: 500 }), clientSecret: requiredText({ max: TOKEN_CHARACTERS }) })
    .nullable()
    .optional()
    .describe(
      'An OAuth application of the host, so that members can link their accounts by signing in there. Null removes it. The secret is stored encrypted and never returned.',
    ),
});
export const DisconnectCodeHostInput = z.object({ codeHostId: uuid() });
export const DisconnectedCodeHost = z
  .object({
    repositoryCount: z.int().describe('Repositories that stay, with their pull requests and discussions.'),
    stopped: z.array(z.string()).describe('What stops, one sentence each.'),
  })
  .meta({ id: 'DisconnectedCodeHost' });

export const StartGitHubAppInput = z.object({
  url: Url.optional().describe('Default: https://github.com.'),
  organization: requiredText({ max: 100 })
    .optional()
    .describe('The GitHub organization that will own the App. Default: your own account.'),
  name: requiredText({ max: 34 }).optional().describe("The App's name on GitHub, where it must be unique."),
});
export const GitHubAppForm = z
  .object({
    action: z.string().describe('The browser posts a form with the field `manifest` to this URL.'),
    manifest: z.string(),
  })
  .meta({ id: 'GitHubAppForm' });
export const FinishGitHubAppInput = z.object({
  code: requiredText({ max: 500 }),
  state: requiredText({ max: 200 }),
});

export const HostRepository = z
  .object({
    id: z.string().describe("The host's own ID."),
    fullName: z.string(),
    private: z.boolean(),
    archived: z.boolean(),
    fork: z.boolean(),
    url: z.string(),
    canAdminister: z
      .boolean()
      .describe('The credential can create webhooks and list who can read the repository.'),
    repositoryId: uuid().nullable().describe('Set when it was added already.'),
  })
  .meta({ id: 'HostRepository' });
export const ListHostRepositoriesInput = z.object({
  codeHostId: uuid(),
  search: text({ max: FULL_NAME_CHARACTERS })
    .optional()
    .describe('Filter by part of the name. Not case-sensitive.'),
  cursor: PAGE_INPUT.cursor,
});
export const HostRepositoryPage = z
  .object({ repositories: z.array(HostRepository), nextCursor: nextCursorShape() })
  .meta({ id: 'HostRepositoryPage' });

export const AddHostRepositoriesInput = z.object({
  codeHostId: uuid(),
  names: z
    .array(requiredText({ max: FULL_NAME_CHARACTERS }))
    .max(MAX_ADDED_AT_ONCE)
    .optional()
    .describe('Full names on the host, such as `acme/api`. Added at once.'),
  pattern: requiredText({ max: FULL_NAME_CHARACTERS })
    .optional()
    .describe(
      'Adds every repository whose full name matches, in the background. `*` stands for any characters: `acme/*`; `*` alone is all of them. Archived repositories are left out.',
    ),
  includeNew: z
    .boolean()
    .optional()
    .describe('With `pattern`: also add repositories that are created later. Default: false.'),
});
export const AddedHostRepositories = z
  .object({
    added: z.array(z.object({ repositoryId: uuid(), fullName: z.string() })),
    skipped: z.array(z.object({ fullName: z.string(), reason: z.string() })),
    selection: HostSelection.nullable().describe('What is added in the background.'),
  })
  .meta({ id: 'AddedHostRepositories' });
export const RemoveHostSelectionInput = z.object({ codeHostId: uuid(), selectionId: uuid() });

export const ChangeHostRepositoryInput = z.object({
  codeHostId: uuid(),
  repositoryId: uuid(),
  visibility: z
    .enum(['host', 'organization'])
    .describe(
      '`host`: public repositories are visible to everyone in the organization, private ones to admins and members whose linked account can read them on the host. `organization`: everyone, whatever the host says.',
    ),
});
export const ConnectedRepository = z
  .object({
    repositoryId: uuid(),
    name: z.string(),
    fullName: z.string(),
    private: z.boolean(),
    visibility: z.enum(['host', 'organization', 'members']).describe('`host`: as on the host.'),
    readerCount: z.int().nullable().describe('Members who can read it on the host; null if it is public.'),
    accessReadAt: timestamp().nullable().describe('When the host last said who can read it.'),
    importState: z.enum(['open', 'all', 'done']),
    importedCount: z.int(),
    problem: z.string().nullable(),
  })
  .meta({ id: 'ConnectedRepository' });
export const ListConnectedRepositoriesInput = z.object({
  codeHostId: uuid(),
  search: text({ max: FULL_NAME_CHARACTERS }).optional(),
  ...PAGE_INPUT,
});
export const ConnectedRepositoryPage = z
  .object({ repositories: z.array(ConnectedRepository).describe('By name.'), nextCursor: nextCursorShape() })
  .meta({ id: 'ConnectedRepositoryPage' });

const Member = z.object({ id: uuid(), name: z.string() });
export const HostAccount = z
  .object({
    id: uuid(),
    login: z.string(),
    name: z.string(),
    member: Member.nullable().describe('The member whose account it is.'),
    linkedBy: z.enum(['sign_in', 'admin']).nullable(),
    linkedAt: timestamp().nullable(),
  })
  .meta({ id: 'HostAccount' });
export const ListHostAccountsInput = z.object({
  codeHostId: uuid(),
  search: text({ max: NAME_CHARACTERS }).optional().describe('Filter by part of the login or name.'),
  ...PAGE_INPUT,
});
export const HostAccountPage = z
  .object({ accounts: z.array(HostAccount).describe('By login.'), nextCursor: nextCursorShape() })
  .meta({ id: 'HostAccountPage' });
export const LinkHostAccountInput = z.object({ codeHostId: uuid(), accountId: uuid(), userId: uuid() });
export const UnlinkHostAccountInput = z.object({ codeHostId: uuid(), accountId: uuid() });

export const ListMyHostAccountsInput = z.object({});
export const MyHostAccounts = z
  .object({
    hosts: z.array(
      z.object({
        codeHostId: uuid(),
        kind: HostKind,
        name: z.string(),
        url: z.string(),
        canSignIn: z.boolean(),
        accounts: z.array(z.object({ id: uuid(), login: z.string() })),
      }),
    ),
  })
  .meta({ id: 'MyHostAccounts' });
export const StartHostAccountLinkInput = z.object({ codeHostId: uuid() });
export const HostSignInPage = z
  .object({ url: z.string().describe('The page of the host to open in the browser.') })
  .meta({ id: 'HostSignInPage' });
export const FinishHostAccountLinkInput = z.object({
  code: requiredText({ max: 2000 }),
  state: requiredText({ max: 200 }),
});

export const ReceiveHostWebhookInput = z.object({ codeHostId: uuid() });
