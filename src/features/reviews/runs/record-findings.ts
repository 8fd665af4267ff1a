/** Writes what a review found: new findings become discussions, and findings that no longer hold are addressed. */
import type { JudgedCandidate, ReviewResult } from '../../../engines/review/contract/code-review.ts';
import { addDiscussion, setStatus, type WrittenBy } from '../../discussions/index.ts';
import { isSettingOn } from '../../organization-settings/index.ts';
import type { PullRequestChange } from '../../pull-requests/index.ts';
import { readPausedChecks } from '../decisions/paused-checks.ts';
import { type Decision, readDecisions } from '../decisions/read-decisions.ts';
import { findingBody } from '../publishing/finding-body.ts';
import { chooseFindings, hasLimit } from './choose-findings.ts';
import {
  insertCandidates,
  type NewCandidate,
  type NewRun,
  selectListed,
  selectRaised,
} from './review-run-store.ts';

/** Returns every candidate with what became of it; new findings are discussions. */
export async function recordFindings(
  change: PullRequestChange,
  run: NewRun,
  { candidates, checks }: Pick<ReviewResult, 'candidates' | 'checks'>,
  reviewers: ReadonlyMap<string, { id: string; title: string }>,
  fileDecisions: readonly Decision[],
): Promise<NewCandidate[]> {
  const raised = await selectRaised(change.db, run.pullRequestId);
  const decisions = await readDecisions(change.db, run, candidates);
  const chosen = chooseFindings(candidates, {
    raised,
    listed: await selectListed(
      change.db,
      run.pullRequestId,
      candidates.map(({ key }) => key),
    ),
    decisions: [...decisions, ...fileDecisions],
    paused: await readPausedChecks(change.db, run.repositoryId),
    limitedCount: raised.filter(({ claim }) => hasLimit(claim)).length,
  });
  const rows: NewCandidate[] = [];
  const total = chosen.filter((each) => each.fate.kind === 'finding' && reviewers.has(each.reviewer)).length;
  let opened = 0;
  for (const [index, candidate] of chosen.entries()) {
    const reviewer = reviewers.get(candidate.reviewer);
    if (!reviewer) continue;
    let discussionId: string | null = null;
    if (candidate.fate.kind === 'finding') {
      opened += 1;
      const place = { others: alsoAt(chosen, index), finding: { number: opened, of: total } };
      discussionId = await openFinding(change, run, candidate, reviewer, place);
    }
    rows.push({ ...candidate, reviewerId: reviewer.id, discussionId });
  }
  await insertCandidates(change.db, run, rows);
  await addressGone(change, run, raised, {
    candidates,
    ran: new Set(
      checks
        .filter(({ failure }) => failure === null)
        .map(({ name, reviewer }) => nameOf(reviewers.get(reviewer)?.id, name)),
    ),
  });
  return rows;
}

async function openFinding(
  change: PullRequestChange,
  run: NewRun,
  candidate: JudgedCandidate,
  reviewer: { id: string; title: string },
  { finding, others }: { others: JudgedCandidate[]; finding: { number: number; of: number } },
): Promise<string> {
  const { id } = await addDiscussion(change, {
    file: candidate.file,
    side: candidate.side === 'head' ? 'new' : 'old',
    startLine: candidate.line,
    endLine: candidate.line + candidate.quote.split('\n').length - 1,
    commit: candidate.side === 'head' ? run.headCommit : run.mergeBase,
    // Tokens in the quote are masked, and a secret is truncated.
    commentedCode: candidate.claim === 'secret' ? `${candidate.quote}…` : candidate.quote,
    author: {
      kind: 'reviewer',
      userId: null,
      accountId: null,
      name: reviewer.title,
      reviewerId: reviewer.id,
      ...producerOf(candidate),
    },
    body: findingBody(candidate, others, { namesRepositories: change.pullRequest.origin === 'git' }),
    finding,
  });
  return id;
}

/** A model looks for what the reviewer looks for; agents and tools decide that themselves. */
function producerOf({ producer }: JudgedCandidate): Pick<WrittenBy, 'producer'> {
  if (producer === undefined || producer.kind === 'model') return {};
  return { producer: { kind: producer.kind, name: producer.vendor } };
}

function alsoAt(candidates: JudgedCandidate[], index: number): JudgedCandidate[] {
  return candidates.filter(({ fate }) => fate.kind === 'grouped' && fate.with === index);
}

/**
 * A check that ran and no longer finds it is the best reason to say that it is addressed. It says nothing about what was reported
 * under the same name and the check never found.
 */
async function addressGone(
  change: PullRequestChange,
  run: NewRun,
  raised: Awaited<ReturnType<typeof selectRaised>>,
  { candidates, ran }: { candidates: JudgedCandidate[]; ran: Set<string> },
): Promise<void> {
  const found = new Set(candidates.map(({ key }) => key));
  const resolves = await isSettingOn(change.db, run.organizationId, 'auto_resolve_addressed');
  const byService = { userId: null, accountId: null, name: null };
  for (const each of raised) {
    if (
      each.status !== 'open' ||
      each.proof !== null ||
      found.has(each.key) ||
      !ran.has(nameOf(each.reviewer_id, each.check))
    )
      continue;
    const discussion = {
      id: each.discussion_id,
      status: each.status,
      status_cause: each.status_cause,
      host_thread_id: each.host_thread_id,
    };
    const gone = `The check no longer finds it at ${run.headCommit.slice(0, 12)}.`;
    // Earlier commits were already pushed, so a person has to confirm that it was revoked.
    const isSecret = each.claim === 'secret';
    await setStatus(change, discussion, 'proof_gone', {
      ...{ ...byService, commit: run.headCommit },
      reason: isSecret ? `${gone} Earlier commits still have it: revoke it.` : gone,
    });
    if (resolves && !isSecret)
      await setStatus(change, discussion, 'auto_resolve', {
        ...byService,
        reason: 'Resolved because it is addressed.',
      });
  }
}

/** Rules of two reviewers can have the same id. */
function nameOf(reviewerId: string | undefined, check: string): string {
  return `${reviewerId} ${check}`;
}
