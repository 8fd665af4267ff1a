/** remote_grep: the lines that match a regular expression, in one repository or in all of them, as text. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import type { StreamEvent } from '../../../platform/core/operations/operation.ts';
import { writeFoundLines } from '../../../platform/core/text/grep-text.ts';
import { showPathOnLine } from '../../../platform/core/text/path-text.ts';
import {
  isCandidates,
  RECORD,
  readCode,
  type SessionArguments,
  sessionArguments,
  sessionWarning,
  writeCandidates,
} from '../code-tool.ts';
import type { Part, Piece } from '../text/budget.ts';
import { createFences } from '../text/fence.ts';
import {
  leftOutLines,
  leftOutSentence,
  moreSentence,
  openPage,
  PAGE_ARGUMENTS,
  type PageArguments,
  pagedReply,
  pageLines,
} from '../text/paged-reply.ts';
import { defineTool, READS, type ToolContext } from '../tool.ts';

type SearchAllEvent =
  Operations['search-all-code']['output'] extends AsyncIterable<StreamEvent<infer Data>> ? Data : never;
type SearchAllSummary = NonNullable<SearchAllEvent['summary']>;

interface FilePiece extends Piece {
  path: string;
}

/** Arguments of a search of all repositories. */
const ALL_ARGUMENTS = ['repositories', 'paths', 'language'] as const;

export const remoteGrep = defineTool({
  name: 'remote_grep',
  title: 'Search code',
  description: {
    does: "Search code with a regular expression (no look-around), without cloning: one repository at any branch, tag or commit, or all of the organization's at once.",
    use: 'to find definitions, callers, settings and messages. With `repository`, limit it with `path`; without, with `repositories`, `paths` and `language`.',
    returns:
      'text. The commit that was searched, then the matches by file with two lines of context (`12:` marks a match, `11-` context). Without `repository`, files are headed by repository, commit and path, the best first. If several repositories have this name, their full names: call again with one.',
    next: '`remote_read_file` around a match, with the commit as `ref` to read the same version.',
  },
  // `search-code` also returns the commit that it searched, so that later pages use the same one.
  operations: ['search-code', 'search-all-code', 'grep-code', RECORD],
  hints: READS,
  input(fieldsOf) {
    const { path, pattern, ref, repository } = fieldsOf('grep-code');
    const { language, paths, repositories } = fieldsOf('search-all-code');
    return z.object({
      repository: repository.optional().describe('`owner/name` or just `name`. Default: all.'),
      pattern: pattern.describe('ripgrep’s syntax; case-sensitive unless it contains `(?i)`.'),
      path: path.optional().describe('A folder or file of `repository`. Default: everything.'),
      ref: ref.describe(
        'A branch, tag or commit; without `repository`, a branch. Default: the default branch.',
      ),
      repositories: repositories.describe('A glob of full names (`acme/*`) or last parts (`{api,web}-*`).'),
      paths: paths.describe('A glob of paths, such as `src/**/*.ts`.'),
      language,
      ...PAGE_ARGUMENTS,
      ...sessionArguments(fieldsOf),
    });
  },
  output: undefined,
  async run(given, context) {
    const { path = '', pattern, repository } = given;
    if (repository === undefined) return searchAll(given, context);
    for (const name of ALL_ARGUMENTS) {
      if (given[name] !== undefined)
        throw invalidRequest([
          { path: name, message: 'is only for searches without `repository`; use `path`' },
        ]);
    }
    const opened = openPage('remote_grep', given);
    const ref = opened.pin ?? given.ref;
    const found = await readCode(context, 'remote_grep', given, () =>
      context.run('search-code', { repository, pattern, path, ref, order: 'code_first' }),
    );
    if (isCandidates(found)) return writeCandidates(found);
    const { commit, matchingLines, more } = found;
    const pieces: FilePiece[] = found.files.map((file, index) => ({
      key: String(index),
      path: showPathOnLine(file.path),
      text: writeFoundLines(file.lines),
    }));
    const fences = createFences(pieces.flatMap((piece) => [piece.path, piece.text]));
    const warning = sessionWarning(given);
    return pagedReply(opened, {
      output: undefined,
      pieces,
      pin: commit,
      render(parts, end) {
        const text = parts.map(writeFile).join('\n\n');
        return [
          matchingLines === 0
            ? `No line matches at commit ${commit}.`
            : `${matchingLines} matching ${matchingLines === 1 ? 'line' : 'lines'} at commit ${commit}.`,
          ...(warning ? [`warning: ${warning}`] : []),
          ...pageLines(end, moreSentence(end, end.nextCursor ? null : more)),
          ...(text === '' ? [] : [fences.notice, fences.around('code', text)]),
        ].join('\n');
      },
    });
  },
});

interface AllArguments extends SessionArguments, PageArguments {
  pattern: string;
  ref?: string;
  repositories?: string;
  paths?: string;
  language?: string;
}

/** Reads the whole stream, because a reply has one order: the best file first, whatever its repository. */
async function searchAll(given: AllArguments, context: ToolContext): Promise<string> {
  const { language, paths, pattern, ref: branch, repositories } = given;
  const opened = openPage('remote_grep', given);
  const events = await readCode(context, 'remote_grep', given, () =>
    context.run('search-all-code', { pattern, repositories, paths, language, branch }),
  );
  const files: (FilePiece & { rank: number })[] = [];
  let summary: SearchAllSummary | null = null;
  for await (const { data } of events) {
    summary = data.summary;
    for (const file of data.repository?.files ?? []) {
      const { commit, repository } = data.repository!;
      const path = `${repository}@${commit} ${showPathOnLine(file.path)}`;
      files.push({ key: path, path, text: writeFoundLines(file.lines), rank: file.rank });
    }
  }
  if (!summary) throw new Error('The search ended without a summary.');
  const { leftOut, matching, matchingLines, searched } = summary;
  files.sort((one, other) => one.rank - other.rank || (one.key < other.key ? -1 : 1));
  const texts = files.flatMap((piece) => [piece.path, piece.text]);
  const fences = createFences([...texts, leftOut.join(' ')]);
  const warning = sessionWarning(given);
  return pagedReply(opened, {
    output: undefined,
    pieces: files,
    pin: 'all',
    render(parts, end) {
      const text = parts.map(writeFile).join('\n\n');
      return [
        `${matchingLines} matching ${matchingLines === 1 ? 'line' : 'lines'} in ${matching} of ${searched} repositories.`,
        ...(warning ? [`warning: ${warning}`] : []),
        ...pageLines(end, moreSentence(end, leftOutSentence(leftOut))),
        ...(text === '' && leftOut.length === 0 ? [] : [fences.notice]),
        ...(text === '' ? [] : [fences.around('code', text)]),
        ...leftOutLines(fences, leftOut),
      ].join('\n');
    },
  });
}

/** A file that continues from the previous page is named again. */
function writeFile({ piece, text }: Part<FilePiece>): string {
  return `${piece.path}\n${text.replace(/\n$/, '')}`;
}
