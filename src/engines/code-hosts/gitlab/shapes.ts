/** The parts of GitLab's replies that are used. */
import { z } from 'zod';

const idShape = z.number().int();
export const timeShape = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

export const userShape = z.object({
  id: idShape,
  username: z.string(),
  name: z.string().nullish(),
  bot: z.boolean().nullish(),
});

export const projectShape = z.object({
  id: idShape,
  path_with_namespace: z.string(),
  visibility: z.string().nullish(),
  default_branch: z.string().nullish(),
  http_url_to_repo: z.string(),
  web_url: z.string(),
  archived: z.boolean().nullish(),
  forked_from_project: z.object({ id: idShape }).nullish(),
  permissions: z
    .object({
      project_access: z.object({ access_level: z.number() }).nullish(),
      group_access: z.object({ access_level: z.number() }).nullish(),
    })
    .nullish(),
});

export const memberShape = z.object({
  id: idShape,
  username: z.string(),
  name: z.string().nullish(),
  state: z.string().nullish(),
  access_level: z.number().int(),
});

export const mergeRequestShape = z.object({
  id: idShape,
  iid: z.number().int().positive(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  draft: z.boolean().nullish(),
  author: userShape.nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: idShape.nullish(),
  target_project_id: idShape,
  sha: z.string().nullish(),
  diff_refs: z.object({ base_sha: z.string().nullish() }).nullish(),
  labels: z.array(z.string()),
  reviewers: z.array(userShape).nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  web_url: z.string(),
  created_at: timeShape,
  updated_at: timeShape,
  /** Deprecated, but it alone says of one that can't be merged for other reasons that nothing conflicts. */
  merge_status: z.string().nullish(),
  detailed_merge_status: z.string().nullish(),
  has_conflicts: z.boolean().nullish(),
  merged_at: timeShape.nullish(),
  closed_at: timeShape.nullish(),
});

export const approvalsShape = z.object({
  user_has_approved: z.boolean().nullish(),
  approved_by: z.array(z.object({ user: userShape, approved_at: timeShape.nullish() })).nullish(),
});

export const reviewerShape = z.object({
  user: userShape,
  state: z.string(),
  created_at: timeShape.nullish(),
});

const lineShape = z.number().int().nullish();

export const positionShape = z.object({
  head_sha: z.string().nullish(),
  old_path: z.string().nullish(),
  new_path: z.string().nullish(),
  position_type: z.string(),
  old_line: lineShape,
  new_line: lineShape,
  line_range: z.object({ start: z.object({ old_line: lineShape, new_line: lineShape }).nullish() }).nullish(),
});

export const noteShape = z.object({
  id: idShape,
  type: z.string().nullish(),
  body: z.string(),
  author: userShape.nullish(),
  created_at: timeShape,
  updated_at: timeShape,
  system: z.boolean(),
  resolved: z.boolean().nullish(),
  resolved_by: userShape.nullish(),
  resolved_at: timeShape.nullish(),
  position: positionShape.nullish(),
});

export const discussionShape = z.object({ id: z.string(), notes: z.array(noteShape) });

export const versionShape = z.object({ id: idShape, head_commit_sha: z.string() });

export const versionDetailsShape = z.object({
  base_commit_sha: z.string(),
  start_commit_sha: z.string(),
  head_commit_sha: z.string(),
  diffs: z.array(z.object({ old_path: z.string(), new_path: z.string(), diff: z.string() })),
});

export const commitStatusShape = z.object({
  id: idShape,
  name: z.string(),
  status: z.string(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
  author: userShape.nullish(),
});

export const pipelinesShape = z.array(z.object({ id: idShape, source: z.string().nullish() }));

export const jobShape = z.object({
  id: idShape,
  name: z.string(),
  ref: z.string().nullish(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  web_url: z.string().nullish(),
});

export const hookShape = z.object({ id: idShape, url: z.string() });
export const createdShape = z.object({ id: idShape });
export const serverShape = z.object({ version: z.string() });
export const tokenShape = z.object({
  scopes: z.array(z.string()).nullish(),
  expires_at: z.iso.date().nullish(),
});
