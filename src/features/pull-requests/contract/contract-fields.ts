/** Fields and limits that several shapes of pull requests share. */
import { z } from 'zod';
import { requiredText, uuid } from '../../../platform/core/operations/shapes.ts';

export const LIMITS = {
  branchCharacters: 1000,
  titleCharacters: 1000,
  descriptionCharacters: 200_000,
  commentCharacters: 65_536,
  noteCharacters: 10_000,
  reasonCharacters: 2000,
  pathCharacters: 4096,
  maxReviewers: 50,
  maxFiles: 3000,
  maxSubmoduleCommits: 50,
  maxCommits: 500,
  maxWaitSeconds: 55,
} as const;

export const AUTHOR_KINDS = ['person', 'agent', 'reviewer', 'bot'] as const;

export const PullRequestId = uuid();
export const Commit = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be the full commit ID, 40 hexadecimal digits')
  .describe('A full commit ID.');
export const Branch = requiredText({ max: LIMITS.branchCharacters });
export const FilePath = requiredText({ max: LIMITS.pathCharacters });

/** Who wrote something: a member, one of our reviewers, or an account of the code host. */
export const Author = z
  .object({
    kind: z
      .enum(AUTHOR_KINDS)
      .describe('`agent`: on behalf of the person, with an API key or a signed-in agent.'),
    id: uuid().nullable().describe('The member; null for others.'),
    name: z.string(),
  })
  .meta({ id: 'PullRequestAuthor' });

export const SENDING_STATES = ['none', 'waiting', 'sent', 'failed'] as const;
/** Whether something written here has reached the code host. */
export const Sending = z
  .object({
    state: z.enum(SENDING_STATES).describe('`none`: it was written on the host, or there is no host.'),
    problem: z.string().nullable(),
  })
  .meta({ id: 'Sending' });
