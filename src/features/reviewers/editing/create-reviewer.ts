/** POST /api/v2/reviewers: creates a custom reviewer. */
import { defineOperation } from '../../../context.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { CreateReviewerInput, ReviewerDetail } from '../contract.ts';
import { acceptContent } from './accept-content.ts';
import { readReviewer } from './read-reviewer.ts';
import { saveReviewer } from './save-reviewer.ts';

export const createReviewer = defineOperation({
  name: 'create-reviewer',
  group: 'Reviewers',
  summary: 'Create a reviewer',
  description: 'Mistakes in rules are reported with their line and column.',
  http: { method: 'POST', path: '/api/v2/reviewers', status: 201 },
  accepts: ['session'],
  role: 'admin',
  input: CreateReviewerInput,
  output: ReviewerDetail,
  problems: ['conflict'],
  async run(context, { enabled = true, ...input }) {
    const { actor, db } = context;
    const content = await acceptContent(db, actor, input);
    const id = await inTransaction(db, (transaction) =>
      saveReviewer(transaction, callerOf(context), content, enabled),
    );
    return readReviewer(context, id);
  },
});
