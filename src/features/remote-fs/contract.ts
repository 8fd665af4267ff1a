/** The shapes and limits of reading and searching the organization's code. */
import { z } from 'zod';
import { requiredText, text, uuid } from '../../platform/core/operations/shapes.ts';
import { SYMBOL_KINDS } from '../../platform/core/ports/code-facts.ts';
import { IMAGE_TYPES } from '../../platform/core/ports/code-reader.ts';

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
/** Limits of a search of all repositories: in one of them, and together. */
export const MAX_REPOSITORY_LINES = 50;
export const MAX_REPOSITORY_BYTES = 32 * 1024;
export const MAX_ALL_LINES = 1000;
export const MAX_REPOSITORIES = 2000;
export const LANGUAGE_CHARACTERS = 50;
export const QUERY_CHARACTERS = 2000;
/** How far a page of results can be from the first one. */
export const MAX_SKIPPED_FILES = 5000;
export const MAX_SKIPPED_LINES = 100_000;
export const MAX_HISTORY_COMMITS = 100;
export const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

const RepositoryName = requiredText({ max: REPOSITORY_CHARACTERS }).describe(
  '`owner/name` or just `name`, not case-sensitive.',
);
const Ref = text({ max: REF_CHARACTERS })
  .optional()
  .describe('A branch, a tag, or 4 to 64 digits of a commit. Default: the default branch.');
const Path = text({ max: PATH_CHARACTERS });

export const Candidates = z
  .object({
    candidates: z.array(z.string()).describe('Full names of the repositories that match an ambiguous name.'),
  })
  .meta({ id: 'Candidates' });

export const FileSearchInput = z.object({
  repository: RepositoryName,
  pattern: text({ min: 1, max: GLOB_CHARACTERS }).describe(
    'A glob: `*`, `**`, `?`, `[a-z]`, `[!a]`, `{a,b}`; a backslash escapes a special character. Without a `/` it matches at any depth; a leading `/` anchors it at the root.',
  ),
  ref: Ref,
});
export const FileSearchReply = z
  .union([
    z.object({
      items: z.array(z.string()).describe(`Paths in byte order, at most ${MAX_FILES}.`),
      total: z.int().describe('How many paths match, including those not returned.'),
      truncated: z.boolean().describe('Whether more paths match than are returned.'),
    }),
    Candidates,
  ])
  .meta({ id: 'FileSearchReply' });

export const GrepInput = z.object({
  repository: RepositoryName,
  pattern: text({ max: GREP_PATTERN_CHARACTERS }).describe(
    'A regular expression in ripgrep’s syntax, case-sensitive unless it contains `(?i)`. An empty pattern matches every line.',
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
          'Grouped by file: the path, then `12:matching line` and `11-line of context`, `--` between groups of lines, an empty line between files. If the results are incomplete, a last line in brackets says why.',
        ),
    }),
    Candidates,
  ])
  .meta({ id: 'GrepReply' });

/** A search in the language of the web app's search form. */
const QueryFields = {
  query: text({ max: QUERY_CHARACTERS })
    .optional()
    .describe(
      'Instead of `pattern`: literal text, `or` between alternatives, quotes around text that would mean something else, and the filters `repo:`, `path:`, `lang:` and `branch:`, or `-path:` to exclude. See docs/search.md.',
    ),
  regex: z.boolean().optional().describe('With `query`: apart from filters, it is a regular expression.'),
  ignoreCase: z.boolean().optional().describe('With `query`.'),
};
const PageFields = {
  linesPerFile: z
    .int()
    .min(1)
    .max(MAX_MATCHING_LINES)
    .optional()
    .describe('Return at most this many matching lines of each file.'),
  countAll: z
    .boolean()
    .optional()
    .describe('Count all matching lines, as far as there is time, not only until there are enough.'),
};
const FoundTotal = z
  .object({ lines: z.int(), files: z.int(), isLowerBound: z.boolean() })
  .describe('All that match; lower bounds when the search stopped early.');

/** The same search with structured results, for the web app. */
export const SearchCodeInput = GrepInput.extend({
  pattern: GrepInput.shape.pattern.optional(),
  ...QueryFields,
  path: Path.optional(),
  order: z
    .enum(['path', 'code_first'])
    .optional()
    .describe(
      'The order of files. `path` (default): by path. `code_first`: files that define the name, if the pattern is one, then other code, tests, documents such as changelogs, and lock files, vendored and generated files.',
    ),
  ...PageFields,
  skipFiles: z
    .int()
    .min(0)
    .max(MAX_SKIPPED_FILES)
    .optional()
    .describe('Continue after this many files. Use the returned commit as `ref`, so that nothing is missed.'),
  skipLines: z
    .int()
    .min(0)
    .max(MAX_SKIPPED_LINES)
    .optional()
    .describe(
      'Continue after this many matching lines of the first file; meant for a `path` that is a file.',
    ),
  definitionsFirst: z
    .boolean()
    .optional()
    .describe('With `skipFiles`: what the first reply returned, so that the order stays the same.'),
});
export const FoundLine = z
  .object({
    number: z.int().describe('Line number, starting at 1.'),
    text: z.string().describe('Long lines are truncated around the match.'),
    isMatch: z.boolean(),
    ranges: z
      .array(z.object({ start: z.int(), end: z.int() }))
      .describe(
        'Matched ranges as UTF-16 offsets in `text`; empty for context lines and for matches that were truncated.',
      ),
  })
  .meta({ id: 'FoundLine' });
export const SearchCodeReply = z
  .union([
    z.object({
      commit: z.string(),
      files: z.array(
        z.object({
          path: z.string(),
          lines: z.array(FoundLine),
          matchingLines: z.int().describe('All matching lines of the file, returned or not.'),
        }),
      ),
      matchingLines: z.int().describe('The number of matching lines returned.'),
      total: FoundTotal,
      definitionsFirst: z
        .boolean()
        .describe('With `code_first`: false if it was not known in time which files define the name.'),
      moreLines: z
        .object({ count: z.int(), isLowerBound: z.boolean() })
        .nullable()
        .describe('Matching lines beyond the limit; null when all are shown.'),
      notSearched: z
        .string()
        .nullable()
        .describe('Which files were not searched and why, as a sentence; null when all were.'),
      more: z
        .string()
        .nullable()
        .describe('`moreLines` and `notSearched` as one sentence; null when the results are complete.'),
    }),
    Candidates,
  ])
  .meta({ id: 'SearchCodeReply' });

const Glob = text({ max: GLOB_CHARACTERS }).optional();
export const SearchAllInput = z.object({
  pattern: GrepInput.shape.pattern.optional(),
  ...QueryFields,
  ...PageFields,
  repositories: Glob.describe(
    'A glob of repositories: full names such as `acme/*`, or last parts such as `{api,web}-*`. Default: every repository you can see.',
  ),
  paths: Glob.describe('A glob that paths must match, as in file search, such as `src/**/*.ts`.'),
  language: text({ max: LANGUAGE_CHARACTERS })
    .optional()
    .describe('Only files in this language, such as `go` or `typescript`.'),
  branch: text({ max: REF_CHARACTERS })
    .optional()
    .describe('Search this branch, in the repositories that have it. Default: each default branch.'),
});
/** One event of a search of all repositories: the matches in a repository, with `countAll` the counts of others, then one `summary`. */
export const FoundInRepository = z
  .object({
    repoId: z.string(),
    repository: z.string(),
    commit: z.string(),
    rank: z.int().describe('The rank of its best file.'),
    files: z
      .array(
        z.object({
          path: z.string(),
          rank: z
            .int()
            .describe(
              'Lower is better: definitions, then whole words, in code before tests, documents and generated files.',
            ),
          lines: z.array(FoundLine),
          matchingLines: z.int().describe('All matching lines of the file, returned or not.'),
        }),
      )
      .describe('Best first.'),
    matchingLines: z.int(),
    total: FoundTotal,
    moreLines: z.object({ count: z.int(), isLowerBound: z.boolean() }).nullable(),
    notSearched: z.string().nullable(),
  })
  .meta({ id: 'FoundInRepository' });
export const CountedInRepository = z
  .object({ repoId: z.string(), repository: z.string(), commit: z.string(), total: FoundTotal })
  .meta({ id: 'CountedInRepository' });
export const SearchAllSummary = z
  .object({
    searched: z.int().describe('The number of repositories that were searched.'),
    matching: z.int().describe('The number of repositories with matches.'),
    matchingLines: z.int(),
    total: z
      .object({ lines: z.int(), repositories: z.int(), isLowerBound: z.boolean() })
      .describe('All that match, returned or not; lower bounds unless everything was counted.'),
    leftOut: z
      .array(z.string())
      .describe(
        'Sentences that say what was not searched or not returned; empty when the results are complete.',
      ),
  })
  .meta({ id: 'SearchAllSummary' });
export const SearchAllEvent = z
  .object({
    repository: FoundInRepository.nullable().describe('Null in other events.'),
    counted: CountedInRepository.nullable().describe(
      'With `countAll`: the matches of a repository of which not all, or none, were returned.',
    ),
    summary: SearchAllSummary.nullable().describe('Only in the last event.'),
  })
  .meta({ id: 'SearchAllEvent' });

export const ReadFileInput = z.object({
  repository: RepositoryName,
  path: requiredText({ max: PATH_CHARACTERS }),
  ref: Ref,
  startLine: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('Default 1.'),
  endLine: z.coerce.number().int().min(1).max(2_147_483_647).optional().describe('Inclusive.'),
});
/** `lfs`: a Git LFS pointer; `text` is the pointer file. */
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
      endLine: z.int().describe('The last line in `text`; `startLine` - 1 when `text` has no lines.'),
      text: z
        .string()
        .describe('Empty for binary files and files that are too large. For a symlink, its target.'),
      truncated: z
        .boolean()
        .describe(`Whether the requested range was cut off: a reply holds at most ${MAX_READ_LINES} lines.`),
    }),
    Candidates,
  ])
  .meta({ id: 'FileReply' });

const ChangedBy = {
  commit: z.string(),
  authorName: z.string(),
  authoredAt: z.string(),
  subject: z.string(),
};
export const BlameReply = z
  .union([
    z.object({
      path: z.string(),
      commit: z.string(),
      runs: z
        .array(
          z.object({
            startLine: z.int(),
            endLine: z.int(),
            ...ChangedBy,
            path: z.string().describe('The file’s path at that commit.'),
            previous: z
              .object({ commit: z.string(), path: z.string() })
              .nullable()
              .describe('The file before that commit; null when the commit added it.'),
          }),
        )
        .describe('Lines in order; empty when the file has fewer.'),
    }),
    Candidates,
  ])
  .meta({ id: 'BlameReply' });
export const FileHistoryReply = z
  .union([
    z.object({
      path: z.string(),
      commit: z.string(),
      commits: z.array(z.object(ChangedBy)).describe('Newest first.'),
      truncated: z.boolean().describe('Whether older commits changed it too.'),
    }),
    Candidates,
  ])
  .meta({ id: 'FileHistoryReply' });

export const COMMIT_PLACES = ['message', 'changes'] as const;
export const MAX_FOUND_COMMITS = 50;
export const SearchCommitsInput = z.object({
  repository: RepositoryName,
  ref: Ref,
  query: requiredText({ max: QUERY_CHARACTERS }).describe(
    'Literal text, `or` between alternatives, and the filters `author:`, `path:` and `branch:`.',
  ),
  in: z
    .enum(COMMIT_PLACES)
    .optional()
    .describe('Where the text is: in the `message` (default), or in the `changes`, added or removed.'),
  ignoreCase: z.boolean().optional(),
  skip: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe('Continue after this many commits: `next` of the previous reply.'),
});
export const FoundCommitsReply = z
  .union([
    z.object({
      commit: z.string(),
      commits: z
        .array(
          z.object({
            ...ChangedBy,
            paths: z.array(z.string()).describe('With `changes`, the first files with the text, at most 10.'),
          }),
        )
        .describe(`Newest first, at most ${MAX_FOUND_COMMITS}.`),
      searched: z.int().describe('How many commits were searched, from the newest, skipped ones included.'),
      total: z.object({ count: z.int(), isLowerBound: z.boolean() }).describe('How many commits there are.'),
      next: z.int().nullable().describe('The `skip` that continues; null when all were searched.'),
      notSearched: z
        .string()
        .nullable()
        .describe('What was not searched because the time was up, as a sentence.'),
    }),
    Candidates,
  ])
  .meta({ id: 'FoundCommitsReply' });

export const ReadImageInput = z.object({
  repository: RepositoryName,
  path: requiredText({ max: PATH_CHARACTERS }),
  ref: Ref,
});
export const ImageReply = z
  .union([
    z.object({
      path: z.string(),
      commit: z.string(),
      mediaType: z.enum(IMAGE_TYPES).describe('Determined from the content.'),
      base64: z.string().describe(`The image, at most ${MAX_IMAGE_BYTES / 1024 / 1024} MiB before encoding.`),
    }),
    Candidates,
  ])
  .meta({ id: 'ImageReply' });

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
        .describe(`Whether the folder has more entries than the maximum of ${MAX_TREE_ENTRIES}.`),
    }),
    Candidates,
  ])
  .meta({ id: 'TreeReply' });

export const LastCommitsReply = z
  .union([
    z.object({
      path: z.string().describe('Empty for the root.'),
      commit: z.string(),
      entries: z
        .array(z.object({ name: z.string(), commit: z.string() }))
        .describe('In no particular order. An entry that isn’t here isn’t known yet.'),
      commits: z.array(z.object(ChangedBy)).describe('Those of the entries, once each.'),
      isComplete: z.boolean().describe('Whether every entry is known.'),
      isSearching: z.boolean().describe('Whether the same request can return more in a moment.'),
    }),
    Candidates,
  ])
  .meta({ id: 'LastCommitsReply' });

export const SYMBOL_CHARACTERS = 200;
export const MAX_DEFINITIONS = 50;
export const MAX_REFERENCES = 200;
/** Without a repository, this many are looked at. */
export const MAX_SYMBOL_REPOSITORIES = 200;

export const FindSymbolInput = z.object({
  name: requiredText({ max: SYMBOL_CHARACTERS }).describe('The exact name, without its class or module.'),
  repository: text({ max: REPOSITORY_CHARACTERS })
    .optional()
    .describe('`owner/name` or just `name`. Default: all that you can see.'),
  ref: Ref,
  kind: z.enum(SYMBOL_KINDS).optional().describe('Only definitions of this kind.'),
  from: Path.optional().describe(
    'The file that uses the name. In one repository, its own definitions come first, then those of files that it imports, then those nearby.',
  ),
});

export const SymbolsInRepository = z
  .object({
    repository: z.object({ id: uuid(), name: z.string() }),
    commit: z.string(),
    definitions: z.array(
      z.object({
        path: z.string(),
        line: z.int(),
        endLine: z.int(),
        kind: z.enum(SYMBOL_KINDS),
        container: z.string().nullable().describe('The class or module that it is part of.'),
        isExported: z.boolean(),
      }),
    ),
    references: z.array(z.object({ path: z.string(), line: z.int() })),
    moreDefinitions: z.int(),
    moreReferences: z.int(),
  })
  .meta({ id: 'SymbolsInRepository' });

export const FindSymbolReply = z
  .union([
    z.object({
      repositories: z.array(SymbolsInRepository).describe('Those with definitions come first.'),
      leftOut: z.array(z.string()).describe('What was not looked at, as sentences.'),
    }),
    Candidates,
  ])
  .meta({ id: 'FindSymbolReply' });
