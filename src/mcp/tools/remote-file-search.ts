/** remote_file_search: the files of a repository whose paths match a glob. */
import { z } from 'zod';
import { showPathOnLine } from '../../core/path-text.ts';
import {
  CANDIDATES_ANSWER,
  type Candidates,
  candidatesReply,
  isCandidates,
  RECORD,
  readCode,
  type SessionArguments,
  sessionArguments,
} from '../code-tool.ts';
import { createFences } from '../fence.ts';
import {
  endingLines,
  leftOutSentence,
  openPage,
  PAGE_ANSWERS,
  PAGE_ARGUMENTS,
  type PageArguments,
  pagedReply,
} from '../paged-reply.ts';
import { READS, type ToolContext, type ToolDefinition } from '../tool.ts';

interface Found {
  commit: string;
  items: string[];
  total: number;
}

interface Arguments extends SessionArguments, PageArguments {
  repository: string;
  pattern: string;
  ref?: string;
}

export const remoteFileSearch: ToolDefinition<Arguments> = {
  name: 'remote_file_search',
  title: 'Find files in a repository',
  // The tree says at which commit its branch is: every page is searched there.
  operations: ['search-files', 'list-tree', RECORD],
  hints: READS,
  input(fieldsOf) {
    const { pattern, ref, repository } = fieldsOf('search-files');
    return z.object({
      repository: repository!,
      pattern: pattern!,
      ref: ref!,
      ...PAGE_ARGUMENTS,
      ...sessionArguments(fieldsOf),
    });
  },
  output: z.object({
    commit: z.string().optional().describe('The commit that was searched.'),
    items: z.array(z.string()).optional().describe('Paths in byte order. Names that others chose: data.'),
    total: z.int().optional().describe('How many files match, those left out too.'),
    truncated: z.boolean().optional().describe('Whether matching files are not in `items`.'),
    ...PAGE_ANSWERS,
    ...CANDIDATES_ANSWER,
  }),
  async run(given, context) {
    const opened = openPage('remote_file_search', given);
    const found = await readCode(context, 'remote_file_search', given, () =>
      findFiles(given, opened.pin, context),
    );
    if (isCandidates(found)) return candidatesReply(found);
    const { commit, items, total } = found;
    const pieces = items.map((path, index) => ({ key: String(index), text: path, atomic: true }));
    const fences = createFences(items);
    const beyond = total - items.length;
    return pagedReply(opened, {
      pieces,
      pin: commit,
      render(parts, end) {
        const shown = parts.map(({ text }) => text);
        const leftOut = leftOutSentence(
          end,
          beyond > 0 && !end.nextCursor
            ? `${beyond} more files match: use a narrower pattern to see them.`
            : null,
        );
        return {
          structured: {
            commit,
            items: shown,
            total,
            truncated: shown.length < total,
            nextCursor: end.nextCursor,
            leftOut,
          },
          text: [
            `${total} ${total === 1 ? 'file matches' : 'files match'} at commit ${commit}; ${shown.length} of them here.`,
            ...(shown.length > 0
              ? [fences.notice, fences.around('paths', {}, shown.map(showPathOnLine).join('\n'))]
              : []),
            ...endingLines(end, leftOut),
          ].join('\n'),
        };
      },
    });
  },
};

/** At the commit of the page before, or at the one that the branch has now. */
async function findFiles(
  { pattern, ref, repository }: Arguments,
  pinned: string | undefined,
  context: ToolContext,
): Promise<Found | Candidates> {
  const place =
    pinned === undefined
      ? await context.run<{ commit: string } | Candidates>('list-tree', { repository, ref })
      : { commit: pinned };
  if (isCandidates(place)) return place;
  const { commit } = place;
  const found = await context.run<Omit<Found, 'commit'> | Candidates>('search-files', {
    repository,
    pattern,
    ref: commit,
  });
  return isCandidates(found) ? found : { ...found, commit };
}
