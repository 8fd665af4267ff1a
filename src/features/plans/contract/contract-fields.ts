/** The limits and fields that the shapes of plans share. */
import { z } from 'zod';
import { requiredText, text, uuid } from '../../../platform/core/operations/shapes.ts';

/** Plans show the states of their pull requests, and pull requests know plans, so they are here. */
export const ACTIVE_PULL_REQUEST_STATES = ['open', 'draft'] as const;
export const PULL_REQUEST_STATES = [...ACTIVE_PULL_REQUEST_STATES, 'merged', 'closed'] as const;
export type PullRequestState = (typeof PULL_REQUEST_STATES)[number];

export const PLAN_STATUSES = ['pending', 'approved', 'implemented', 'closed', 'deleted'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

export const LIMITS = {
  contentCharacters: 1_048_576,
  repositories: 100,
  repositoryCharacters: 300,
  modelCharacters: 200,
  commentCharacters: 65_536,
  anchorCharacters: 65_536,
  noteCharacters: 10_000,
  pullRequestNumber: 2_147_483_647,
  reviewersAtOnce: 50,
  searchCharacters: 200,
} as const;

export const SeriesId = uuid().describe('The ID of the plan: the `seriesKey` it was posted with.');
export const VersionNumber = z.int().min(1).max(2_147_483_647);
export const Note = text({ max: LIMITS.noteCharacters });
export const RepositoryName = requiredText({ max: LIMITS.repositoryCharacters });

export const Person = z.object({ id: uuid(), name: z.string() }).meta({ id: 'Person' });

export const TokensUsed = z.object({
  input_tokens: z.int().min(0),
  output_tokens: z.int().min(0),
});
