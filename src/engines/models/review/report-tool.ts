/** The only way out for what a model finds: flat calls of `report_finding`, each checked and answered at once. */
import { z } from 'zod';
import { CLAIMS, type ReportedFinding } from '../../review/contract/code-review.ts';
import type { ModelTool } from '../converse.ts';

const MAX_REPORTS = 20;
/** Findings say what is wrong; a link in one could lead readers anywhere. */
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/|\bwww\./i;

const Report = z.object({
  file: z.string().min(1).max(1000).describe('A changed file.'),
  line: z.number().int().min(1).describe('The line number, as shown.'),
  quote: z.string().min(1).max(2000).describe('The wrong line, copied exactly, without its number.'),
  claim: z
    .enum(CLAIMS.filter((claim) => claim !== 'plan' && claim !== 'rule'))
    .describe('What kind of statement it is; `other` if none fits.'),
  subject: z.string().min(1).max(200).describe('The symbol, package or thing that it is about.'),
  title: z.string().min(1).max(200).describe('What is wrong, in one short sentence.'),
  scenario: z
    .string()
    .min(1)
    .max(1500)
    .describe('Which input or event makes what go wrong. Concrete, without advice.'),
  evidenceFile: z.string().max(1000).optional().describe('Another place that shows it, at the head.'),
  evidenceLine: z.number().int().min(1).optional(),
  evidenceQuote: z.string().max(2000).optional(),
  causeFile: z
    .string()
    .max(1000)
    .optional()
    .describe('A changed line that causes it, if `line` was not changed.'),
  causeLine: z.number().int().min(1).optional(),
  causeQuote: z.string().max(2000).optional(),
  fix: z.string().max(4000).optional().describe('What the quoted lines should be instead.'),
});

export function createReportTool(
  reviewer: string,
  report: (finding: ReportedFinding) => Promise<string>,
): ModelTool {
  let count = 0;
  return {
    description:
      'Reports one problem that this change introduces. The answer says whether it was accepted, or what to fix.',
    input: Report,
    async run(given: never) {
      const sent: z.output<typeof Report> = given;
      count += 1;
      if (count > MAX_REPORTS) return 'Refused: this review takes no more findings.';
      if ([sent.title, sent.scenario, sent.subject].some((text) => ADDRESS.test(text)))
        return 'Refused: leave web addresses out of the text.';
      const { claim, file, fix, line, quote, scenario, subject, title } = sent;
      const evidence = placeOf(sent.evidenceFile, sent.evidenceLine, sent.evidenceQuote);
      const cause = placeOf(sent.causeFile, sent.causeLine, sent.causeQuote);
      return report({
        ...{ reviewer, claim, subject, title, scenario, file, line, quote },
        evidence: evidence ? [evidence] : [],
        ...(cause && { cause }),
        ...(fix !== undefined && fix !== '' && { fix }),
      });
    },
  };
}

function placeOf(path: string | undefined, line: number | undefined, quote: string | undefined) {
  return path && line !== undefined && quote ? { path, line, quote } : undefined;
}
