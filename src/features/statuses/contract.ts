/** The shapes and limits of commit statuses. */
import { z } from 'zod';
import { requiredText, text, timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const STATUS_STATES = ['pending', 'success', 'failure', 'error'] as const;
export type StatusState = (typeof STATUS_STATES)[number];

/** `oauth`: an agent that a person signed in, which no rule accepts. `host`: set on the code host. */
export const SET_WITH = ['key', 'session', 'oauth', 'host'] as const;
export type SetWith = (typeof SET_WITH)[number];

export const STATUS_LIMITS = {
  nameCharacters: 100,
  descriptionCharacters: 500,
  urlCharacters: 2000,
  /** Different names on one commit. */
  maxNames: 100,
  /** Code hosts allow longer ones. */
  hostNameCharacters: 200,
} as const;

export const StatusName = requiredText({ max: STATUS_LIMITS.nameCharacters });

export const CommitStatus = z
  .object({
    name: z.string(),
    state: z.enum(STATUS_STATES),
    description: z.string(),
    url: z.string().nullable().describe('Where the details are.'),
    setBy: z
      .object({
        with: z.enum(SET_WITH).describe('`oauth`: a signed-in agent, which no merge rule accepts.'),
        id: uuid().nullable().describe('The member; null on a code host.'),
        name: z.string().nullable().describe('The member, or the account on the code host if it is known.'),
        keyName: z.string().nullable().describe('The name of the API key.'),
      })
      .describe('Who set it last.'),
    updatedAt: timestamp(),
  })
  .meta({ id: 'CommitStatus' });

export const StatusSummary = z
  .enum(['pending', 'success', 'failure'])
  .nullable()
  .describe('Of all statuses of the newest head together: `failure` also for errors; null without any.');

export const SetCommitStatusInput = z.object({
  repository: requiredText({ max: 300 }).describe('`owner/name` or just `name`.'),
  commit: z
    .string()
    .toLowerCase()
    .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be the full commit ID, 40 hexadecimal digits')
    .describe('A full commit ID, pushed to the repository.'),
  name: StatusName.describe(
    `What was checked, such as \`ci/test\`. At most ${STATUS_LIMITS.nameCharacters} characters, and ${STATUS_LIMITS.maxNames} names per commit.`,
  ),
  state: z.enum(STATUS_STATES).describe('`failure`: the check failed; `error`: it could not run.'),
  description: text({ max: STATUS_LIMITS.descriptionCharacters }).optional().describe('One line.'),
  url: requiredText({ max: STATUS_LIMITS.urlCharacters })
    .optional()
    .describe('http or https: where the details are.'),
});
export const SetCommitStatus = z
  .object({
    repository: z.object({ id: uuid(), name: z.string() }),
    commit: z.string(),
    status: CommitStatus,
    pullRequests: z.int().describe('Open pull requests whose newest head it is, that you can see.'),
  })
  .meta({ id: 'SetCommitStatus' });
