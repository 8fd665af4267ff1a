/** verify_findings: hands out what others reported and no check could prove, and takes verdicts. */
import { z } from 'zod';
import { ours } from '../text/marking.ts';
import { ADDS, defineTool } from '../tool.ts';

const OPERATION = 'verify-findings';

export const verifyFindings = defineTool({
  name: 'verify_findings',
  title: 'Verify findings',
  description: {
    does: 'Get what other reviews of the same change reported without proof, 10 at a time, and give verdicts. A review can’t judge its own findings: start another.',
    use: 'as a second look in a fresh context. Try to refute: `confirmed` only if you can show that it happens.',
    returns: '`findings` that wait for your verdict.',
    next: 'call again with `verdicts`, then `finish_review`, the reporting review last.',
  },
  operations: [OPERATION],
  // The same verdict again changes nothing.
  hints: { ...ADDS, idempotentHint: true },
  input: (fieldsOf) => z.object(fieldsOf(OPERATION)),
  output: z.object({
    recorded: z.int(),
    findings: z.array(
      z.object({
        findingId: ours('id'),
        title: z.string(),
        file: z.string(),
        line: z.int(),
        quote: z.string(),
        claim: ours('word'),
        subject: z.string(),
        evidence: z.array(z.object({ path: z.string(), line: z.int(), quote: z.string() })),
      }),
    ),
  }),
  async run(given, context) {
    const { findings, recorded } = await context.run(OPERATION, given);
    return {
      recorded,
      findings: findings.map(({ claim, evidence, file, id, line, quote, subject, title }) => ({
        ...{ findingId: id, title, file, line, quote, claim, subject },
        evidence: evidence.map((place) => ({ path: place.path, line: place.line, quote: place.quote })),
      })),
    };
  },
});
