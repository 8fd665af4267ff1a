/** Shapes and limits for repositories. */
import { z } from 'zod';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, secretText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const NAME_CHARACTERS = 300;
export const URL_CHARACTERS = 2000;
export const CREDENTIAL_CHARACTERS = 20_000;
export const MAX_REPOSITORIES = 10_000;
export const MAX_NAMED_MEMBERS = 200;

export const VISIBILITIES = ['organization', 'members'] as const;
export const Visibility = z.enum(VISIBILITIES);

/** `waiting`: not fetched yet. `ready`: can be searched, also during a refresh. */
export const REPOSITORY_STATES = ['waiting', 'cloning', 'ready', 'failed'] as const;
/** Phases of the service's current work on a repository; null when idle. */
export const ACTIVITY_PHASES = [
  'waiting',
  'connecting',
  'counting',
  'receiving',
  'resolving',
  'indexing',
  'extracting',
] as const;

export const RepositoryActivity = z
  .object({
    phase: z.enum(ACTIVITY_PHASES),
    percent: z.int().min(0).max(100).nullable().describe('Within this phase; null when unknown.'),
    objects: z.int().nullable(),
    totalObjects: z.int().nullable(),
    bytes: z.int().nullable(),
    startedAt: timestamp(),
  })
  .meta({ id: 'RepositoryActivity' });

export const Repository = z
  .object({
    id: uuid(),
    name: z.string().describe('`owner/name`, unique in the organization.'),
    url: z
      .string()
      .nullable()
      .describe('The URL it is fetched from, without credentials. Null for users who cannot manage it.'),
    state: z.enum(REPOSITORY_STATES),
    activity: RepositoryActivity.nullable(),
    problem: z
      .object({ message: z.string(), at: timestamp(), nextTryAt: timestamp().nullable() })
      .nullable()
      .describe('Why the latest clone or refresh failed, and what to do.'),
    defaultBranch: z.string().nullable(),
    headCommit: z
      .string()
      .nullable()
      .describe('The head of the default branch; null when there are no commits yet.'),
    branchCount: z.int(),
    tagCount: z.int(),
    visibility: Visibility,
    members: z
      .array(z.object({ id: uuid(), name: z.string() }))
      .describe('Who can see it besides admins and owners when `visibility` is `members`.'),
    credentialKind: z.enum(['none', 'password', 'ssh_key']),
    refreshedAt: timestamp().nullable(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    canManage: z.boolean(),
  })
  .meta({ id: 'Repository' });

const Name = requiredText({ max: NAME_CHARACTERS }).describe(
  '`owner/name`: letters, digits, `.`, `_`, `-`, `+`, `~` and `/`.',
);
const Url = requiredText({ max: URL_CHARACTERS }).describe(
  '`https://…`, `ssh://…`, `git@host:owner/name.git`, `git://…`; `file://…` and local paths if the operator allows them. Without a password: use `credential`.',
);
export const Credential = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('password'),
      username: text({ max: 500 }).optional(),
      password: requiredText({ max: CREDENTIAL_CHARACTERS }).describe('A password or access token.'),
    }),
    z.object({
      kind: z.literal('ssh_key'),
      privateKey: requiredText({ max: CREDENTIAL_CHARACTERS }).describe(
        'In OpenSSH format, without a passphrase.',
      ),
    }),
  ])
  .describe('Stored encrypted and never returned.');
export const PushProblem = z
  .object({
    reason: z
      .enum(['no_credential', 'refused'])
      .describe('`refused`: the origin didn’t let the present credential push, the last time.'),
    address: z.enum(['https', 'http', 'ssh', 'git', 'local']),
  })
  .meta({ id: 'PushProblem' });
const MemberIds = z.array(uuid()).max(MAX_NAMED_MEMBERS);

export const ListRepositoriesInput = z.object({
  search: text({ max: NAME_CHARACTERS })
    .optional()
    .describe('Filter by part of the name. Not case-sensitive.'),
  ...PAGE_INPUT,
});
export const RepositoryPage = z
  .object({
    repositories: z.array(Repository).describe('By name.'),
    nextCursor: nextCursorShape(),
    localAllowed: z
      .boolean()
      .describe('Whether paths on the server can be added, as `ALLOW_LOCAL_REPOSITORIES` says.'),
  })
  .meta({ id: 'RepositoryPage' });

export const AddRepositoryInput = z.object({
  url: Url,
  name: Name.optional().describe('Default: the end of the URL.'),
  credential: Credential.nullish(),
  visibility: Visibility.optional().describe('Default: `organization`.'),
  memberIds: MemberIds.optional(),
});
export const GetRepositoryInput = z.object({ repositoryId: uuid() });
export const RepositoryChange = z
  .object({ repoId: uuid(), state: z.enum(REPOSITORY_STATES), headCommit: z.string().nullable() })
  .meta({ id: 'RepositoryChange' });
export const ChangeRepositoryInput = z.object({
  repositoryId: uuid(),
  name: Name.optional(),
  url: Url.optional(),
  credential: Credential.nullable().optional().describe('Null removes the stored credential.'),
  visibility: Visibility.optional(),
  memberIds: MemberIds.optional(),
});
export const RemoveRepositoryInput = z.object({ repositoryId: uuid() });
export const RefreshRepositoryInput = z.object({ repositoryId: uuid() });

export const REF_KINDS = ['branch', 'tag'] as const;
export const ListRefsInput = z.object({
  repositoryId: uuid(),
  search: text({ max: 300 }).optional().describe('Filter by part of the name. Not case-sensitive.'),
  kind: z.enum(REF_KINDS).optional(),
  ...PAGE_INPUT,
});
export const RefPage = z
  .object({
    refs: z
      .array(
        z.object({ name: z.string(), kind: z.enum(REF_KINDS), commit: z.string(), isDefault: z.boolean() }),
      )
      .describe('The default branch first, then branches by name, then tags by name.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'RefPage' });

export const GetPushUrlInput = z.object({ repositoryId: uuid() });
export const PushUrl = z
  .object({
    url: secretText('A POST to this URL makes the service fetch the repository immediately.'),
  })
  .meta({ id: 'PushUrl' });
export const NotePushInput = z.object({ repositoryId: uuid(), token: requiredText({ max: 100 }) });
