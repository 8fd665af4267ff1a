/**
 * After each push: where every discussion of the pull request is now, which of them the new code answers, and which answers were
 * reverted. Code is read and compared without a lock; what was found is written under it, unless there is a newer head by then.
 */
import type { CodeReader } from '../../platform/core/ports/code-reader.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { Db } from '../../platform/db/index.ts';
import { BY_SERVICE, selectHeads, selectPullRequestById, withPullRequestAs } from '../pull-requests/index.ts';
import { type DiscussionRow, selectDiscussions } from './discussion-store.ts';
import { type CodeOfRepository, type Judged, judgeDiscussions } from './judge-discussions.ts';
import { upsertPositions } from './judgement-store.ts';
import { prepareJudgement } from './prepare-judgement.ts';
import { type Judgement, recordJudgement, recordOtherQuestion, recordRevert } from './record-judgement.ts';

export interface JudgeServices {
  state: CodeOfRepository['state'];
  db: Db;
  code: Pick<CodeReader, 'compare' | 'readTexts'>;
  log: Log;
  announce(topic: string): void;
  now(): Date;
}

export async function judgePullRequest(
  services: JudgeServices,
  { organizationId, pullRequestId }: { organizationId: string; pullRequestId: string },
  signal: AbortSignal,
): Promise<void> {
  const { code, db, log, state } = services;
  const pullRequest = await selectPullRequestById(db, organizationId, pullRequestId);
  if (!pullRequest?.head_commit || pullRequest.judged_head === pullRequest.head_commit) return;
  const head = pullRequest.head_commit;
  const [newest] = await selectHeads(db, pullRequestId, 1);
  const startedAt = performance.now();
  const discussions = await selectDiscussions(db, pullRequest);
  const toJudge = await prepareJudgement(db, pullRequestId, discussions);
  const judged = await judgeDiscussions(
    {
      code,
      state,
      repositoryId: pullRequest.repository_id,
      // Background work of an organization takes its turn as one caller.
      call: { caller: { organizationId, userId: 'service', credentialId: 'service' }, signal },
    },
    toJudge,
    { new: head, old: pullRequest.merge_base },
  );
  await withPullRequestAs(
    services,
    { ...BY_SERVICE, organizationId },
    pullRequestId,
    services.now(),
    async (change) => {
      if (change.pullRequest.head_commit !== head) return;
      await upsertPositions(
        change.db,
        organizationId,
        head,
        [...judged].map(([discussionId, { position }]) => ({ discussionId, ...position })),
      );
      const now = new Map((await selectDiscussions(change.db, pullRequest)).map((row) => [row.id, row]));
      const stale = discussions.filter(
        ({ id, updated_at: at }) => now.get(id)?.updated_at.getTime() !== at.getTime(),
      );
      for (const discussion of discussions) {
        // A reply or a decision meanwhile may change the judgement: it is made again.
        if (stale.includes(discussion)) continue;
        await record(change, now.get(discussion.id)!, judged.get(discussion.id), {
          commit: head,
          seenAt: newest?.seen_at ?? services.now(),
        });
      }
      // One that was opened meanwhile on an earlier commit is not followed to this head yet.
      const known = new Set(discussions.map(({ id }) => id));
      const isDone =
        stale.length === 0 && now.values().every((row) => known.has(row.id) || row.position_commit !== null);
      change.set(isDone ? { judged_head: head } : { judged_head: null, judge_queued_head: null });
    },
  );
  log.debug(
    { pullRequestId, discussions: discussions.length, ms: Math.round(performance.now() - startedAt) },
    'compared a head with the discussions of its pull request',
  );
}

async function record(
  change: Parameters<typeof recordJudgement>[0],
  discussion: DiscussionRow,
  judged: Judged | undefined,
  head: { commit: string; seenAt: Date },
): Promise<void> {
  if (!judged?.judgement) return;
  const judgement: Judgement = { ...judged.judgement, commit: head.commit };
  if (discussion.status === 'open') return recordJudgement(change, discussion, judgement);
  // Its judgement was cleared when a comment was edited.
  const isJudge = discussion.status_cause === 'judge' || discussion.status_cause === 'switch';
  if (isJudge && discussion.judgement === null) return recordOtherQuestion(change, discussion, judgement);
  // Addressed since this head was seen, by a commit that isn't pushed yet.
  if (discussion.status_at > head.seenAt) return;
  const isBack = ['exact', 'moved'].includes(judged.position.outcome);
  if (isBack && judgement.verdict === 'open') await recordRevert(change, discussion, judgement);
}
