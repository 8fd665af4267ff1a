/** A review as SARIF 2.1.0, which code hosts, editors and other tools read. */

import type { JudgedCandidate, ReviewResult } from '../../platform/core/code-review.ts';
import { packageVersion } from '../../platform/core/package-version.ts';

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
  return {
    ruleId: finding.check,
    level: 'warning',
    message: { text: `${finding.title}. ${finding.scenario}` },
    partialFingerprints: { 'countersign/v1': finding.key },
    locations: [locationOf(finding.file, finding.line, finding.quote)],
    relatedLocations: finding.evidence
      .filter(({ repository }) => repository === undefined)
      .map(({ line, path, quote }) => locationOf(path, line, quote)),
  };
}

function locationOf(path: string, line: number, quote: string) {
  return {
    physicalLocation: {
      artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/') },
      region: { startLine: line, snippet: { text: quote } },
    },
  };
}
