/** A review as SARIF 2.1.0, which code hosts, editors and other tools read. */

import { packageVersion } from '../../platform/core/text/package-version.ts';
import type { Claim, Evidence, JudgedCandidate, ReviewResult } from './contract/code-review.ts';

/** Claims that are reported as errors, because they certainly do harm. */
const ERRORS: ReadonlySet<Claim> = new Set(['secret', 'removed_but_used']);

export function toSarif(result: ReviewResult): object {
  const findings = result.candidates.filter(({ fate }) => fate.kind === 'finding');
  const rules = [...new Map(result.checks.map((check) => [check.name, check] as const)).values()];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Countersign',
            version: packageVersion(),
            rules: rules.map(({ looksFor, name, reviewer }) => ({
              id: name,
              shortDescription: { text: `Looks for ${looksFor}` },
              properties: { reviewer },
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: result.checks.every(({ failure }) => failure === null),
            toolExecutionNotifications: result.checks
              .filter(({ failure }) => failure !== null)
              .map(({ failure, name }) => ({ level: 'warning', message: { text: `${name}: ${failure}` } })),
          },
        ],
        results: findings.map((finding) => resultOf(finding)),
      },
    ],
  };
}

function resultOf(finding: JudgedCandidate) {
  const { claim, file: path, line, side } = finding;
  // Secrets are truncated.
  const quote = claim === 'secret' ? `${finding.quote}…` : finding.quote;
  const own: Evidence = { side, path, line, quote };
  const evidence = finding.evidence.filter(({ repository }) => repository === undefined);
  // Readers show the files as they are at the head, which may not have a line of the base.
  const shown = side === 'head' ? own : evidence.find((place) => place.side === 'head');
  return {
    ruleId: finding.check,
    level: ERRORS.has(claim) ? 'error' : 'warning',
    message: { text: `${finding.title}. ${finding.scenario}` },
    partialFingerprints: { 'countersign/v1': finding.key },
    locations: [shown ? locationOf(shown) : { physicalLocation: physicalLocationOf(path, { startLine: 1 }) }],
    relatedLocations: [own, ...evidence].filter((place) => place !== shown).map(locationOf),
  };
}

function locationOf({ line, path, quote, side }: Evidence) {
  return {
    physicalLocation: physicalLocationOf(path, { startLine: line, snippet: { text: quote } }),
    ...(side === 'base' && { message: { text: `Removed here (line ${line} before the change)` } }),
  };
}

function physicalLocationOf(path: string, region: object) {
  return { artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/') }, region };
}
