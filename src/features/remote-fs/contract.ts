/** The shapes and limits of reading and searching the organization's code. */
import { z } from 'zod';
import { requiredText, text } from '../../platform/core/shapes.ts';

export const GLOB_CHARACTERS = 1000;
export const GREP_PATTERN_CHARACTERS = 2000;
export const REF_CHARACTERS = 1000;
export const PATH_CHARACTERS = 4096;
export const REPOSITORY_CHARACTERS = 300;
export const MAX_FILES = 1000;
export const MAX_TREE_ENTRIES = 10_000;
export const MAX_READ_LINES = 5000;
export const MAX_MATCHING_LINES = 500;
export const MAX_GREP_BYTES = 256 * 1024;

const RepositoryName = requiredText({ max: REPOSITORY_CHARACTERS }).describe(
  'The repository: `owner/name`, or the last part of it alone; case does not count.',
);
const Ref = text({ max: REF_CHARACTERS })
  .optional()
  .describe('A branch, a tag, or 4 to 64 hexadecimal digits of a commit; the default branch when left out.');
const Path = text({ max: PATH_CHARACTERS });

export const Candidates = z
  .object({
    candidates: z.array(z.string()).describe('More than one repository has this name: their full names.'),
  })
  .meta({ id: 'Candidates' });

export const FileSearchInput = z.object({
  repository: RepositoryName,
  pattern: text({ min: 1, max: GLOB_CHARACTERS }).describe(
    'A glob: `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}`, and a backslash before a sign that means itself. Without a `/` it matches at any depth; a leading `/` anchors it at the root.',
  ),
  ref: Ref,
});
export const FileSearchReply = z
  .union([
    z.object({
      items: z.array(z.string()).describe(`Paths in byte order, at most ${MAX_FILES}.`),
      total: z.int().describe('How many match, those left out too.'),
      truncated: z.boolean().describe('Whether items were left out.'),
    }),
    Candidates,
  ])
  .meta({ id: 'FileSearchReply' });

export const GrepInput = z.object({
  repository: RepositoryName,
  pattern: text({ max: GREP_PATTERN_CHARACTERS }).describe(
    'A regular expression in ripgrep’s syntax, case-sensitive unless it says `(?i)`. An empty one matches every line.',
  ),
  path: Path.describe('A folder or file to search in; ``, `.` and `/` mean the whole repository.'),
  ref: Ref,
});
export const GrepReply = z
  .union([
    z.object({
      text: z
        .string()
        .describe(
          'Grouped by file: the path, then `12:matching line` and `11-line of context`, `--` between runs, an empty line between files. A last line says what was left out.',
        ),
    }),
    Candidates,
  ])
  .meta({ id: 'GrepReply' });

/** The same search for the page: what stands where, instead of one text. */
export const SearchCodeInput = GrepInput.extend({
  path: Path.optional(),
  order: z
    .enum(['path', 'code_first'])
    .optional()
    .describe(
      'How files are ordered: `path` (the default) by path; `code_first` lists code, then documents such as changelogs, then lock files, vendored and generated files.',
    ),
});
export const FoundLine = z
  .object({
    number: z.int().describe('Counted from 1.'),
    text: z.string().describe('Cut around the match when it is long.'),
    isMatch: z.boolean(),
    ranges: z
      .array(z.object({ start: z.int(), end: z.int() }))
      .describe('What matched, as places in `text` (UTF-16); empty for context and where it was cut off.'),
  })
  .meta({ id: 'FoundLine' });
export const SearchCodeReply = z
  .union([
    z.object({
      commit: z.string(),
      files: z.array(z.object({ path: z.string(), lines: z.array(FoundLine) })),
      matchingLines: z.int().describe('How many are shown.'),
      more: z
        .string()
        .nullable()
        .describe('What was left out and why, in a sentence; null when nothing was.'),
    }),
    Candidates,
  ])
  .meta({ id: 'SearchCodeReply' });

export const ReadFileInput = z.object({
  repository: RepositoryName,
  path: requiredText({ max: PATH_CHARACTERS }),
  ref: Ref,
  startLine: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('1 when left out.'),
  endLine: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('Included.'),
});
/** `lfs`: a pointer to a large file that is kept elsewhere; its text is the pointer's. */
export const FILE_KINDS = ['text', 'binary', 'symlink', 'lfs', 'too_large'] as const;
export const FileReply = z
  .union([
    z.object({
      path: z.string(),
      commit: z.string(),
      kind: z.enum(FILE_KINDS),
      size: z.int().describe('In bytes.'),
      totalLines: z.int().nullable().describe('Null when the file is not text.'),
      startLine: z.int(),
      endLine: z
        .int()
        .describe('The last line that is in `text`; one less than `startLine` when there is none.'),
      text: z
        .string()
        .describe('Empty when the file is binary or too large; of a symlink, where it points to.'),
      truncated: z
        .boolean()
        .describe(
          `Whether lines that were asked for were left out: there are at most ${MAX_READ_LINES} in a reply.`,
        ),
    }),
    Candidates,
  ])
  .meta({ id: 'FileReply' });

export const ListTreeInput = z.object({ repository: RepositoryName, path: Path.optional(), ref: Ref });
export const ENTRY_KINDS = ['folder', 'file', 'symlink', 'submodule'] as const;
export const TreeReply = z
  .union([
    z.object({
      path: z.string().describe('Empty for the root.'),
      commit: z.string(),
      entries: z
        .array(z.object({ name: z.string(), path: z.string(), kind: z.enum(ENTRY_KINDS) }))
        .describe('Folders first, then by name.'),
      truncated: z
        .boolean()
        .describe(`Whether entries were left out: there are at most ${MAX_TREE_ENTRIES}.`),
    }),
    Candidates,
  ])
  .meta({ id: 'TreeReply' });
