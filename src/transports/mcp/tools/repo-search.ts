/** repo_search: which repositories have to do with some keywords, with the places in the code that show it. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { showPathOnLine } from '../../../platform/core/text/path-text.ts';
import { RECORD, readCode, sessionArguments, sessionWarning } from '../code-tool.ts';
import type { Part, Piece } from '../text/budget.ts';
import { createFences } from '../text/fence.ts';
import { moreSentence, openPage, PAGE_ARGUMENTS, pagedReply, pageLines } from '../text/paged-reply.ts';
import { visible } from '../text/visible-text.ts';
import { defineTool, READS } from '../tool.ts';

const OPERATION = 'search-architecture';
const MAX_PLACES_SHOWN = 3;

interface SummaryPiece extends Piece {
  title: string;
}

export const repoSearch = defineTool({
  name: 'repo_search',
  title: 'Find repositories',
  description: {
    does: 'Find which repositories have to do with some keywords, by what they are and do, and by names and words of their code: functions, routes, tables, options, error texts, documentation.',
    use: 'first, when you don’t know which repositories a change concerns. Send several: nouns of the domain, names of tables, routes, events or packages. More matches rank higher.',
    returns:
      'text, best match first: repository, domain and described commit, then sentences, each with the `path:line` that show it.',
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
  output: undefined,
  async run(given, context) {
    const { domains, keywords } = given;
    const opened = openPage('repo_search', given);
    const { knownDomains, summaries, unknownDomains } = await readCode(context, 'repo_search', given, () =>
      context.run(OPERATION, { keywords, domains }),
    );
    const pieces: SummaryPiece[] = summaries.map(({ commit, domain, repoName, sentences }) => ({
      key: `${repoName} ${domain}`,
      title: `${repoName} · ${domain} @ ${commit.slice(0, 12)}`,
      text: sentences.map(writeSentence).join('\n'),
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
      output: undefined,
      pieces,
      pin,
      render(parts, end) {
        const text = parts.map(writeSummary).join('\n\n');
        return [
          pieces.length === 0
            ? 'Nothing matches, neither summaries nor words of the code. Try other words, or fewer domains.'
            : `${pieces.length} ${pieces.length === 1 ? 'summary' : 'summaries'} of ${repositories} ${repositories === 1 ? 'repository' : 'repositories'}.`,
          ...(warning ? [`warning: ${warning}`] : []),
          ...pageLines(end, moreSentence(end)),
          ...(text === '' ? [] : [fences.notice, fences.around('summaries', text)]),
        ].join('\n');
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
