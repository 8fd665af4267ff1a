/** list_reviewers: who reviews pull requests, which paths reviews skip, and the settings of reviews. */
import { z } from 'zod';
import { ours } from '../text/marking.ts';
import { moreSentence, openPage, PAGE_OUTPUT, pageArguments, pagedReply } from '../text/paged-reply.ts';
import { visible } from '../text/visible-text.ts';
import { defineTool, READS } from '../tool.ts';

const Scope = z.object({
  repoName: z.string().optional().describe('Absent: every repository.'),
  paths: z.array(z.string()).optional().describe('Absent: all paths.'),
});

const ReviewersReply = z.object({
  settings: z.array(
    z.object({
      key: ours('word'),
      enabled: z.boolean(),
      conditions: z
        .object({
          repositories: z.array(z.string()).optional(),
          authors: z.array(z.string()).optional(),
          excludedPaths: z.array(z.string()).optional(),
          maxLines: z.int().optional(),
          maxFiles: z.int().optional(),
        })
        .optional()
        .describe('It is on only for pull requests that meet them all.'),
    }),
  ),
  excludedPaths: z.array(z.object({ repoName: z.string(), paths: z.array(z.string()) })),
  excludedPathsLeftOut: z.int().optional().describe('Repositories whose paths are not in this reply.'),
  ...PAGE_OUTPUT,
  reviewers: z.array(
    z.object({
      title: z.string(),
      description: z.string(),
      enabled: z.boolean(),
      needsModel: z.boolean().optional().describe('True: the service finds nothing with it, you can.'),
      version: z.int(),
      scopes: z.array(Scope),
      openDiscussions: z.int().describe('Among its newest ten.'),
    }),
  ),
});

export const listReviewers = defineTool({
  name: 'list_reviewers',
  title: 'List the reviewers',
  description: {
    does: 'List the reviewers of pull requests, where each applies, which paths reviews skip, and the settings of reviews.',
    use: 'before you open a pull request, to know what will be looked at.',
    returns:
      '`reviewers` (built-in first), `settings` (what is on, with conditions) and `excludedPaths` by repository.',
    next: '`get_branch_discussions` for what they said about a branch.',
  },
  operations: ['list-reviewers', 'get-reviewer-config'],
  hints: READS,
  input(fieldsOf) {
    const { repoName } = fieldsOf('list-reviewers');
    return z.object({
      enabled: z.boolean().optional().describe('Only enabled or only disabled ones.'),
      repoName,
      ...pageArguments({ minTokens: 2000 }),
    });
  },
  output: ReviewersReply,
  async run(given, context) {
    const opened = openPage('list_reviewers', given);
    const { enabled, repoName } = given;
    const [{ reviewers }, { excludedConfig, orgConfig }] = await Promise.all([
      context.run('list-reviewers', {
        enabled: enabled === undefined ? undefined : String(enabled),
        repoName,
      }),
      context.run('get-reviewer-config', {}),
    ]);
    const shown = new Set(reviewers.flatMap(({ scopes }) => scopes.flatMap((scope) => scope.repoName ?? [])));
    const excluded = excludedConfig
      .filter((row) => repoName === undefined || isNamed(row.repoName, repoName) || shown.has(row.repoName))
      .map((row) => ({ repoName: visible(row.repoName), paths: row.paths.map(visible) }));
    const fitting = withinBytes(excluded, MAX_EXCLUDED_BYTES);
    const pieces = reviewers.map((reviewer) => {
      const presented = present(reviewer);
      return { key: reviewer.id, text: JSON.stringify(presented), atomic: true, presented };
    });
    return pagedReply(opened, {
      output: ReviewersReply,
      pieces,
      pin: 'reviewers',
      render: (parts, end) => ({
        settings: orgConfig.map(settingOf),
        excludedPaths: fitting,
        ...(fitting.length < excluded.length && { excludedPathsLeftOut: excluded.length - fitting.length }),
        more: moreSentence(end),
        nextCursor: end.nextCursor,
        reviewers: parts.map(({ piece }) => piece.presented),
      }),
    });
  },
});

/** They are on every page, so they must leave room for reviewers. */
const MAX_EXCLUDED_BYTES = 2000;

interface Listed {
  title: string;
  description: string;
  enabled: boolean;
  needsModel: boolean;
  activeVersion: number;
  scopes: { repoName: string | null; paths: string[] }[];
  discussions: { status: string }[];
}

function present(reviewer: Listed) {
  return {
    title: visible(reviewer.title),
    description: visible(reviewer.description),
    enabled: reviewer.enabled,
    ...(reviewer.needsModel && { needsModel: true }),
    version: reviewer.activeVersion,
    scopes: reviewer.scopes.map(({ paths, repoName }) => ({
      ...(repoName !== null && { repoName: visible(repoName) }),
      ...(paths.length > 0 && { paths: paths.map(visible) }),
    })),
    openDiscussions: reviewer.discussions.filter(({ status }) => status === 'open').length,
  };
}

/** Most settings have no conditions. */
function settingOf<Conditions extends object>(row: {
  key: string;
  enabled: boolean;
  configurationMetadata: Conditions;
}) {
  const { configurationMetadata: conditions, enabled, key } = row;
  return { key, enabled, ...(Object.keys(conditions).length > 0 && { conditions }) };
}

/** The first rows, as far as they fit. */
function withinBytes<Row>(rows: Row[], maxBytes: number): Row[] {
  let bytes = 0;
  return rows.filter((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return bytes <= maxBytes;
  });
}

/** By its full name or its last part, ignoring case. */
function isNamed(fullName: string, given: string): boolean {
  const [name, wanted] = [fullName.toLowerCase(), given.trim().toLowerCase()];
  return name === wanted || name.endsWith(`/${wanted}`);
}
