/** The shapes of what a pull request changes: commits, files, and the difference of one file. */
import { z } from 'zod';
import { timestamp, uuid } from '../../../platform/core/operations/shapes.ts';
import { Commit, FilePath, LIMITS, PullRequestId } from './contract-fields.ts';

export const ListPullRequestCommitsInput = z.object({ pullRequestId: PullRequestId });
export const PullRequestCommits = z
  .object({
    commits: z
      .array(
        z.object({
          commit: z.string(),
          parents: z.array(z.string()),
          authorName: z.string(),
          authoredAt: timestamp(),
          subject: z.string(),
          body: z.string(),
        }),
      )
      .describe(`Oldest first; the newest ${LIMITS.maxCommits}.`),
    total: z.int(),
    authorIds: z
      .array(uuid())
      .describe('The members who wrote or co-wrote them, by their email addresses and linked accounts.'),
    approvalBlocked: z
      .string()
      .nullable()
      .describe("Why you can't approve them, such as that one is yours; null if you can."),
  })
  .meta({ id: 'PullRequestCommits' });

/** Default: the merge base of the newest head, and the newest head. */
const range = {
  from: Commit.optional().describe('Default: the merge base of the newest head.'),
  to: Commit.optional().describe('Default: the newest head.'),
};

export const FILE_CHANGES = ['added', 'deleted', 'modified', 'renamed', 'copied', 'type_changed'] as const;
/** Why the difference of a file isn't shown. */
export const FILE_KINDS = ['text', 'binary', 'submodule', 'symlink', 'too_large'] as const;
export const ChangedFile = z
  .object({
    path: z.string(),
    oldPath: z.string().nullable().describe('If it was renamed or copied.'),
    change: z.enum(FILE_CHANGES),
    kind: z.enum(FILE_KINDS),
    added: z.int().nullable().describe('Lines; null for binary files.'),
    deleted: z.int().nullable(),
    oldBlob: z.string().nullable().describe('Of a submodule, its commit.'),
    newBlob: z.string().nullable(),
    oldMode: z
      .string()
      .nullable()
      .optional()
      .describe('As git writes it; null where there is no file. Both modes are left out if none is special.'),
    newMode: z.string().nullable().optional(),
    oldBytes: z
      .int()
      .nullable()
      .optional()
      .describe('Only of files that are binary or too large; null where there is no file.'),
    newBytes: z.int().nullable().optional(),
    generated: z.boolean().describe('Generated, vendored or a lock file: collapsed on the page.'),
    viewed: z.boolean().describe('Whether you marked this content as viewed.'),
  })
  .meta({ id: 'ChangedFile' });

export const GetFileDiffInput = z.object({
  pullRequestId: PullRequestId,
  ...range,
  path: FilePath,
  oldPath: FilePath.optional(),
  ignoreWhitespace: z.boolean().optional(),
  context: z.int().min(0).max(100_000).optional().describe('Unchanged lines around each change, default 3.'),
});
export const DiffHunk = z
  .object({
    oldStart: z.int(),
    oldLines: z.int(),
    newStart: z.int(),
    newLines: z.int(),
    heading: z.string().describe('The function or section that the hunk is in, as git names it.'),
    lines: z
      .array(z.string())
      .describe('Each begins with a space, `+` or `-`; `\\` marks a missing newline at the end.'),
  })
  .meta({ id: 'DiffHunk' });
export const FileDiff = z
  .object({
    path: z.string(),
    oldPath: z.string().nullable(),
    kind: z.enum(FILE_KINDS),
    oldTotalLines: z.int().nullable(),
    newTotalLines: z.int().nullable(),
    hunks: z.array(DiffHunk),
    truncated: z.boolean().describe('Whether lines were left out because the difference is too large.'),
  })
  .meta({ id: 'FileDiff' });

export const ListPullRequestFilesInput = z.object({ pullRequestId: PullRequestId, ...range });
export const PullRequestFiles = z
  .object({
    from: z.string(),
    to: z.string(),
    files: z
      .array(ChangedFile)
      .describe(`In the order of the page, folders before files; at most ${LIMITS.maxFiles}.`),
    total: z.int(),
    added: z.int(),
    deleted: z.int(),
    firstDiffs: z
      .array(FileDiff)
      .describe('The differences of the first few files, unless they are very large.'),
  })
  .meta({ id: 'PullRequestFiles' });

export const ComparePullRequestHeadsInput = z.object({
  pullRequestId: PullRequestId,
  from: Commit.describe('An earlier head.'),
  to: Commit.optional().describe('A later head. Default: the newest.'),
});
export const PAIRED_CHANGES = ['same', 'changed', 'removed', 'added'] as const;
export const HeadsComparison = z
  .object({
    from: z.string(),
    to: z.string(),
    tooLarge: z.boolean().describe('There are more commits or changed lines than are compared.'),
    commits: z
      .array(
        z.object({
          change: z.enum(PAIRED_CHANGES).describe('`same`: the same change and message.'),
          oldCommit: z.string().nullable(),
          newCommit: z.string().nullable(),
          subject: z.string(),
          lines: z
            .array(z.string())
            .describe(
              'If it changed, the difference between the two patches: each line begins with a space, `+` or `-`, or names a section.',
            ),
          truncated: z.boolean().describe('Whether lines were left out because there are too many.'),
        }),
      )
      .describe('In the order of the later head; removed ones where they were. Merges are left out.'),
  })
  .meta({ id: 'HeadsComparison' });

export const CompareSubmoduleInput = z.object({ pullRequestId: PullRequestId, ...range, path: FilePath });
export const SubmoduleComparison = z
  .object({
    path: z.string(),
    oldCommit: z.string().nullable().describe('Null if it was added, or was something else before.'),
    newCommit: z.string().nullable(),
    address: z
      .string()
      .nullable()
      .describe('Of its repository, as `.gitmodules` says; null if it says nothing.'),
    repository: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('The repository with that address; null if it was not added or you can’t see it.'),
    between: z
      .object({
        commits: z
          .array(
            z.object({
              commit: z.string(),
              authorName: z.string(),
              authoredAt: timestamp(),
              subject: z.string(),
            }),
          )
          .describe(`Newest first; the newest ${LIMITS.maxSubmoduleCommits}.`),
        total: z.int(),
        removed: z.int().describe('Commits that the old one contains and the new one does not.'),
      })
      .nullable()
      .describe('Null if one of the commits is not known.'),
  })
  .meta({ id: 'SubmoduleComparison' });

export const MarkFileViewedInput = z.object({
  pullRequestId: PullRequestId,
  path: FilePath,
  blob: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .describe('The `newBlob` (or `oldBlob` of a deleted file) that was viewed.'),
  viewed: z.boolean(),
});
export const MarkHeadSeenInput = z.object({ pullRequestId: PullRequestId, head: Commit });
