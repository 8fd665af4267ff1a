/** The parts of GitHub's REST replies that are used. */
import { z } from 'zod';

export const idShape = z.number().int();
export const timeShape = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const userShape = z.object({
  id: idShape,
  login: z.string(),
  name: z.string().nullish(),
  type: z.string().nullish(),
});

export const repositoryShape = z.object({
  id: idShape,
  full_name: z.string(),
  private: z.boolean(),
  default_branch: z.string().nullish(),
  clone_url: z.string(),
  html_url: z.string(),
  archived: z.boolean().nullish(),
  fork: z.boolean(),
  permissions: z.object({ admin: z.boolean().nullish() }).nullish(),
});

const branchShape = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ id: idShape, full_name: z.string() }).nullable(),
});

export const pullRequestShape = z.object({
  id: idShape,
  number: z.number().int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().nullish(),
  user: userShape.nullable(),
  head: branchShape,
  base: branchShape,
  labels: z.array(z.object({ name: z.string() })),
  requested_reviewers: z.array(userShape).nullish(),
  requested_teams: z.array(z.object({ name: z.string(), slug: z.string() })).nullish(),
  merge_commit_sha: z.string().nullish(),
  /** Only of a single one; null while GitHub is finding out. */
  mergeable: z.boolean().nullish(),
  html_url: z.string(),
  created_at: timeShape,
  updated_at: timeShape,
  merged_at: timeShape.nullish(),
  closed_at: timeShape.nullish(),
});

export const reviewShape = z.object({
  id: idShape,
  node_id: z.string(),
  user: userShape.nullable(),
  body: z.string().nullish(),
  state: z.string(),
  commit_id: z.string().nullish(),
  submitted_at: timeShape.nullish(),
  html_url: z.string().nullish(),
});

export const issueCommentShape = z.object({
  id: idShape,
  user: userShape.nullable(),
  body: z.string().nullish(),
  created_at: timeShape,
  updated_at: timeShape,
  html_url: z.string(),
});

export const reviewCommentShape = z.object({ id: idShape, body: z.string(), path: z.string() });

export const webhookShape = z.object({
  id: idShape,
  config: z.object({ url: z.string().nullish() }),
});

export const createdShape = z.object({ id: idShape });

export const permissionsShape = z.record(z.string(), z.string().nullish());

export const appShape = z.object({
  id: idShape,
  slug: z.string(),
  name: z.string(),
  permissions: permissionsShape,
  events: z.array(z.string()).nullish(),
});

export const installationShape = z.object({
  id: idShape,
  account: z.object({ login: z.string().nullish() }).nullable(),
  permissions: permissionsShape,
  suspended_at: z.string().nullish(),
});

export const installationTokenShape = z.object({ token: z.string().min(1), expires_at: timeShape });

export const installationRepositoriesShape = z.object({ repositories: z.array(repositoryShape) });

export const checkRunsShape = z.object({
  check_runs: z.array(z.object({ id: idShape, app: z.object({ id: idShape }).nullish() })),
});

export const checkRunListShape = z.object({
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullish(),
      details_url: z.string().nullish(),
      html_url: z.string().nullish(),
      output: z.object({ title: z.string().nullish() }).nullish(),
      app: z.object({ slug: z.string().nullish() }).nullish(),
    }),
  ),
});

export const statusShape = z.object({
  context: z.string(),
  state: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
  creator: z.object({ login: z.string() }).nullish(),
});

export const createdAppShape = z.object({
  id: idShape,
  slug: z.string(),
  name: z.string(),
  html_url: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  webhook_secret: z.string().nullable(),
  pem: z.string(),
});
