/**
 * A dismissal as a Markdown file under `.countersign/decisions/`: its data in front matter, then the note. A file is read back exactly
 * as it was written, and applies to its own repository.
 */
import { stringify } from 'yaml';
import { z } from 'zod';
import { CLAIMS } from '../../../engines/review/contract/code-review.ts';
import { requiredText, text } from '../../../platform/core/operations/shapes.ts';
import { readFrontMatter } from '../../reviewers/index.ts';
import { DISMISSAL_REASONS, REVIEW_LIMITS } from '../contract.ts';
import type { Decision } from './read-decisions.ts';
import { describeDecision } from './read-decisions.ts';

export const DECISION_FOLDER = '.countersign/decisions/';
const MAX_CHARACTERS = 4000;

const Facts = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{32}$/, 'must be the 32 digits of a finding'),
  scope: z.enum(['repository', 'path', 'symbol']),
  reason: z.enum(DISMISSAL_REASONS),
  check: requiredText({ max: 200 }),
  claim: z.enum(CLAIMS),
  subject: text({ max: MAX_CHARACTERS }),
  path: requiredText({ max: MAX_CHARACTERS }),
  quote: text({ max: MAX_CHARACTERS }),
  decidedBy: requiredText({ max: 200 }),
});

export type DecisionFile = z.output<typeof Facts> & { note: string };

export function writeDecisionFile({ note, ...facts }: DecisionFile): string {
  return `---\n${stringify(facts, { lineWidth: 0 })}---\n${note === '' ? '' : `\n${note}\n`}`;
}

export function readDecisionFile(
  source: string,
): { ok: true; file: DecisionFile } | { ok: false; problem: string } {
  const read = readFrontMatter(source, Facts);
  if (!read.ok) {
    const [first] = read.problems;
    return { ok: false, problem: `line ${first!.line}, column ${first!.column}: ${first!.message}` };
  }
  const note = read.rest.trim().slice(0, REVIEW_LIMITS.noteCharacters);
  return { ok: true, file: { ...read.value, note } };
}

export function decisionOf(path: string, file: DecisionFile): Decision {
  const { check, claim, decidedBy, key, quote, reason, scope, subject } = file;
  return {
    ...{ key, scope, finding: { check, claim, subject, file: file.path, quote } },
    said: `${path}: ${describeDecision({ by: decidedBy, reason })}`,
  };
}
