/** POST /api/v2/commit-statuses: says what CI or another tool found about a commit, in repositories without a code host. */
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { maskTexts } from '../../../engines/review/index.ts';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { findNamedRepository, findOrAsk, unknownRef } from '../../repositories/index.ts';
import {
  type CommitOfRepository,
  lockStatusesOf,
  type NewStatus,
  presentStatus,
  SetCommitStatus,
  SetCommitStatusInput,
  STATUS_LIMITS,
  selectKeyName,
  selectPullRequestsOfHead,
  selectStatuses,
  upsertStatuses,
} from '../../statuses/index.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import { selectHostOf } from '../plain-git/plain-git-store.ts';
import { isSameStatus, recordStatuses } from './record-statuses.ts';

export const setCommitStatus = defineOperation({
  name: 'set-commit-status',
  group: 'Pull requests',
  summary: 'Set a status of a commit',
  description:
    'The last one of a name counts. Only for repositories that aren’t connected to a code host. An agent’s sign-in can’t replace what a key or a person set.',
  http: { method: 'POST', path: '/api/v2/commit-statuses', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'member',
  input: SetCommitStatusInput,
  output: SetCommitStatus,
  problems: ['not_found', 'ambiguous_repository', 'ref_not_found', 'conflict', 'repository_not_ready'],
  async run(context, input) {
    const { actor, clock, db } = context;
    const url = readUrl(input.url);
    const repository = await findNamedRepository(context, input.repository);
    await requirePlainGit(db, repository);
    await requireCommit(context, repository, input.commit);
    const [name, description, maskedUrl] = await maskTexts([input.name, input.description ?? '', url ?? '']);
    const status: NewStatus = {
      name: name!,
      state: input.state,
      description: description!,
      url: maskedUrl || null,
      setWith: actor.kind,
      userId: actor.userId,
      keyName: actor.kind === 'key' ? await selectKeyName(db, actor.credentialId) : null,
      accountLogin: null,
      at: clock.now(),
    };
    const place = {
      organizationId: actor.organizationId,
      repositoryId: repository.id,
      commit: input.commit,
    };
    return inTransaction(db, async (transaction) => {
      await lockStatusesOf(transaction, place);
      await write({ ...context, db: transaction }, place, status);
      const rows = await selectStatuses(transaction, place.repositoryId, place.commit);
      return {
        repository: { id: repository.id, name: repository.name },
        commit: place.commit,
        status: presentStatus(rows.find((row) => row.name === status.name)!),
        pullRequests: (await selectPullRequestsOfHead(transaction, place)).length,
      };
    });
  },
});

/** The same status again changes nothing, so that a request can be retried. */
async function write(context: Context, place: CommitOfRepository, status: NewStatus): Promise<void> {
  const { actor, clock, db } = context;
  const rows = await selectStatuses(db, place.repositoryId, place.commit);
  const before = rows.find(({ name }) => name === status.name);
  if (before && isSameStatus(before, status)) return;
  if (before && status.setWith === 'oauth' && before.set_with !== 'oauth')
    throw new Problem(
      'conflict',
      `The status ${status.name} was set with ${before.set_with === 'key' ? 'an API key' : 'a session'}, and an agent's sign-in can't replace it: use another name.`,
    );
  if (!before && rows.length >= STATUS_LIMITS.maxNames)
    throw new Problem(
      'conflict',
      `The commit has ${STATUS_LIMITS.maxNames} statuses already: set one of these again, or use fewer names.`,
    );
  await upsertStatuses(db, place, [status]);
  const source = { ...actor, organizationId: place.organizationId };
  const services = {
    db,
    announce: (topic: string) => context.afterCommit(() => context.feed.announce(topic)),
  };
  for (const id of await selectPullRequestsOfHead(db, place))
    await withPullRequestAs(services, source, id, clock.now(), async (change) => {
      recordStatuses(change, place.commit, [status]);
    });
}

function readUrl(given: string | undefined): string | null {
  if (given === undefined) return null;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw invalidRequest([{ path: 'url', message: 'must be an http or https URL without credentials' }]);
  return url.href;
}

async function requirePlainGit(db: Db, repository: { id: string; name: string }): Promise<void> {
  const host = await selectHostOf(db, repository.id);
  if (host)
    throw new Problem(
      'conflict',
      `${repository.name} is connected to ${host.url}: statuses are set there, and are not shown here.`,
    );
}

async function requireCommit(
  context: Context,
  repository: { id: string; name: string },
  commit: string,
): Promise<void> {
  const { code, db } = context;
  const call = callOf(context);
  const look = async () => {
    const found = await code.findCommit(repository.id, commit, call);
    return found.kind === 'found' && found.commit === commit ? commit : undefined;
  };
  const outcome = await findOrAsk({ call, code }, repository.id, { isPushed: true, commit }, look);
  if ('answer' in outcome)
    throw await unknownRef(db, repository, { name: commit, kinds: ['branch', 'tag'] }, outcome.answer);
}
