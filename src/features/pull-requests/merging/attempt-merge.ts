/**
 * One attempt to merge a pull request of plain git: the commit is made, the decision and the commit are recorded in one transaction, and
 * only then is it pushed with a lease on the base. Whatever ends this process, the recorded attempt says what to look for at the origin.
 */
import { maskText } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { CodeChange, CodeWriter, MakeOutcome } from '../../../platform/core/ports/code-writer.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import type { ChangeSource } from '../../events/index.ts';
import type { PullRequestChange } from '../changes/pull-request-change.ts';
import { requireActive } from '../changes/require-active.ts';
import { withPullRequestAs } from '../changes/with-pull-request.ts';
import type { MergeMethod } from '../contract.ts';
import { readMergeRequirements } from '../rules/read-merge-requirements.ts';
import { insertMerge, isBeingMerged, renewMerge, selectSigner } from '../store/merge-store.ts';
import type { PullRequestRow } from '../store/pull-request-store.ts';
import { selectMergerRole, selectWaitingMerge } from '../store/waiting-merge-store.ts';
import { endOf, type FinishServices, finishMerge, type MergeToFinish } from './finish-merge.ts';
import { decideMerge } from './may-merge.ts';
import { readMergeMessages } from './read-merge-messages.ts';
import { HAS_MERGES } from './rebase-blocked.ts';

const RENEW_EVERY_MS = 5000;

export interface WantedMerge {
  method: MergeMethod;
  head: string;
  base: string;
  message?: string | undefined;
  deleteBranch?: boolean | undefined;
  bypassReason?: string | undefined;
  /** The merge that waited for this; it begins only if that is still on. */
  waitingId?: string | undefined;
}

export interface Merger {
  userId: string;
  source: ChangeSource;
  /** For a bypass. */
  audit?: AuditSource;
}

export interface AttemptServices extends FinishServices {
  code: Pick<CodeReader, 'compare'> & Pick<CodeWriter, 'moveBranch' | 'writeBranch'>;
  /** Without a trailing slash. */
  baseUrl(): string;
}

/** git can't make these commits from this head and base. */
export class NotMade extends Problem {}

/** Returns when it is known what came of it, or can't be known yet. Throws a `Problem` if nothing was attempted. */
export async function attemptMerge(
  services: AttemptServices,
  by: Merger,
  found: PullRequestRow,
  wanted: WantedMerge,
  call: Call,
): Promise<void> {
  const { code, db } = services;
  const { base_branch: branch, id: pullRequestId, repository_id: repositoryId } = found;
  const committer = await selectSigner(db, by.userId);
  if (!committer) throw new Error('Who merges has no account.');
  const { base, head, method } = wanted;
  refuseOther(found, wanted);
  const message = method === 'rebase' ? '' : await messageOf(services, by, found, wanted, call);
  const change: CodeChange =
    method === 'rebase' ? { kind: 'rebase', base, head } : { kind: method, base, head, message };
  const author = (method === 'squash' && (await authorOf(db, found))) || committer;
  const merge: MergeToFinish = {
    id: uuidv7(),
    organizationId: found.organization_id,
    pullRequestId,
    repositoryId,
    userId: by.userId,
  };
  const source = { ...by.source, organizationId: found.organization_id };
  const at = services.now();
  let alive: NodeJS.Timeout | undefined;
  try {
    const outcome = await code.writeBranch(
      repositoryId,
      {
        branch,
        expected: base,
        change,
        author,
        committer,
        at,
        async onMade({ commit, tree }) {
          const began = await withPullRequestAs(services, source, pullRequestId, at, (locked) =>
            begin(locked, by, merge, { ...wanted, baseBranch: branch, commit, tree }),
          );
          if (began === undefined) throw new Problem('not_found', 'The pull request was deleted.');
          const renew = () => void renewMerge(db, merge.id).catch(() => undefined);
          alive = setInterval(renew, RENEW_EVERY_MS);
          return true;
        },
      },
      call,
    );
    if (!('made' in outcome)) throw notMade(outcome, method);
    const end = endOf(outcome);
    if (end) await finishMerge(services, merge, end, call);
  } finally {
    clearInterval(alive);
  }
}

/** The rules are evaluated here, at the exact head and base. */
async function begin(
  change: PullRequestChange,
  by: Merger,
  merge: MergeToFinish,
  wanted: WantedMerge & { baseBranch: string; commit: string; tree: string },
): Promise<true> {
  const { at, db, pullRequest } = change;
  requireActive(pullRequest);
  refuseOther(pullRequest, wanted);
  if (pullRequest.base_branch !== wanted.baseBranch) throw moved('The base branch was changed just now.');
  if (await isBeingMerged(db, merge.pullRequestId)) {
    throw new Problem('conflict', 'Someone else is merging this pull request right now.');
  }
  const { bypassReason: reason, waitingId } = wanted;
  if (waitingId !== undefined && (await selectWaitingMerge(db, merge.pullRequestId))?.id !== waitingId)
    throw new Problem('conflict', 'It is no longer wanted.');
  // The role is that of this moment.
  const { organizationId, repositoryId } = merge;
  const role = (await selectMergerRole(db, { organizationId, repositoryId, userId: by.userId })) ?? 'viewer';
  const { requirements, rule } = await readMergeRequirements(db, pullRequest, { userId: by.userId, role });
  const decision = decideMerge(requirements, { role, bypassReason: reason });
  if (decision.refused !== null) throw new Problem('conflict', decision.refused);
  const { bypassed } = decision;
  const isBypass = bypassed.length > 0;
  const bypassReason = isBypass && reason !== undefined ? await maskText(reason.trim()) : null;
  await insertMerge(db, {
    ...merge,
    userId: by.userId,
    method: wanted.method,
    baseBranch: wanted.baseBranch,
    base: wanted.base,
    head: wanted.head,
    commit: wanted.commit,
    tree: wanted.tree,
    rule,
    bypassed,
    bypassReason,
    deleteBranch: wanted.deleteBranch ?? false,
    at,
  });
  if (isBypass && by.audit) {
    await recordAudit(db, by.audit, {
      action: 'pull_request.rule_bypassed',
      subjectId: merge.pullRequestId,
      subjectName: pullRequest.title,
      detail: { number: pullRequest.number, bypassed, reason: bypassReason, commit: wanted.commit },
    });
  }
  change.record('pull_request_merge_started', {
    mergeId: merge.id,
    method: wanted.method,
    ...(waitingId !== undefined && { whenReady: true }),
  });
  return true;
}

function refuseOther(
  { base_commit, head_commit }: { head_commit: string | null; base_commit: string | null },
  { base, head }: { head: string; base: string },
): void {
  if (head_commit !== head) throw moved('New commits were pushed to the branch.');
  if (base_commit !== base) throw moved('New commits were pushed to the base branch.');
}

function moved(what: string): Problem {
  return new Problem('conflict', `${what} Look at the changes and try again.`);
}

async function messageOf(
  services: AttemptServices,
  { userId }: Merger,
  found: PullRequestRow,
  { base, head, message, method }: WantedMerge,
  call: Call,
): Promise<string> {
  if (message?.trim()) return maskText(message);
  const reading = { db: services.db, code: services.code, baseUrl: services.baseUrl() };
  const messages = await readMergeMessages(reading, found, { base, head, userId }, call);
  return maskText(messages[method === 'squash' ? 'squash' : 'merge']);
}

async function authorOf(db: Db, { author_kind: kind, author_user_id: userId }: PullRequestRow) {
  return kind === 'person' && userId !== null ? await selectSigner(db, userId) : undefined;
}

function notMade(
  outcome: Exclude<MakeOutcome, { kind: 'made' }> | { kind: 'declined' },
  method: MergeMethod,
) {
  switch (outcome.kind) {
    case 'conflicts':
      return new NotMade('conflict', `It conflicts with the base branch in ${outcome.paths.join(', ')}.`);
    case 'has_merges':
      return new NotMade('conflict', `${HAS_MERGES} Merge or squash it.`);
    case 'unchanged':
      return new NotMade('conflict', 'The base branch already contains these changes.');
    default:
      return new NotMade('conflict', `git could not ${method} these commits.`);
  }
}
