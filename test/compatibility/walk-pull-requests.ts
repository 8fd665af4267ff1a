/** The part of the walk about pull requests: discussions, verdicts, and reviews by the service and by agents. */
import { expect, vi } from 'vitest';
import { withSession } from '../helpers/service/harness.ts';
import type { Recorder } from './recorder.ts';

const FILE = 'src/money.ts';
const SCENARIO = 'Every cart fails as soon as it shows its sum.';

/** Positions are found in the background. */
const arePlaced = (review: { discussions: { position: unknown }[] }) =>
  review.discussions.every(({ position }) => position !== null);

export async function walkPullRequests(recorder: Recorder): Promise<void> {
  const { call, known, service, until } = recorder;
  const { admin, member, viewer } = service.acme;
  const opened = await call('open-pull-request', { description: 'Removes `format`.' }, member);
  known.pullRequestId = opened.id;
  known.prNumber = opened.number;
  known.headCommit = opened.headCommit;
  await call('open-pull-request', { title: '', head: 7 }, member);
  await call('open-pull-request', {}, viewer);
  await call('open-pull-request', {}, member);
  const { runs } = await until('list-review-runs', {}, (list) => !list.due && list.runs[0]?.state === 'done');
  known.runId = runs[0].id;
  await call('get-review-run');
  await call('list-untested-exports');
  const { discussions } = await until('list-discussions', {}, arePlaced);
  const finding = { discussionId: discussions[0]?.id };
  await call('preview-dismissal', finding);
  await call('dismiss-finding', { ...finding, reason: 'intended', note: 'Nobody uses it.' });
  const { dismissals } = await call('list-dismissals');
  await call('undo-dismissal', { dismissalId: dismissals[0]?.id });
  await call('get-review-figures');

  // Whether it merges is found in the background too.
  await vi.waitFor(
    async () => {
      const path = `/api/v2/pull-requests/${opened.id}`;
      const { body } = await service.request('GET', path, { as: withSession(admin) });
      expect(body.mergeability).toBe('clean');
    },
    { timeout: 60_000, interval: 100 },
  );
  await call('change-pull-request', { title: 'Remove format' }, member);
  await call('change-pull-request', {}, viewer);
  await call('change-labels', { add: ['cleanup', 'later'] }, member);
  await call('change-labels', { add: ['x'.repeat(51)], remove: ['later'] }, member);
  await call('change-labels', { remove: ['later'] }, member);
  await call('list-labels', {}, viewer);
  await call('change-assignees', { add: [member.userId] });
  await call('change-assignees', { add: [service.globex.member.userId] });
  const commits = { head: opened.headCommit, base: opened.headCommit };
  await call('merge-pull-request', { method: 'merge', ...commits }, member);
  await call('merge-pull-request', { method: 'none' }, member);
  await call('get-merge-messages', { head: opened.headCommit }, member);
  const later = { method: 'squash', head: opened.headCommit, message: 'Later' };
  await call('set-merge-when-ready', later, member);
  await call('set-merge-when-ready', { ...later, head: 'a'.repeat(40) }, admin);
  await call('end-merge-when-ready', {}, viewer);
  await call('end-merge-when-ready', {}, member);
  await call('revert-pull-request', {}, member);
  await call('update-head-branch', { expectedHead: opened.headCommit }, member);
  await call('delete-head-branch', {}, member);
  await call('restore-head-branch', {}, member);
  await call('list-merge-conflicts', {}, member);
  const files = [{ path: FILE, hunks: [{ take: 'head' }] }];
  await call('resolve-merge-conflicts', { ...commits, files }, member);
  await call(
    'resolve-merge-conflicts',
    { ...commits, files: [{ path: FILE, hunks: [{ take: 'none' }] }] },
    member,
  );
  const updates = [{ branch: 'main', from: opened.headCommit, to: opened.headCommit }];
  await call('check-push', { repository: known.repository, updates }, member);
  await call('request-pull-request-review', { userIds: [admin.userId] }, member);
  await until('get-pull-request-owners', {}, ({ known: isKnown }) => isKnown);
  await call('get-review-settings');
  await call('list-expected-reviewers', { head: opened.headBranch, base: opened.baseBranch }, member);
  await call('list-expected-reviewers', { head: 'none' }, member);
  await call('change-review-settings', { askOwners: true, reviewerIds: [viewer.userId] });
  await call('change-review-settings', { reviewerIds: [admin.userId] });
  await call('watch-repository', { paths: ['src/**'] });
  await call('watch-repository', { paths: ['[z-a]'] });
  await call('get-repository-watch');
  await call('list-watches');
  await call('unwatch-repository');
  await call('comment-on-pull-request');
  const { conversation } = await call('comment-on-pull-request', { body: 'Not long.' });
  const comment = { commentId: conversation?.at(-1).id };
  await call('edit-comment', { ...comment, body: 'Said otherwise.' });
  await call('edit-comment', { ...comment, body: '' });
  await call('list-comment-edits', comment);
  await call('list-comment-edits', comment, service.globex.member);
  await call('react-to-comment', { ...comment, reaction: 'heart', isOn: true }, member);
  await call('react-to-comment', { ...comment, reaction: 'angry', isOn: true });
  await call('delete-comment', comment, member);
  await call('delete-comment', comment);
  const gif = Buffer.from('GIF89a').toString('base64');
  const image = await call('upload-image', { pullRequestId: opened.id, base64: gif }, member);
  await call('upload-image', { base64: 'AAAA' }, member);
  await call('get-image', { imageId: image.id }, member);
  await call('get-image', { imageId: image.id }, service.globex.member);
  const discussion = await call('open-discussion', { file: FILE, startLine: 1 });
  known.discussionId = discussion.id;
  await call('open-discussion', { file: '', startLine: 0, body: '' });
  await call('open-discussion', { file: 'gone.ts', startLine: 1 });
  await call('reply-to-discussion', { body: 'It is gone on purpose.' }, member);
  await call('edit-discussion-comment', { commentId: discussion.comments?.[0].id, body: 'Is it used?' });
  // Nothing is committed: the rest of the walk is about this head.
  const suggestions = [{ commentId: discussion.comments?.[0].id }];
  await call('apply-suggestions', { suggestions, expectedHead: 'a'.repeat(40) }, member);
  await call('apply-suggestions', { suggestions: [], expectedHead: 'a' }, member);
  await call('apply-suggestions', { suggestions, expectedHead: 'a'.repeat(40) }, viewer);
  await call('change-discussion', { status: 'resolved', reason: 'Answered.' });
  await call('change-discussion', { status: 'open' });
  await call('change-discussion', { status: 'gone' });
  await walkPendingReview(recorder, opened.headCommit);
  const { verdicts } = await call('review-pull-request', { verdict: 'changes_requested', note: 'Keep it.' });
  const dismissal = { verdictId: verdicts?.at(-1).id, reason: 'It is unused.' };
  await call('dismiss-review', { ...dismissal, reason: '' });
  await call('dismiss-review', dismissal, member);
  await call('dismiss-review', dismissal);
  await call('review-pull-request', { verdict: 'approved', commit: opened.headCommit });
  await call('review-pull-request', { verdict: 'fine' });
  const status = {
    repository: known.repository,
    commit: opened.headCommit,
    name: 'ci/test',
    state: 'failure',
  };
  await call('set-commit-status', status, member);
  await call('set-commit-status', { ...status, state: 'gone' }, member);
  await call('mute-pull-request');
  await call('unmute-pull-request');
  await call('mark-head-seen', { head: opened.headCommit });
  await call('get-pull-request');
  await call('list-pull-requests');
  await call('get-pull-request-counts');
  await call('list-pull-request-commits');
  await call('list-pull-request-files');
  await call('get-file-diff', { path: FILE });
  await call('compare-pull-request-heads', { from: opened.headCommit });
  await call('compare-submodule', { to: String(known.withSubmodule), path: 'vendor' });
  await call('compare-submodule', { path: FILE });
  await call('mark-file-viewed', { path: FILE, blob: 'a'.repeat(40) });
  await call('list-pull-request-activity', { limit: 3 });
  await call('wait-for-pull-request-changes', { since: 0, waitSeconds: 0 });
  await call('stream-pull-request-changes', { since: 0 });
  await until('read-branch-review', {}, arePlaced);
  await call('get-discussions-by-branch');
  await call('get-discussions-by-branch', { status: 'all' });
  await call('get-discussions-by-branch', { repository: '', branch: '', status: 'gone' });
  await call('get-discussions-by-branch', { branch: 'gone' });
  await call('get-discussions-by-branch', {}, service.globex.member);
  await walkAgentReviews(recorder);
}

async function walkPendingReview({ call, known, service }: Recorder, commit: string): Promise<void> {
  const pending = await call('add-pending-comment', { file: FILE, startLine: 1 });
  await call('add-pending-comment', { file: '', startLine: 0, body: '' });
  await call('add-pending-comment', {}, service.acme.viewer);
  const reply = await call('add-pending-comment', {
    discussionId: known.discussionId,
    body: 'Then keep it.',
  });
  await call('edit-pending-comment', { commentId: reply.id, body: 'Then it can go.' });
  await call('edit-pending-comment', { commentId: known.discussionId, body: 'x' });
  await call('list-pending-comments');
  await call('submit-pending-review', { verdict: 'commented', commit, commentIds: [reply.id] });
  await call('submit-pending-review', { verdict: 'commented', commit, commentIds: [reply.id] });
  await call('delete-pending-comment', { commentId: pending.id });
  await call('discard-pending-comments');
}

async function walkAgentReviews({ call, known, service }: Recorder): Promise<void> {
  const { member } = service.acme;
  const change = { repository: known.repository, prNumber: known.prNumber };
  const own = await call('start-review', change);
  const other = await call('start-review', change, member);
  await call('start-review', {});
  await call('mark-review-served', { runId: own.runId, paths: [FILE] });
  await call('report-review-finding', {
    ...{ runId: own.runId, file: FILE, line: 1, quote: 'export const taxes = 19;', claim: 'other' },
    ...{ subject: 'taxes', title: 'Taxes are never added', scenario: SCENARIO },
  });
  await call('report-review-finding', {
    ...{ runId: own.runId, file: 'gone.ts', line: 1, quote: 'gone', claim: 'other', subject: 'gone' },
    ...{ title: 'Gone', scenario: SCENARIO },
  });
  const { findings = [] } = await call('verify-findings', { runId: other.runId }, member);
  const verdicts = findings.map(({ id }: { id: string }) => ({
    ...{ findingId: id, verdict: 'confirmed', reason: 'Seen.' },
  }));
  await call('verify-findings', { runId: other.runId, verdicts }, member);
  await call('finish-review', { runId: other.runId, lookedAt: [FILE] }, member);
  await call('finish-review', { runId: own.runId, lookedAt: [FILE] });
}

export async function walkReviewers({ call, known, service, until }: Recorder): Promise<void> {
  const { member } = service.acme;
  const rules = "id: no-print\nlanguage: ts\nmessage: Prints\nrule: {pattern: 'print($$$)'}\n";
  const reviewer = { title: 'House rules', kind: 'rules', body: rules, description: 'Ours' };
  known.reviewerId = (await call('create-reviewer', reviewer)).id;
  await call('create-reviewer', { title: '', kind: 'x', body: '' });
  await call('create-reviewer', reviewer, member);
  await call('preview-reviewer-files', { paths: ['src/**'] });
  await call('preview-rule-matches', { rules });
  await call('add-reviewer-version', { ...reviewer, title: 'Rules of the house', activate: false });
  await call('list-reviewer-versions');
  await call('get-reviewer-version', { version: 2 });
  await call('activate-reviewer-version', { version: 2 });
  await call('change-reviewer', { enabled: true });
  await call('get-reviewer');
  const started = await call('start-review-trial', { reviewerId: known.reviewerId });
  known.trialId = started.id;
  await until('get-review-trial', {}, ({ state }) => state !== 'running');
  await call('list-review-trials', { reviewerId: known.reviewerId });
  await call('cancel-review-trial');
  await call('delete-reviewer');
  await call('list-reviewers', { repoName: known.repository });
  await call('list-reviewers', { enabled: 'false' });
  await call('list-reviewers', { enabled: 'x' });
  await call('get-reviewer-config');
}
