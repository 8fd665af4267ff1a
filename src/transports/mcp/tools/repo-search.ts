/** repo_search: which repositories have to do with some keywords, with the places in the code that show it. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { showPathOnLine } from '../../../platform/core/text/path-text.ts';
import { RECORD, readCode, sessionArguments, sessionWarning } from '../code-tool.ts';
import type { Part, Piece } from '../text/budget.ts';
import { createFences } from '../text/fence.ts';
import { ours } from '../text/marking.ts';
import {
  moreSentence,
  openPage,
  PAGE_ARGUMENTS,
  PAGE_OUTPUT,
  pagedReply,
  pageLines,
} from '../text/paged-reply.ts';
import { visible } from '../text/visible-text.ts';
import { defineTool, READS, WithText } from '../tool.ts';

const OPERATION = 'search-architecture';
const MAX_PLACES_SHOWN = 3;

interface SummaryPiece extends Piece {
  title: string;
  of: { repoId: string; repoName: string; domain: string };
}

const OUTPUT = z.object({
  summaries: z.array(
    z.object({
      repoId: ours('id'),
      repoName: z.string(),
      domain: ours('word'),
      summary: z.string().describe('A sentence on each line, with the `path:line` that show it.'),
    }),
  ),
  warning: z.string().optional(),
  ...PAGE_OUTPUT,
});

export const repoSearch = defineTool({
  name: 'repo_search',
  title: 'Find repositories',
  description: {
    does: 'Find which repositories have to do with some keywords, by what they are and do, and by names and words of their code: functions, routes, tables, options, error texts, documentation.',
    use: 'first, when you don’t know which repositories a change concerns. Send several: nouns of the domain, names of tables, routes, events or packages. More matches rank higher.',
    returns:
      'summaries, best match first: repository, domain, and sentences, each with the `path:line` that show it. The last one names what was found in the code.',
    next: '`remote_read_file` at a place, or `remote_grep` in the repository.',
  },
  operations: [OPERATION, 'search-summaries', RECORD],
  hints: READS,
  input(fieldsOf) {
    const { domains, keywords } = fieldsOf('search-summaries');
    return z.object({
      keywords: keywords.describe('Words, their beginnings, and parts of names such as `userId` match.'),
      domains,
      ...PAGE_ARGUMENTS,
      ...sessionArguments(fieldsOf),
    });
  },
  output: OUTPUT,
  async run(given, context) {
    const { domains, keywords } = given;
    const opened = openPage('repo_search', given);
    const { knownDomains, summaries, unknownDomains } = await readCode(context, 'repo_search', given, () =>
      context.run(OPERATION, { keywords, domains }),
    );
    const pieces: SummaryPiece[] = summaries.map(({ commit, domain, repoId, repoName, sentences }) => ({
      key: `${repoName} ${domain}`,
      title: `${repoName} · ${domain} @ ${commit.slice(0, 12)}`,
      text: sentences.map(writeSentence).join('\n'),
      of: { repoId, repoName, domain },
    }));
    const pin = fingerprintOf(pieces);
    if (opened.pin !== undefined && opened.pin !== pin) {
      throw invalidRequest([
        { path: 'cursor', message: 'is for results that have changed; call again without `cursor`' },
      ]);
    }
    const repositories = new Set(summaries.map(({ repoName }) => repoName)).size;
    const fences = createFences(pieces.flatMap(({ text, title }) => [title, text]));
    const warning = [domainWarning(unknownDomains, knownDomains), sessionWarning(given)]
      .filter((each) => each)
      .join(' ');
    return pagedReply(opened, {
      output: OUTPUT,
      pieces,
      pin,
      render(parts, end) {
        const more = moreSentence(end);
        const written = parts.map(writeSummary).join('\n\n');
        const text = [
          pieces.length === 0
            ? 'Nothing matches, neither summaries nor words of the code. Try other words, or fewer domains.'
            : `${pieces.length} ${pieces.length === 1 ? 'summary' : 'summaries'} of ${repositories} ${repositories === 1 ? 'repository' : 'repositories'}.`,
          ...(warning ? [`warning: ${warning}`] : []),
          ...pageLines(end, more),
          ...(written === '' ? [] : [fences.notice, fences.around('summaries', written)]),
        ].join('\n');
        const value = {
          summaries: parts.map(({ piece, text: part }) => ({ ...piece.of, summary: part })),
          ...(warning && { warning }),
          ...(more && { more }),
          ...(end.nextCursor && { nextCursor: end.nextCursor }),
        };
        return new WithText(value, text);
      },
    });
  },
});

function domainWarning(unknown: readonly string[], known: readonly string[]): string {
  if (unknown.length === 0) return '';
  const named = unknown.map((domain) => JSON.stringify(visible(domain))).join(', ');
  return `unknown ${unknown.length === 1 ? 'domain' : 'domains'} ${named}. Known domains: ${known.join(', ')}.`;
}

function writeSentence({
  evidence,
  text,
}: {
  text: string;
  evidence: { path: string; line: number }[];
}): string {
  const places = evidence
    .slice(0, MAX_PLACES_SHOWN)
    .map(({ line, path }) => `${showPathOnLine(path)}:${line}`);
  return `- ${text} [${places.join(', ')}]`;
}

/** A summary that continues from the previous page is named again. */
function writeSummary({ piece, text }: Part<SummaryPiece>): string {
  return `${piece.title}\n${text}`;
}

function fingerprintOf(pieces: SummaryPiece[]): string {
  return createHash('sha256')
    .update(JSON.stringify(pieces.map(({ text, title }) => [title, text])))
    .digest('hex')
    .slice(0, 16);
}
