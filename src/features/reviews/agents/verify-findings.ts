/** POST /api/v2/agent-reviews/:runId/verdicts: takes verdicts on findings of other reviews, and hands out those without one. */
import { defineOperation } from '../../../context.ts';
import { maskTexts } from '../../../engines/review/index.ts';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { AGENT_REVIEW_LIMITS, FindingsToVerify, VerifyFindingsInput } from './agent-review-contract.ts';
import { selectOthersFindings, selectVerdicts, upsertVerdicts } from './agent-review-store.ts';
import { holdAgentReview, openAgentReview } from './open-agent-review.ts';
import { presentAgentFinding } from './present-agent-review.ts';

export const verifyFindings = defineOperation({
  name: 'verify-findings',
  group: 'Reviews',
  summary: "Verify other reviews' findings",
  description:
    'Findings of other reviews of the same change that no check could prove, without their reasoning. A review never judges its own findings. Proven findings need no verdict.',
  http: { method: 'POST', path: '/api/v2/agent-reviews/:runId/verdicts', status: 200 },
  accepts: ['session', 'mcp'],
  role: 'member',
  input: VerifyFindingsInput,
  output: FindingsToVerify,
  problems: ['not_found', 'conflict'],
  async run(context, { runId, verdicts = [] }) {
    const { clock } = context;
    const review = await openAgentReview(context, runId);
    // Reasons are published with the finding.
    const reasons = await maskTexts(verdicts.map(({ reason }) => reason));
    return inTransaction(context.db, async (db) => {
      await holdAgentReview(db, review, clock.now());
      const others = (await selectOthersFindings(db, review)).filter(
        ({ candidate, outcome }) => outcome === 'accepted' && candidate.proof === 'unverified',
      );
      const known = new Set(others.map(({ id }) => id));
      const unknown = verdicts.findIndex(({ findingId }) => !known.has(findingId));
      if (unknown >= 0) {
        const message =
          'is not a finding that another review of this change reported and no check could prove';
        throw invalidRequest([{ path: `verdicts.${unknown}.findingId`, message }]);
      }
      const by = { reviewId: review.id, organizationId: review.organization_id, at: clock.now() };
      await upsertVerdicts(
        db,
        by,
        verdicts.map((each, index) => ({ ...each, reason: reasons[index]! })),
      );
      const judged = new Set(
        (await selectVerdicts(db, [...known]))
          .filter((each) => each.review_id === review.id)
          .map((each) => each.finding_id),
      );
      return {
        recorded: verdicts.length,
        findings: others
          .filter(({ id }) => !judged.has(id))
          .slice(0, AGENT_REVIEW_LIMITS.handedOut)
          .map(({ candidate, id }) => {
            const { proof: _, scenario: __, ...shown } = presentAgentFinding(id, candidate);
            return shown;
          }),
        leaseUntil: review.lease_until.toISOString(),
      };
    });
  },
});
