/** POST /api/v2/pull-requests/:pullRequestId/apply-suggestions: commits suggestions to the head branch, all in one commit or none. */
import type { z } from 'zod';
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeChange, PushOutcome } from '../../../platform/core/ports/code-writer.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import {
  deleteSuggestionCommit,
  type FoundPullRequest,
  findPullRequest,
  insertSuggestionCommit,
  isBeingMerged,
  markSuggestionsApplied,
  withPullRequest,
} from '../../pull-requests/index.ts';
import { askForRefresh } from '../../repositories/index.ts';
import { AppliedSuggestions, ApplySuggestionsInput } from '../contract.ts';
import { editFiles } from './edit-files.ts';
import { findSuggestions } from './find-suggestions.ts';
import { selectCommitPeople } from './suggestion-store.ts';
import { suggestionsBlockedBecause } from './suggestions-blocked.ts';

/** Pushing, and asking whether the branch moved. */
const MAX_MS = 3 * 60_000;

export const applySuggestions = defineOperation({
  name: 'apply-suggestions',
  group: 'Reviews',
  summary: 'Apply suggestions',
  description:
    'Makes one commit on the head branch: its author is the caller, and who suggested are its co-authors, so none of them can approve it. Applies all or none, and only while the lines are what was commented on. On a code host, suggestions are applied there.',
  http: { method: 'POST', path: '/api/v2/pull-requests/:pullRequestId/apply-suggestions', status: 201 },
  accepts: ['session'],
  role: 'member',
  input: ApplySuggestionsInput,
  output: AppliedSuggestions,
  problems: ['not_found', 'conflict', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const pullRequest = await findPullRequest(context, input.pullRequestId);
    const blocked = await suggestionsBlockedBecause(context, pullRequest);
    if (blocked !== null) throw new Problem('conflict', blocked);
    refuseOtherHead(pullRequest, input.expectedHead);
    const { paths, ...prepared } = await prepare(context, pullRequest, input);
    return { commit: await push(context, pullRequest, prepared), files: paths };
  },
});

type Files = Extract<CodeChange, { kind: 'files' }>;
interface Prepared {
  change: Files;
  author: { name: string; email: string };
  suggestions: { commentId: string; index: number }[];
  suggesterIds: string[];
}

async function prepare(
  context: Context,
  pullRequest: FoundPullRequest,
  { expectedHead: on, message, suggestions }: z.output<typeof ApplySuggestionsInput>,
): Promise<Prepared & { paths: string[] }> {
  const { actor, db } = context;
  const chosen = await findSuggestions(db, pullRequest, suggestions);
  const files = await editFiles(context, pullRequest.repository_id, on, chosen);
  const suggesters = [...new Set(chosen.flatMap(({ comment }) => comment.author_id ?? []))];
  const people = await selectCommitPeople(db, actor.organizationId, [actor.userId, ...suggesters]);
  const coAuthors = suggesters.filter((id) => id !== actor.userId).flatMap((id) => people.get(id) ?? []);
  const written = withoutScissors(message ?? '').trim();
  const own = written ? await maskText(written) : defaultMessage(chosen.length);
  return {
    change: { kind: 'files', on, files, message: withTrailers(own, coAuthors) },
    author: people.get(actor.userId)!,
    suggestions: chosen.map(({ comment, index }) => ({ commentId: comment.id, index })),
    suggesterIds: suggesters,
    paths: files.map(({ path }) => path),
  };
}

/** The commit is recorded, then pushed with a lease on the head. The page follows when the branch is fetched. */
async function push(
  context: Context,
  pullRequest: FoundPullRequest,
  { author, change, suggesterIds, suggestions }: Prepared,
): Promise<string> {
  const { actor, clock, code, db, feed } = context;
  const { head_branch: branch, id: pullRequestId, repository_id: repositoryId } = pullRequest;
  const at = clock.now();
  const id = uuidv7();
  // A client that disconnects doesn't interrupt a push.
  const call = { ...callOf(context), signal: AbortSignal.timeout(MAX_MS) };
  const outcome = await code.writeBranch(
    repositoryId,
    {
      ...{ branch, expected: change.on, change, author, committer: author, at },
      async onMade({ commit }) {
        await withPullRequest(context, pullRequestId, async (locked) => {
          refuseOtherHead(locked.pullRequest, change.on);
          if (await isBeingMerged(locked.db, pullRequestId))
            throw new Problem('conflict', 'This pull request is being merged right now.');
          const made = { id, repositoryId, pullRequestId, branch, from: change.on, commit, at };
          const { organizationId, userId } = actor;
          const by = { organizationId, userId, suggesterIds };
          await insertSuggestionCommit(locked.db, { ...made, ...by, suggestions });
        });
        return true;
      },
    },
    call,
  );
  if (outcome.kind === 'unchanged')
    throw new Problem('conflict', 'The suggestions would change nothing: the code is like that already.');
  if (!('made' in outcome)) throw new Problem('conflict', 'The suggestions could not be applied.');
  if (outcome.kind !== 'pushed') {
    // If it is unknown, whoever fetches the commit finds whose it is.
    if (outcome.kind !== 'unknown') await deleteSuggestionCommit(db, id);
    throw pushProblem(outcome, branch);
  }
  await markSuggestionsApplied(db, id, clock.now());
  await askForRefresh(db, repositoryId);
  feed.announce(repositoryId);
  return outcome.made.commit;
}

function refuseOtherHead(
  { head_commit, state }: Pick<FoundPullRequest, 'head_commit' | 'state'>,
  expected: string,
): void {
  if (state !== 'open' && state !== 'draft')
    throw new Problem('conflict', 'Suggestions can only be applied while the pull request is open.');
  if (head_commit !== expected)
    throw new Problem('conflict', 'New commits were pushed. Look at them, then apply the suggestions again.');
}

function defaultMessage(count: number): string {
  return count === 1 ? 'Apply a suggestion from review' : `Apply ${count} suggestions from review`;
}

/** git reads no trailers after this line, and trailers say who can't approve the commit. */
function withoutScissors(message: string): string {
  const isScissors = (line: string) => line.includes(`${'-'.repeat(24)} >8 ${'-'.repeat(24)}`);
  return message
    .split('\n')
    .filter((line) => !isScissors(line))
    .join('\n');
}

function withTrailers(message: string, coAuthors: { name: string; email: string }[]): string {
  const trailers = coAuthors.map(
    ({ email, name }) => `Co-authored-by: ${name.replaceAll(/[\s<>]+/g, ' ').trim()} <${email}>`,
  );
  return trailers.length === 0 ? message : `${message}\n\n${trailers.join('\n')}`;
}

function pushProblem(outcome: Exclude<PushOutcome, { kind: 'pushed' }>, branch: string): Problem {
  switch (outcome.kind) {
    case 'lease_lost':
      return new Problem(
        'conflict',
        `${branch} moved meanwhile. Look at the new commits, then apply the suggestions again.`,
      );
    case 'rejected':
      return new Problem('conflict', `The server refused the push to ${branch}: ${outcome.message}`);
    case 'no_permission':
      return new Problem(
        'conflict',
        `The credential of the repository can’t push to ${branch}. An admin can set one that can, in the settings of the repository. The server said: ${outcome.message}`,
      );
    case 'unreachable':
      return new Problem('unavailable', `The repository could not be reached: ${outcome.message}`);
    case 'unknown':
      return new Problem(
        'unavailable',
        'The connection ended before the server answered. See whether the commit arrived before you try again.',
      );
  }
}
