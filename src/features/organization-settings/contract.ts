/** The shapes and limits of an organization's settings, their conditions, and the paths that reviews skip. */
import { z } from 'zod';
import { compileGlob } from '../../engines/search/index.ts';
import { nextCursorShape, PAGE_INPUT } from '../../platform/core/operations/page.ts';
import { requiredText, timestamp, uuid } from '../../platform/core/operations/shapes.ts';
import { problemOfExcludedPath } from './excluded-path-problem.ts';

export const MAX_PATHS = 100;
const MAX_PATH_CHARACTERS = 1000;
const MAX_CONDITION_ENTRIES = 200;
const MAX_COUNT = 1_000_000_000;

interface SettingDefinition {
  default: boolean;
  meaning: string;
  /** Whether it can be limited to some pull requests. */
  takesConditions: boolean;
}

/** Every setting with its default and what it does. */
export const ORGANIZATION_SETTINGS = {
  review_draft_pull_requests: {
    default: true,
    meaning: 'Draft pull requests are reviewed too.',
    takesConditions: true,
  },
  review_on_every_push: {
    default: true,
    meaning: 'Every push to a pull request is reviewed, not only its first commits.',
    takesConditions: true,
  },
  review_only_on_request: {
    default: false,
    meaning: 'Reviews run only when someone requests one, whatever the other settings say.',
    takesConditions: true,
  },
  re_review_after_resolution: {
    default: true,
    meaning: 'When the last open discussion is resolved, the pull request is reviewed again.',
    takesConditions: true,
  },
  auto_resolve_addressed: {
    default: false,
    meaning: 'Review discussions are resolved as soon as a later commit addresses them.',
    takesConditions: false,
  },
  auto_approve_clean: {
    default: false,
    meaning: 'Pull requests are approved if everything was looked at and nothing was found.',
    takesConditions: true,
  },
  generate_description: {
    default: false,
    meaning: 'Empty pull request descriptions are filled in. Text that a person wrote is never changed.',
    takesConditions: true,
  },
  planner: {
    default: true,
    meaning: 'Agents can post plans.',
    takesConditions: false,
  },
  self_approval: {
    default: false,
    meaning: 'Members can approve plans that they created and versions that they wrote.',
    takesConditions: false,
  },
} as const satisfies Record<string, SettingDefinition>;

export type SettingKey = keyof typeof ORGANIZATION_SETTINGS;
export const SETTING_KEYS = Object.keys(ORGANIZATION_SETTINGS) as [SettingKey, ...SettingKey[]];

/** A glob over the paths of a repository, as in `GET /api/v2/remote-fs/file-search`. */
export const PathGlob = requiredText({ max: MAX_PATH_CHARACTERS }).superRefine((pattern, context) => {
  const compiled = compileGlob(pattern);
  if (!compiled.ok && pattern !== '')
    context.addIssue({ code: 'custom', message: `is not a valid glob: ${compiled.message}` });
});

/** Saved on purpose: what matches nothing, or everything by accident, is refused. */
const ExcludedPath = PathGlob.superRefine((pattern, context) => {
  const problem = problemOfExcludedPath(pattern);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

const PathGlobs = z.array(PathGlob).max(MAX_PATHS);
const ExcludedPathGlobs = z.array(ExcludedPath).max(MAX_PATHS);
const Authors = z.array(requiredText({ max: 300 })).max(MAX_CONDITION_ENTRIES);
const Count = z.int().min(1).max(MAX_COUNT);

const EXCLUDED = 'Files that match one of these globs don’t count.';
const SHARED_CONDITIONS = {
  authors: Authors.optional().describe(
    'Names, email addresses or logins on the code host. Not case-sensitive.',
  ),
  excludedPaths: PathGlobs.optional().describe(EXCLUDED),
  maxLines: Count.optional().describe('At most this many added and removed lines.'),
  maxFiles: Count.optional().describe('At most this many changed files.'),
};
const ConditionsInput = z
  .object({
    repositories: z.array(uuid()).max(MAX_CONDITION_ENTRIES).optional(),
    ...SHARED_CONDITIONS,
    excludedPaths: ExcludedPathGlobs.optional().describe(EXCLUDED),
  })
  .describe('Replaces all conditions; `{}` removes them. Empty lists are left out.');

/** Conditions as they are stored, with the ids of repositories. */
export type SettingConditions = z.output<typeof ConditionsInput>;

const SettingConditionsShape = z
  .object({
    repositories: z
      .array(z.object({ id: uuid(), name: z.string() }))
      .optional()
      .describe('Those that you can see.'),
    ...SHARED_CONDITIONS,
  })
  .meta({ id: 'SettingConditions' });

const Person = z.object({ id: uuid(), name: z.string() });

export const OrganizationSwitch = z
  .object({
    key: z.enum(SETTING_KEYS),
    configurationId: uuid(),
    enabled: z.boolean(),
    meaning: z.string(),
    takesConditions: z.boolean().describe('Whether it can be limited to some pull requests.'),
    conditions: SettingConditionsShape.describe(
      'The setting is on only for pull requests that meet them all.',
    ),
    updatedAt: timestamp().nullable().describe('When it was last changed.'),
    updatedBy: Person.nullable(),
  })
  .meta({ id: 'OrganizationSwitch' });

export const ListSwitchesInput = z.object({});
export const OrganizationSwitches = z
  .object({ switches: z.array(OrganizationSwitch) })
  .meta({ id: 'OrganizationSwitches' });
export const ChangeSwitchInput = z.object({
  key: z.enum(SETTING_KEYS),
  enabled: z.boolean().optional(),
  conditions: ConditionsInput.optional(),
});

/** A switch before or after a change; repositories by the names that they had then. */
const SettingState = z.object({
  enabled: z.boolean(),
  conditions: z.object({ repositories: z.array(z.string()).optional(), ...SHARED_CONDITIONS }),
});
export type SettingStateValue = z.input<typeof SettingState>;

const changeOf = <State extends z.ZodType>(state: State) =>
  z.object({ id: uuid(), changedAt: timestamp(), changedBy: Person, before: state, after: state });

export const ListSwitchChangesInput = z.object({ key: z.enum(SETTING_KEYS), ...PAGE_INPUT });
export const SwitchChangePage = z
  .object({
    changes: z.array(changeOf(SettingState)).describe('Newest first.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'SwitchChangePage' });

export const ExcludedPaths = z
  .object({
    repositoryId: uuid(),
    repositoryName: z.string(),
    paths: z.array(z.string()),
    updatedAt: timestamp().nullable(),
    updatedBy: Person.nullable(),
  })
  .meta({ id: 'ExcludedPaths' });
export const ListExcludedPathsInput = z.object({});
export const ExcludedPathsList = z
  .object({ repositories: z.array(ExcludedPaths).describe('Repositories with excluded paths, by name.') })
  .meta({ id: 'ExcludedPathsList' });
export const SetExcludedPathsInput = z.object({
  repositoryId: uuid(),
  paths: ExcludedPathGlobs.describe('Replaces all; an empty list removes them.'),
});
export const ListExcludedPathChangesInput = z.object({ repositoryId: uuid(), ...PAGE_INPUT });
export const ExcludedPathChangePage = z
  .object({
    changes: z.array(changeOf(z.object({ paths: z.array(z.string()) }))).describe('Newest first.'),
    nextCursor: nextCursorShape(),
  })
  .meta({ id: 'ExcludedPathChangePage' });

export const GetReviewerConfigInput = z.object({});
export const ReviewerConfig = z
  .object({
    excludedConfig: z
      .array(z.object({ repoName: z.string(), paths: z.array(z.string()), repoId: uuid() }))
      .describe('Paths that reviews skip, for each repository that has some, by name.'),
    orgConfig: z
      .array(
        z.object({
          key: z.enum(SETTING_KEYS),
          configurationId: uuid(),
          enabled: z.boolean(),
          configurationMetadata: z
            .object({
              repositories: z.array(z.string()).optional().describe('Full names of those that you can see.'),
              ...SHARED_CONDITIONS,
            })
            .describe(
              'The conditions of a setting about reviews: it is on only for pull requests that meet them all. Otherwise `{}`.',
            ),
        }),
      )
      .describe('All settings, by name.'),
  })
  .meta({ id: 'ReviewerConfig' });
