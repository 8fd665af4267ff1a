/** GET /api/v2/repositories/:repositoryId/expected-reviewers: who would be asked to review a pull request between two branches, and why. */
import type { z } from 'zod';
import { type Context, callOf, defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import { findRepository } from '../../repositories/index.ts';
import { ExpectedReviewers, ListExpectedReviewersInput } from '../contract.ts';
import { selectHostKind } from '../ownership/owners-store.ts';
import { type OwnedByNames, resolveOwners } from '../ownership/select-owners.ts';
import { selectBranchCommits } from '../plain-git/plain-git-store.ts';
import { possibleReviewers, wantedReviewers } from './ask-reviewers.ts';
import { ownersOfChanges, readOwnersFile, storableOwners } from './read-owners.ts';
import { selectReviewSettings } from './review-settings-store.ts';

const UNKNOWN: z.input<typeof ExpectedReviewers> = {
  known: false,
  file: null,
  reviewers: [],
  problems: [],
  onlyCommit: null,
};

export const listExpectedReviewers = defineOperation({
  name: 'list-expected-reviewers',
  group: 'Pull requests',
  summary: 'List who would be asked to review a pull request',
  description:
    'Before it is opened: the people and teams that the repository always asks, and the code owners of what changes between the branches, and the commit if it is only one. You are never asked to review your own.',
  http: { method: 'GET', path: '/api/v2/repositories/:repositoryId/expected-reviewers', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ListExpectedReviewersInput,
  output: ExpectedReviewers,
  problems: ['not_found', 'repository_not_ready'],
  async run(context, { base, head, repositoryId }) {
    const { actor, db } = context;
    const repository = await findRepository(context, repositoryId);
    const branches = { head, base: base ?? repository.default_branch };
    const found = await ownersBetween(context, repositoryId, branches);
    if (!found) return UNKNOWN;
    const { file, onlyCommit, owned: stored, problems } = found;
    const place = {
      ...{ organization_id: actor.organizationId, repository_id: repositoryId },
      ...{ repository_name: repository.name, code_host_id: null },
    };
    const owned = await resolveOwners(db, place, stored);
    const settings = await selectReviewSettings(db, repositoryId);
    const asked = { asksAlways: true, asksOwners: true, owned };
    const { people, teams } = await possibleReviewers(
      db,
      { organizationId: actor.organizationId, repositoryId, authorId: actor.userId },
      wantedReviewers(settings, asked),
    );
    return {
      known: true,
      file,
      problems,
      onlyCommit,
      reviewers: [
        ...teams.map(({ name, teamId: id }) => ({
          ...{ kind: 'team' as const, id, name, always: settings.team_ids.includes(id) },
          owns: ownedBy(id, owned),
        })),
        ...people.map(({ name, userId: id }) => ({
          ...{ kind: 'person' as const, id, name, always: settings.user_ids.includes(id) },
          owns: ownedBy(id, owned),
        })),
      ],
    };
  },
});

function ownedBy(id: string, owned: OwnedByNames[]): { line: number; pattern: string }[] {
  return owned.flatMap(({ line, owners, pattern, required }) =>
    required > 0 && owners.some((owner) => owner.id === id) ? [{ line, pattern }] : [],
  );
}

/** Only what was fetched already: someone is typing the names of branches. */
async function ownersBetween(
  context: Context,
  repositoryId: string,
  { base, head }: { head: string; base: string | null },
) {
  const { code, db } = context;
  // Pull requests of a code host are opened there.
  if (base === null || base === head || (await selectHostKind(db, repositoryId))) return undefined;
  const commits = await selectBranchCommits(db, repositoryId, [head, base]);
  const [headCommit, baseCommit] = [commits.get(head), commits.get(base)];
  if (headCommit === undefined || baseCommit === undefined) return undefined;
  const call = callOf(context);
  try {
    const pair = { from: headCommit, to: baseCommit };
    const mergeBase = await code.compare('mergeBase', repositoryId, pair, call);
    if (mergeBase === null || mergeBase === headCommit) return undefined;
    const at = { base: baseCommit, dialect: 'github' as const };
    const file = await readOwnersFile(context, repositoryId, at, call);
    const changes = { id: repositoryId, head_commit: headCommit, merge_base: mergeBase };
    const owners = await storableOwners(await ownersOfChanges(context, repositoryId, file, changes, call));
    const range = { from: mergeBase, to: headCommit, limit: 1 };
    const { commits, total } = await code.compare('listCommits', repositoryId, range, call);
    const subject = total === 1 ? commits[0]?.subject : undefined;
    return { ...owners, onlyCommit: subject === undefined ? null : await maskText(storable(subject)) };
  } catch (error) {
    // The branches moved, and what was known of them is gone.
    if (error instanceof Problem && error.code === 'ref_not_found') return undefined;
    throw error;
  }
}
