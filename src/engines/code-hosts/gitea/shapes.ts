/** The parts of Gitea's and Forgejo's replies that are used. */
import { z } from 'zod';

const idShape = z.number().int();
const timeShape = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const userShape = z.object({ id: idShape, login: z.string(), full_name: z.string().nullish() });

export const repositoryShape = z.object({
  id: idShape,
  full_name: z.string(),
  private: z.boolean(),
  internal: z.boolean().nullish(),
  default_branch: z.string().nullish(),
  clone_url: z.string(),
  html_url: z.string(),
  archived: z.boolean().nullish(),
  fork: z.boolean().nullish(),
  permissions: z.object({ admin: z.boolean().nullish() }).nullish(),
  owner: userShape,
});

const branchShape = z.object({
  /** The branch's name, also when the branch is gone. */
  label: z.string().nullish(),
  ref: z.string(),
  sha: z.string().nullish(),
  repo: z.object({ id: idShape, full_name: z.string() }).nullish(),
});

export const pullRequestShape = z.object({
  id: idShape,
  number: z.number().int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  user: userShape.nullish(),
  head: branchShape,
  base: branchShape,
  labels: z.array(z.object({ name: z.string() })).nullish(),
  requested_reviewers: z.array(userShape).nullish(),
  requested_reviewers_teams: z.array(z.object({ name: z.string() })).nullish(),
  merge_commit_sha: z.string().nullish(),
  /** False also while the server is finding out. */
  mergeable: z.boolean().nullish(),
  html_url: z.string(),
  created_at: timeShape,
  updated_at: timeShape,
  merged_at: timeShape.nullish(),
  closed_at: timeShape.nullish(),
});

export const reviewShape = z.object({
  id: idShape,
  user: userShape.nullish(),
  state: z.string(),
  body: z.string().nullish(),
  commit_id: z.string().nullish(),
  dismissed: z.boolean().nullish(),
  comments_count: z.number().int().nullish(),
  submitted_at: timeShape.nullish(),
  html_url: z.string().nullish(),
});

export const reviewCommentShape = z.object({
  id: idShape,
  user: userShape.nullish(),
  resolver: userShape.nullish(),
  body: z.string().nullish(),
  path: z.string(),
  commit_id: z.string().nullish(),
  /** The line in the new file, or 0. */
  position: z.number().int().nullish(),
  /** The line in the old file, or 0. */
  original_position: z.number().int().nullish(),
  created_at: timeShape,
  updated_at: timeShape,
  html_url: z.string().nullish(),
});

export const commentShape = z.object({
  id: idShape,
  user: userShape.nullish(),
  body: z.string().nullish(),
  created_at: timeShape,
  updated_at: timeShape,
  html_url: z.string().nullish(),
});

export const reactionShape = z.object({ user: userShape.nullish(), content: z.string() });

export const teamShape = z.object({
  id: idShape,
  name: z.string().nullish(),
  permission: z.string().nullish(),
  units: z.array(z.string()).nullish(),
  units_map: z.record(z.string(), z.string()).nullish(),
});

export const webhookShape = z.object({ id: idShape, config: z.record(z.string(), z.string()).nullish() });
export const createdShape = z.object({ id: idShape });
export const versionShape = z.object({ version: z.string() });
export const swaggerShape = z.object({ paths: z.record(z.string(), z.unknown()) });

export const commitStatusShape = z.object({
  context: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
  creator: z.object({ login: z.string() }).nullish(),
});

export const combinedStatusShape = z.object({ statuses: z.array(commitStatusShape).nullish() });
