/** Searches the lines of a commit's files, for the grep endpoint and the web app's search. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { invalidRequest, Problem } from '../../platform/core/errors/errors.ts';
import type { CodeQuery, FoundCode } from '../../platform/core/ports/code-reader.ts';
import { acceptPath } from './accept-path.ts';
import { acceptSearch, badQuery } from './accept-query.ts';
import { MAX_GREP_BYTES, MAX_MATCHING_LINES, type SearchCodeInput } from './contract.ts';
import { noPath } from './no-path.ts';
import { openCommit } from './open-commit.ts';
import { createDefinitions } from './rank-definitions.ts';

type FindCodeInput = z.output<typeof SearchCodeInput>;

export async function findCode(
  context: Context,
  { countAll, linesPerFile, order = 'path', skipFiles, skipLines, ...input }: FindCodeInput,
  { withRanges }: { withRanges: boolean },
): Promise<{ candidates: string[] } | (FoundCode & { commit: string; definitionsFirst: boolean })> {
  const path = acceptPath(input.path ?? '');
  const { branch, excludedGlobs, globs, names, pattern, repositories } = acceptSearch(input);
  if (repositories.wanted.length + repositories.unwanted.length > 0)
    throw badQuery('has repo:, but this searches one repository. Search all repositories instead');
  if (branch !== undefined && input.ref)
    throw badQuery('has branch: beside another branch, tag or commit that was chosen');
  const ref = branch === undefined ? input.ref : `refs/heads/${branch}`;
  const opened = await openCommit(context, { repository: input.repository, ref });
  if ('candidates' in opened) return opened;
  const limits = { maxLines: MAX_MATCHING_LINES, maxBytes: MAX_GREP_BYTES };
  const place = { id: opened.repository.id, commit: opened.commit };
  const isWanted = order !== 'path' && input.definitionsFirst !== false;
  const isAgain = input.definitionsFirst === true;
  const definitions = isWanted ? await createDefinitions(context, names, { isAgain })(place) : [];
  if (definitions === null && isAgain)
    throw new Problem('unavailable', 'The order of the results is not known again yet. Try again.', {
      retryAfterSeconds: 5,
    });
  const query: Omit<CodeQuery, 'commit'> = {
    ...{ pattern, path, order, globs, excludedGlobs, withRanges, definitions: definitions ?? [] },
    ...{ linesPerFile, skipFiles, skipLines, countAll },
    ...limits,
  };
  const outcome = await opened.read('searchCode', query);
  if (outcome.kind === 'bad_pattern')
    throw badPattern(outcome.message, input.query === undefined ? 'pattern' : 'query');
  if (outcome.kind === 'no_path') {
    throw await noPath(opened, path, 'any');
  }
  return { ...outcome, commit: opened.commit, definitionsFirst: isWanted && definitions !== null };
}

export function badPattern(message: string, path = 'pattern'): Problem {
  return invalidRequest([{ path, message: `is not a valid regular expression: ${explainPattern(message)}` }]);
}

/** ripgrep's message suggests command-line options that callers don't have. */
function explainPattern(message: string): string {
  return /look-around|backreferences/.test(message)
    ? 'look-around and backreferences are not supported; search for a simpler pattern and filter the matches'
    : message;
}
