/** Places of a review in SARIF, whose readers show the files as they are at the head. */
import { expect, it } from 'vitest';
import type { JudgedCandidate } from './contract/code-review.ts';
import { toSarif } from './sarif.ts';

const REMOVED: JudgedCandidate = {
  ...{ reviewer: 'breaking_changes', check: 'removed_but_used', claim: 'removed_but_used' },
  ...{ subject: 'format', title: 'format was removed', scenario: 'The build fails.' },
  ...{ file: 'src/format.ts', side: 'base', line: 7, quote: 'export function format() {' },
  ...{ evidence: [], key: 'k', fate: { kind: 'finding' } },
};

function resultFor(finding: JudgedCandidate) {
  const sarif = toSarif({
    change: { base: 'a', head: 'b', files: 1, addedLines: 0, moreFiles: 0 },
    ...{ candidates: [finding], notReviewed: [], checks: [] },
    ...{ removedNames: [], addedPackages: { packages: [], leftOut: [] } },
  }) as { runs: { results: unknown[] }[] };
  return sarif.runs[0]!.results[0];
}

it('puts a removed line on the first line of its file if nothing at the head shows it', () => {
  const repository = { id: 'r', name: 'acme/shop', commit: 'c' };
  const elsewhere = { side: 'head', path: 'cart.ts', line: 3, quote: 'format()', repository } as const;
  const before = { side: 'base', path: 'src/old.ts', line: 9, quote: 'format()' } as const;
  expect(resultFor({ ...REMOVED, evidence: [elsewhere, before] })).toMatchObject({
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/format.ts' }, region: { startLine: 1 } } },
    ],
    relatedLocations: [
      {
        physicalLocation: { artifactLocation: { uri: 'src/format.ts' }, region: { startLine: 7 } },
        message: { text: 'Removed here (line 7 before the change)' },
      },
      {
        physicalLocation: { artifactLocation: { uri: 'src/old.ts' }, region: { startLine: 9 } },
        message: { text: 'Removed here (line 9 before the change)' },
      },
    ],
  });
});
