/** POST /api/v2/plans/:seriesId/pull-requests (endpoint 12): links a pull request; a pending plan becomes implemented. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import { matchRepositories, type Reader, selectRepositoriesById } from '../../repositories/index.ts';
import { EXAMPLE_IDS, EXAMPLE_PLAN } from '../contract/examples.ts';
import { LinkPullRequestInput, Plan } from '../contract.ts';
import { presentRepository } from '../reading/present-plan.ts';
import { findPlan } from '../reading/read-plan.ts';
import { type PlanRepositoryRow, selectVersionRepositories } from '../store/plan-repository-store.ts';
import type { PlanRow } from '../store/plan-store.ts';
import { insertPullRequestLink } from '../store/pull-request-store.ts';
import { changeAndReadPlan } from './change-plan.ts';
import { requirePullRequest } from './require-pull-request.ts';

export const linkPullRequest = defineOperation({
  name: 'link-pull-request',
  group: 'Plans',
  summary: 'Link a pull request to a plan',
  description:
    'A pending plan becomes implemented; an approved or closed plan keeps its status. Linking the same pull request again has no effect. If no repository is given and the plan has exactly one, that one is used. A number that a repository known here does not have is refused with near ones; its code host is asked first.',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/pull-requests', status: 200 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'member',
  idempotent: true,
  input: LinkPullRequestInput,
  output: Plan,
  problems: ['not_found'],
  example: {
    request: { seriesId: EXAMPLE_IDS.series, prNumber: 128, repoName: 'acme/api' },
    reply: {
      ...EXAMPLE_PLAN,
      status: 'implemented',
      pullRequests: [
        {
          repoId: EXAMPLE_IDS.repository,
          repoName: 'acme/api',
          prNumber: 128,
          pullRequestId: EXAMPLE_IDS.pullRequest,
          title: 'Limit the rate of sign-ins',
          state: 'open',
          url: 'https://github.com/acme/api/pull/128',
          linkedAt: '2026-02-01T09:30:00.000Z',
        },
      ],
    },
  },
  // Before any lock is taken, because a code host may be asked.
  async prepare(context, input) {
    const plan = await findPlan(context, input.seriesId);
    const { id } = await repositoryOf(context.db, context.actor, plan, input);
    if (id !== null) await requirePullRequest(context, id, input.prNumber);
  },
  async run(context, input) {
    const { prNumber, seriesId } = input;
    return changeAndReadPlan(context, seriesId, async (change) => {
      const { at, db, plan } = change;
      const repository = await repositoryOf(db, context.actor, plan, input);
      const linked = await insertPullRequestLink(db, {
        id: uuidv7(),
        planId: plan.id,
        organizationId: plan.organization_id,
        repositoryId: repository.id,
        repositoryName: repository.name,
        number: prNumber,
        userId: context.actor.userId,
        at,
      });
      if (linked) {
        change.record('pull_request_linked', { prNumber, repoId: repository.id, repoName: repository.name });
        change.set({ updated_at: at });
      }
      change.act('link-pull-request', 'pull_request_linked');
    });
  },
});

async function repositoryOf(
  db: Db,
  reader: Reader,
  plan: PlanRow,
  { repoId, repoName }: { repoId?: string; repoName?: string },
): Promise<{ id: string | null; name: string | null }> {
  if (repoId !== undefined) {
    const [known] = await selectRepositoriesById(db, reader, [repoId]);
    if (!known)
      throw invalidRequest([{ path: 'repoId', message: 'is not a repository in your organization' }]);
    return known;
  }
  const own = await selectVersionRepositories(db, reader, plan.version_id!);
  if (repoName === undefined) return own.length === 1 ? linkedTo(own[0]!) : { id: null, name: null };
  const plain = plainNameOf(repoName);
  const [only, ...others] = (await matchRepositories(db, reader, [plain])).get(plain)!;
  if (only && others.length === 0) return only;
  // Use the name as the plan spells it, so that `api` and `acme/api` are the same repository. The names compared are those that the
  // caller can read: a guessed name must not find a repository that they can't see.
  const wanted = plain.toLowerCase();
  const same = own.filter((row) => {
    const folded = presentRepository(row).repoName.toLowerCase();
    return folded === wanted || folded.endsWith(`/${wanted}`);
  });
  return same.length === 1 ? linkedTo(same[0]!) : { id: null, name: repoName };
}

/** As repositories are named here: agents also give the end of an address. */
function plainNameOf(name: string): string {
  return name
    .trim()
    .replaceAll(/\/{2,}/g, '/')
    .replace(/^\//, '')
    .replace(/(\.git)?\/?$/i, '');
}

/** Without the name of a removed repository that not everyone could see: the event of the link would reveal it. */
function linkedTo(row: PlanRepositoryRow): { id: string | null; name: string | null } {
  return { id: row.repository_id, name: row.was_private ? null : row.name };
}
