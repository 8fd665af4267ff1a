/** check_push: for the hook of a git server, whether a push goes around the merge rules. */
import { z } from 'zod';
import { visible } from '../text/visible-text.ts';
import { defineTool, READS } from '../tool.ts';

const OPERATION = 'check-push';

export const checkPush = defineTool({
  name: 'check_push',
  unlisted: true,
  title: 'Check a push',
  description: {
    does: 'Say which branches of a push only a merge in Countersign may move.',
    use: 'in a `pre-receive` hook: `countersign hook pre-receive` calls it.',
    returns: 'the `refused` branches; none if the push is fine.',
    next: 'refuse the push if there are some.',
  },
  operations: [OPERATION],
  hints: READS,
  input(fieldsOf) {
    const { repository, updates } = fieldsOf(OPERATION);
    return z.object({ repository, updates });
  },
  output: z.object({ refused: z.array(z.object({ branch: z.string(), pattern: z.string() })) }),
  async run(given, context) {
    const { refused } = await context.run(OPERATION, given);
    return {
      refused: refused.map(({ branch, pattern }) => ({ branch: visible(branch), pattern: visible(pattern) })),
    };
  },
});
