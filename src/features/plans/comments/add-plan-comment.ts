/** POST /api/v2/plans/:seriesId/comments (endpoint 10): comments on a version or replies to a comment. */
import type { z } from 'zod';
import { type Context, defineOperation } from '../../../context.ts';
import { maskText } from '../../../engines/review/index.ts';
import { type FieldError, invalidRequest, notFound } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { EXAMPLE_COMMENT, EXAMPLE_IDS } from '../contract/examples.ts';
import { AddedPlanComment, AddPlanCommentInput } from '../contract.ts';
import {
  explainRefusedComment,
  insertComments,
  type NewComment,
  selectReply,
} from '../store/comment-store.ts';
import { lockPlan } from '../store/plan-store.ts';
import { presentComment } from './present-comment.ts';
import { createCommentWriter } from './write-comment.ts';

export const addPlanComment = defineOperation({
  name: 'add-plan-comment',
  group: 'Plans',
  summary: 'Comment on a plan',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/comments', status: 201 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'member',
  idempotent: true,
  input: AddPlanCommentInput,
  output: AddedPlanComment,
  problems: ['not_found'],
  example: {
    request: {
      seriesId: EXAMPLE_IDS.series,
      versionId: EXAMPLE_IDS.version,
      body: EXAMPLE_COMMENT.body,
      anchor: 'Retry with exponential backoff',
    },
    reply: EXAMPLE_COMMENT,
  },
  async run(context, input) {
    const { actor, clock } = context;
    const comment: NewComment = {
      id: uuidv7(),
      organizationId: actor.organizationId,
      seriesId: input.seriesId,
      versionId: input.versionId,
      parentId: input.parentId ?? null,
      authorId: actor.userId,
      authorKind: actor.kind,
      credentialId: actor.credentialId,
      body: await maskText(input.body),
      anchor: input.anchor ?? null,
      at: clock.now(),
    };
    if (input.skipIfPosted) return addOnce(context, comment);
    await add(context, comment);
    return presentNew(context, comment);
  },
});

async function add(context: Context, comment: NewComment): Promise<void> {
  // Inside a transaction, the comment is written in that transaction.
  const planId = context.db.isTransaction
    ? (await insertComments(context.db, [comment]))[0]
    : await context.state.of(createCommentWriter).write(comment);
  if (planId === undefined) throw await explainRefusal(context, comment);
  context.afterCommit(() => context.feed.announce(planId));
}

/** Checks and writes under the plan's lock, so that only one of several identical concurrent replies is added. */
function addOnce(context: Context, comment: NewComment): Promise<z.input<typeof AddedPlanComment>> {
  return inTransaction(context.db, async (db) => {
    const plan = await lockPlan(db, comment.organizationId, comment.seriesId);
    const posted = plan && (await selectReply(db, plan.id, comment));
    if (posted) return { ...presentComment(posted), alreadyPosted: true };
    await add({ ...context, db }, comment);
    return { ...presentNew(context, comment), alreadyPosted: false };
  });
}

function presentNew({ actor }: Context, comment: NewComment): z.input<typeof AddedPlanComment> {
  return presentComment({
    id: comment.id,
    version_id: comment.versionId,
    parent_id: comment.parentId,
    body: comment.body,
    author_name: actor.userName,
    anchor: comment.anchor,
    triage_state: null,
    created_at: comment.at,
  });
}

async function explainRefusal({ db }: Context, comment: NewComment): Promise<Error> {
  const found = await explainRefusedComment(db, comment);
  if (!found.plan) return notFound('The plan');
  const errors: FieldError[] = [];
  if (!found.version) errors.push({ path: 'versionId', message: 'is not a version of this plan' });
  if (!found.parent) errors.push({ path: 'parentId', message: 'is not a comment on this plan' });
  return invalidRequest(errors);
}
