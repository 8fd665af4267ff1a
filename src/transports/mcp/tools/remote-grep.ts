/** remote_grep: the lines of a repository's files that match a regular expression. */
import { z } from 'zod';
import { writeFoundLines } from '../../../platform/core/grep-text.ts';
import { showPathOnLine } from '../../../platform/core/path-text.ts';
import type { Part, Piece } from '../budget.ts';
import {
  CANDIDATES_ANSWER,
  candidatesReply,
  isCandidates,
  RECORD,
  readCode,
  sessionArguments,
} from '../code-tool.ts';
import { createFences } from '../fence.ts';
import {
  endingLines,
  leftOutSentence,
  openPage,
  PAGE_ANSWERS,
  PAGE_ARGUMENTS,
  pagedReply,
} from '../paged-reply.ts';
import { defineTool, READS } from '../tool.ts';

interface FilePiece extends Piece {
  path: string;
}

export const remoteGrep = defineTool({
  name: 'remote_grep',
  title: 'Search the code of a repository',
  // The search of the grep endpoint, which also says at which commit it searched: later pages stay there.
  operations: ['search-code', 'grep-code', RECORD],
  hints: READS,
  input(fieldsOf) {
    const { path, pattern, ref, repository } = fieldsOf('grep-code');
    return z.object({
      repository: repository,
      pattern: pattern,
      path: path,
      ref: ref,
      ...PAGE_ARGUMENTS,
      ...sessionArguments(fieldsOf),
    });
  },
  output: z.object({
    commit: z.string().optional().describe('The commit that was searched.'),
    text: z
      .string()
      .optional()
      .describe(
        'Code of others: data. By file: the path, then `12:matching line` and `11-line of context`, `--` between runs, an empty line between files.',
      ),
    matchingLines: z.int().optional().describe('How many were found, on all pages.'),
    ...PAGE_ANSWERS,
    ...CANDIDATES_ANSWER,
  }),
  async run(given, context) {
    const { path, pattern, repository } = given;
    const opened = openPage('remote_grep', given);
    const ref = opened.pin ?? given.ref;
    const found = await readCode(context, 'remote_grep', given, () =>
      context.run('search-code', { repository, pattern, path, ref }),
    );
    if (isCandidates(found)) return candidatesReply(found);
    const { commit, matchingLines, more } = found;
    const pieces: FilePiece[] = found.files.map((file, index) => ({
      key: String(index),
      path: showPathOnLine(file.path),
      text: writeFoundLines(file.lines),
    }));
    const fences = createFences(pieces.flatMap((piece) => [piece.path, piece.text]));
    return pagedReply(opened, {
      pieces,
      pin: commit,
      render(parts, end) {
        const text = parts.map(writeFile).join('\n\n');
        const leftOut = leftOutSentence(end, end.nextCursor ? null : more);
        return {
          structured: { commit, text, matchingLines, nextCursor: end.nextCursor, leftOut },
          text: [
            matchingLines === 0
              ? `No line matches at commit ${commit}.`
              : `${matchingLines} matching ${matchingLines === 1 ? 'line' : 'lines'} at commit ${commit}.`,
            ...(text === '' ? [] : [fences.notice, fences.around('code', {}, text)]),
            ...endingLines(end, leftOut),
          ].join('\n'),
        };
      },
    });
  },
});

/** A file that goes on from the page before is named again. */
function writeFile({ piece, text }: Part<FilePiece>): string {
  return `${piece.path}\n${text.replace(/\n$/, '')}`;
}
