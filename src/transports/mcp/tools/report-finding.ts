/** report_finding: an agent reports one finding, which is checked against the code at once. */
import { z } from 'zod';
import { withoutNulls } from '../../../platform/core/operations/without-nulls.ts';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'report-review-finding';

export const reportFinding = defineTool({
  name: 'report_finding',
  title: 'Report a finding',
  description: {
    does: 'Report one finding of a review. Quote, evidence and claim are checked against the code at once.',
    use: 'for what this change breaks, never for style. `missing`: nothing has this name or path; `duplicate`: name the other place as evidence. At most 200 per review.',
    returns:
      '`status`: `accepted` (`proof` says if proven), `refused` (fix it or drop it), `duplicate`, or `decided` by a person.',
    next: '`finish_review`. Unverified findings need a second look with `verify_findings`.',
  },
  operations: [OPERATION],
  // The same finding again is a duplicate.
  hints: { ...ADDS, idempotentHint: true },
  input: (fieldsOf) => z.object(fieldsOf(OPERATION)),
  output: z.object({
    status: ours('word'),
    reason: z.string().optional(),
    findingId: ours('id').optional(),
    discussionStatus: ours('word').optional(),
    proof: ours('word').optional(),
    line: z.int(),
  }),
  async run(given, context) {
    return withoutNulls(await context.run(OPERATION, given));
  },
});
