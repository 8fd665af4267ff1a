/** PATCH /api/v2/reviewers/:reviewerId: turns a reviewer or its optional checks on or off. */
import { defineOperation } from '../../../context.ts';
import { invalidRequest, notFound, Problem } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { callerOf } from '../../audit/index.ts';
import { optionalChecksOf } from '../built-in-reviewers.ts';
import { ChangeReviewerInput, ReviewerDetail } from '../contract.ts';
import { lockReviewer } from '../store/reviewer-store.ts';
import { readReviewer } from './read-reviewer.ts';
import { saveSwitch } from './save-reviewer.ts';
import { maySwitch } from './who-may-edit.ts';

export const changeReviewer = defineOperation({
  name: 'change-reviewer',
  group: 'Reviewers',
  summary: 'Turn a reviewer or its optional checks on or off',
  description: 'Admins can do this for every reviewer, members for those that they created.',
  http: { method: 'PATCH', path: '/api/v2/reviewers/:reviewerId', status: 200 },
  accepts: ['session'],
  role: 'member',
  input: ChangeReviewerInput,
  output: ReviewerDetail,
  problems: ['forbidden', 'not_found'],
  async run(context, { enabled, reviewerId, switchedOn }) {
    const { actor } = context;
    await inTransaction(context.db, async (db) => {
      const reviewer = await lockReviewer(db, actor.organizationId, reviewerId);
      if (!reviewer) throw notFound('The reviewer');
      if (!maySwitch(actor, reviewer)) {
        throw new Problem('forbidden', 'Only admins can turn this reviewer on and off.');
      }
      const checks = switchedOn && [...new Set(switchedOn)].sort();
      if (checks) refuseUnknown(checks, optionalChecksOf(reviewer.built_in, []));
      const isSame = (enabled ?? reviewer.enabled) === reviewer.enabled;
      if (isSame && (checks ?? reviewer.switched_on).join() === reviewer.switched_on.join()) return;
      await saveSwitch(db, callerOf(context), reviewer, enabled ?? reviewer.enabled, checks);
    });
    return readReviewer(context, reviewerId);
  },
});

function refuseUnknown(wanted: string[], known: { name: string }[]): void {
  const names = known.map(({ name }) => name);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const message = `${unknown.join(', ')} can't be switched: ${names.length === 0 ? 'this reviewer has no optional checks' : `its optional checks are ${names.join(', ')}`}`;
  throw invalidRequest([{ path: 'switchedOn', message }]);
}
