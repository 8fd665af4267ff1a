/** POST /api/v2/plans/:seriesId/comments (endpoint 10): a comment on a version, or a reply to one. */
import { type Context, defineOperation } from '../../context.ts';
import { type FieldError, invalidRequest, notFound } from '../../platform/core/errors.ts';
import { uuidv7 } from '../../platform/core/uuid.ts';
import { explainRefusedComment, type NewComment } from './comment-store.ts';
import { AddPlanCommentInput, PlanComment } from './contract.ts';
import { EXAMPLE_COMMENT, EXAMPLE_IDS } from './examples.ts';
import { presentComment } from './present-comment.ts';
import { writeComment } from './write-comment.ts';

export const addPlanComment = defineOperation({
  name: 'add-plan-comment',
  group: 'Plans',
  summary: 'Comment on a plan',
  http: { method: 'POST', path: '/api/v2/plans/:seriesId/comments', status: 201 },
  accepts: ['key', 'session', 'oauth', 'mcp'],
  role: 'member',
  idempotent: true,
  input: AddPlanCommentInput,
  output: PlanComment,
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
    const { actor, clock, db, feed } = context;
    const comment: NewComment = {
      id: uuidv7(),
      organizationId: actor.organizationId,
      seriesId: input.seriesId,
      versionId: input.versionId,
      parentId: input.parentId ?? null,
      authorId: actor.userId,
      authorKind: actor.kind,
      body: input.body,
      anchor: input.anchor ?? null,
      at: clock.now(),
    };
    const planId = await writeComment(db, comment);
    if (planId === undefined) throw await whyRefused(context, comment);
    context.afterCommit(() => feed.announce(planId));
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
  },
});

async function whyRefused({ db }: Context, comment: NewComment): Promise<Error> {
  const found = await explainRefusedComment(db, comment);
  if (!found.plan) return notFound('The plan');
  const errors: FieldError[] = [];
  if (!found.version) errors.push({ path: 'versionId', message: 'is not a version of this plan' });
  if (!found.parent) errors.push({ path: 'parentId', message: 'is not a comment on this plan' });
  return invalidRequest(errors);
}
