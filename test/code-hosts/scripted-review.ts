/** Reviews of pull requests of a fake host, which report what a test says: the host knows no real commits. */

import type { JudgedCandidate, ReviewResult } from '../../src/engines/review/contract/code-review.ts';
import { runPullRequestReview } from '../../src/features/reviews/runs/run-pull-request-review.ts';
import { createLog } from '../../src/platform/core/telemetry/log.ts';
import { NO_MODELS } from '../helpers/servers/model-server.ts';
import type { Organization } from '../helpers/service/factories.ts';
import type { TestService } from '../helpers/service/harness.ts';

const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });

export function scriptedFinding(changes: Partial<JudgedCandidate>): JudgedCandidate {
  const check = changes.check ?? 'focused_test';
  return {
    reviewer: 'tests_missing',
    check,
    claim: 'rule',
    subject: 'formats',
    title: 'A focused test hides the others',
    scenario: 'Every other test of the file is skipped while it is focused.',
    file: 'src/a.ts',
    side: 'head',
    line: 10,
    quote: 'it.only()',
    evidence: [],
    key: `${check} ${changes.subject ?? 'formats'} ${changes.quote ?? 'it.only()'}`,
    fate: { kind: 'finding' },
    ...changes,
  };
}

export interface ScriptedChange {
  files?: { path: string; added: number; deleted: number }[];
  notReviewed?: ReviewResult['notReviewed'];
  /** The review fails with it. */
  failure?: Error;
}

/** Reviews the newest head now. */
export async function reviewNow(
  { clock, db }: TestService,
  organization: Organization,
  pullRequestId: string,
  candidates: JudgedCandidate[],
  { failure, files = [{ path: 'src/a.ts', added: 3, deleted: 1 }], notReviewed = [] }: ScriptedChange = {},
): Promise<void> {
  await db
    .updateTable('pull_requests')
    .set({ merge_base: 'b'.repeat(40), review_trigger: 'requested' })
    .where('id', '=', pullRequestId)
    .execute();
  const code = {
    // No reviewers in the repository's files.
    read: () => Promise.resolve({ items: [], total: 0 }),
    readTexts: () => Promise.resolve([]),
    compare: () =>
      Promise.resolve({ total: files.length, files: files.map((file) => ({ ...file, change: 'modified' })) }),
    review(): Promise<ReviewResult> {
      if (failure) return Promise.reject(failure);
      const checks = [...new Set(['focused_test', ...candidates.map(({ check }) => check)])];
      return Promise.resolve({
        change: { base: '', head: '', files: files.length, addedLines: 3, moreFiles: 0 },
        candidates: structuredClone(candidates),
        notReviewed,
        removedNames: [],
        addedPackages: { packages: [], leftOut: [] },
        checks: checks.map((name) => ({ name, reviewer: 'r', looksFor: '', candidates: 1, failure: null })),
      });
    },
  };
  await runPullRequestReview(
    { ...NO_MODELS, db, code: code as never, log, announce: () => undefined, now: () => clock.now() },
    { organizationId: organization.id, pullRequestId },
    AbortSignal.timeout(60_000),
  );
}
