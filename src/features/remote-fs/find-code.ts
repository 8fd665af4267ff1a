/** Searches the lines of a commit's files, for the grep endpoint and the web app's search. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { invalidRequest, type Problem } from '../../platform/core/errors/errors.ts';
import type { FoundCode } from '../../platform/core/ports/code-reader.ts';
import { acceptPath } from './accept-path.ts';
import { MAX_GREP_BYTES, MAX_MATCHING_LINES, type SearchCodeInput } from './contract.ts';
import { noPath } from './no-path.ts';
import { openCommit } from './open-commit.ts';
import { createDefinitions } from './rank-definitions.ts';

type FindCodeInput = z.output<typeof SearchCodeInput>;

export async function findCode(
  context: Context,
  { order = 'path', pattern, ...input }: FindCodeInput,
  { withRanges }: { withRanges: boolean },
): Promise<{ candidates: string[] } | (FoundCode & { commit: string })> {
  const path = acceptPath(input.path ?? '');
  const opened = await openCommit(context, input);
  if ('candidates' in opened) return opened;
  const limits = { maxLines: MAX_MATCHING_LINES, maxBytes: MAX_GREP_BYTES };
  const place = { id: opened.repository.id, commit: opened.commit };
  const definitions = order === 'path' ? [] : await createDefinitions(context, pattern)(place);
  const query = { ...{ pattern, path, order, definitions, withRanges }, ...limits };
  const outcome = await opened.read('searchCode', query);
  if (outcome.kind === 'bad_pattern') throw badPattern(outcome.message);
  if (outcome.kind === 'no_path') {
    throw await noPath(opened, path, 'any');
  }
  return { ...outcome, commit: opened.commit };
}

export function badPattern(message: string): Problem {
  return invalidRequest([
    { path: 'pattern', message: `is not a valid regular expression: ${explainPattern(message)}` },
  ]);
}

/** ripgrep's message suggests command-line options that callers don't have. */
function explainPattern(message: string): string {
  return /look-around|backreferences/.test(message)
    ? 'look-around and backreferences are not supported; search for a simpler pattern and filter the matches'
    : message;
}
