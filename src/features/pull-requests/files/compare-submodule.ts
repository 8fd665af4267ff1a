/** GET /api/v2/pull-requests/:pullRequestId/files/submodule: the commits that a submodule moved by, where its repository is known here. */
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { maskText, maskValue } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { selectRepositoriesAt, selectRepository } from '../../repositories/index.ts';
import { CompareSubmoduleInput, LIMITS, SubmoduleComparison } from '../contract.ts';
import { type OpenRange, openRange } from './open-range.ts';
import { addressKey, lastPart, resolveAddress, submoduleAddress } from './submodule-address.ts';

const MAX_GITMODULES_LINES = 5000;
const COMMIT = /^[-+]Subproject commit ([0-9a-f]{40,64})$/;

export const compareSubmodule = defineOperation({
  name: 'compare-submodule',
  group: 'Pull requests',
  summary: 'Compare the two commits of a submodule',
  description:
    'With the commits between them, if a repository with the address of the submodule was added and you can see it.',
  http: { method: 'GET', path: '/api/v2/pull-requests/:pullRequestId/files/submodule', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: CompareSubmoduleInput,
  output: SubmoduleComparison,
  problems: ['not_found', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const { path } = input;
    const range = await openRange(context, input);
    const diff = await range.compare('fileDiff', { path, context: 0, ignoreWhitespace: false });
    if (diff.kind !== 'submodule')
      throw new Problem('not_found', `${path} is no submodule at these commits.`);
    const lines = diff.hunks.flatMap((hunk) => hunk.lines);
    const commitOf = (sign: string) =>
      lines.map((line) => (line.startsWith(sign) ? COMMIT.exec(line)?.[1] : undefined)).find(Boolean) ?? null;
    const [oldCommit, newCommit] = [commitOf('-'), commitOf('+')];
    const address = await readAddress(context, range, path, newCommit === null ? range.from : range.to);
    const repository = address === undefined ? undefined : await findRepository(context, address);
    const between =
      repository && oldCommit !== null && newCommit !== null
        ? await readBetween(context, repository.id, oldCommit, newCommit)
        : null;
    return {
      ...{ path, oldCommit, newCommit, repository: repository ?? null },
      address: address === undefined ? null : await maskText(address),
      between,
    };
  },
});

async function readAddress(
  context: Context,
  { pullRequest }: OpenRange,
  path: string,
  commit: string,
): Promise<string | undefined> {
  const own = await selectRepository(context.db, context.actor, pullRequest.repository_id);
  const lines = { startLine: 1, endLine: MAX_GITMODULES_LINES, maxLines: MAX_GITMODULES_LINES };
  const file = await context.code.read(
    'readFile',
    pullRequest.repository_id,
    { commit, path: '.gitmodules', ...lines },
    callOf(context),
  );
  const address = file.kind === 'text' ? submoduleAddress(file.text, path) : undefined;
  return address === undefined ? undefined : resolveAddress(address, own?.url ?? null);
}

/** Among those that the caller sees. */
async function findRepository({ actor, db }: Context, address: string) {
  const key = addressKey(address);
  if (key === undefined) return undefined;
  const near = await selectRepositoriesAt(db, actor, lastPart(key));
  const found = near.find(({ url }) => url !== null && addressKey(url) === key);
  return found && { id: found.id, name: found.name };
}

/** Null if one of the commits isn't there. */
async function readBetween(context: Context, repositoryId: string, from: string, to: string) {
  const { code } = context;
  const call = callOf(context);
  const found = await Promise.all([from, to].map((commit) => code.findCommit(repositoryId, commit, call)));
  if (found.some(({ kind }) => kind !== 'found')) return null;
  const [added, removed] = await Promise.all([
    code.compare('listCommits', repositoryId, { from, to, limit: LIMITS.maxSubmoduleCommits }, call),
    code.compare('listCommits', repositoryId, { from: to, to: from, limit: 1 }, call),
  ]);
  const commits = await maskValue(
    added.commits.map(({ authorName, authoredAt, commit, subject }) => ({
      ...{ commit, authorName, subject, authoredAt: new Date(authoredAt).toISOString() },
    })),
  );
  return { commits, total: added.total, removed: removed.total };
}
