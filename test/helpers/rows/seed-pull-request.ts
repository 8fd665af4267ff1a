/** A pull request with a row in every table that belongs to pull requests, for tests of what belongs to an organization. */

import { upsertExcludedPaths } from '../../../src/features/organization-settings/excluded-path-store.ts';
import { insertSettingChange } from '../../../src/features/organization-settings/setting-change-store.ts';
import { insertReviewer, insertVersion } from '../../../src/features/reviewers/store/reviewer-store.ts';
import {
  insertAgentFindings,
  insertAgentReview,
  upsertVerdicts,
} from '../../../src/features/reviews/agents/agent-review-store.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import type { Person } from '../service/factories.ts';
import type { TestService } from '../service/harness.ts';
import { seedArchitecture } from './architecture.ts';
import { makeHostAccount, makePullRequest } from './pull-requests.ts';
import { makeRepositoryRow } from './repository-rows.ts';

type Service = Pick<TestService, 'db' | 'clock'>;

/** All its texts contain the organization's name. */
export async function seedPullRequest(
  service: Service,
  organization: { id: string; name: string },
  person: Person,
): Promise<{ id: string; number: number }> {
  const { clock, db } = service;
  const { id: organizationId, name } = organization;
  const at = clock.now();
  const commit = 'ac'.repeat(20);
  const repository = await makeRepositoryRow(service, organizationId, {
    name: `${name.toLowerCase()}/seeded`,
  });
  const accountId = await makeHostAccount(service, organizationId, { name: `${name} account` });
  const author = { kind: 'person' as const, userId: null, accountId, name: `${name} account` };
  const made = await makePullRequest(service, repository, {
    title: `${name} change`,
    author,
    headCommit: commit,
  });
  await seedCodeHost(service, { organizationId, repositoryId: repository.id, accountId, name });
  await seedArchitecture(service, { organizationId, repositoryId: repository.id, name });
  const of = { organization_id: organizationId, pull_request_id: made.id };
  const by = { author_kind: 'person', author_user_id: person.userId, author_name: person.name } as const;
  await db
    .insertInto('pull_request_review_requests')
    .values({ ...of, id: uuidv7(), user_id: person.userId, name: person.name, requested_at: at })
    .execute();
  await db
    .insertInto('pull_request_verdicts')
    .values({
      ...of,
      id: uuidv7(),
      user_id: person.userId,
      name: person.name,
      verdict: 'commented',
      note: `${name} note`,
      created_at: at,
      sending: 'none',
    })
    .execute();
  const reviewerId = await seedReviewer(service, {
    organizationId,
    repositoryId: repository.id,
    person,
    name,
  });
  const discussionId = uuidv7();
  await db
    .insertInto('discussions')
    .values({
      ...of,
      ...by,
      id: discussionId,
      repository_id: repository.id,
      reviewer_id: reviewerId,
      file: `${name}.ts`,
      side: 'new',
      start_line: 1,
      end_line: 1,
      commit,
      commented_code: name,
      created_at: at,
      updated_at: at,
      status: 'open',
      status_cause: 'opened',
      status_at: at,
      judged_from: 1,
      sending: 'none',
    })
    .execute();
  const commentId = uuidv7();
  await db
    .insertInto('pull_request_comments')
    .values({
      ...of,
      ...by,
      id: commentId,
      discussion_id: discussionId,
      body: `${name} comment`,
      created_at: at,
      sending: 'none',
    })
    .execute();
  await db
    .insertInto('discussion_positions')
    .values({
      organization_id: organizationId,
      discussion_id: discussionId,
      commit,
      outcome: 'exact',
      file: `${name}.ts`,
      start_line: 1,
      end_line: 1,
    })
    .execute();
  const ofReader = { ...of, user_id: person.userId };
  await db
    .insertInto('pull_request_viewed_files')
    .values({ ...ofReader, path: `${name}.ts`, blob: commit, viewed_at: at })
    .execute();
  await db
    .insertInto('pull_request_last_seen_heads')
    .values({ ...ofReader, head_commit: commit, seen_at: at })
    .execute();
  await db
    .insertInto('pull_request_assignees')
    .values({ ...ofReader, assigned_at: at })
    .execute();
  await db
    .insertInto('pull_request_mutes')
    .values({ ...ofReader, created_at: at })
    .execute();
  await db
    .insertInto('pull_request_conflicts')
    .values({
      ...of,
      file_count: 1,
      files: JSON.stringify([{ path: `${name}.ts`, kind: 'content', hunks: [], truncated: false }]),
    })
    .execute();
  await db
    .insertInto('mentions')
    .values({
      ...{
        source_id: made.id,
        user_id: person.userId,
        organization_id: of.organization_id,
        mentioned_at: at,
      },
    })
    .execute();
  await db
    .insertInto('commit_statuses')
    .values({
      ...{ id: uuidv7(), organization_id: of.organization_id, repository_id: repository.id },
      ...{ commit, name: `ci/${name}`, state: 'success', description: name, url: null },
      ...{ set_with: 'key', user_id: person.userId, key_name: name, account_login: null, updated_at: at },
    })
    .execute();
  await db
    .insertInto('pull_request_owners')
    .values({
      ...of,
      file: 'CODEOWNERS',
      dialect: 'github',
      owned: JSON.stringify([
        { section: null, line: 1, pattern: `${name}.ts`, owners: [], required: 1, paths: [`${name}.ts`] },
      ]),
      problems: '[]',
    })
    .execute();
  const { organization_id } = of;
  await db
    .insertInto('repository_review_settings')
    .values({ repository_id: repository.id, organization_id, user_ids: [person.userId], team_ids: [] })
    .onConflict((conflict) => conflict.column('repository_id').doNothing())
    .execute();
  await db
    .insertInto('watches')
    .values({
      ...{ id: uuidv7(), organization_id, repository_id: repository.id, user_id: person.userId },
      ...{ paths: [`${name}/**`], since: at },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('pending_comments')
    .values({
      ...{ ...ofReader, id: uuidv7(), discussion_id: null, is_reply: false, file: `${name}.ts`, side: 'new' },
      ...{ start_line: 1, end_line: 1, commit, commented_code: name, body: `${name} pending` },
      ...{ created_at: at, updated_at: at },
    })
    .execute();
  await db
    .insertInto('merge_rules')
    .values({
      ...{ id: uuidv7(), organization_id, repository_id: repository.id, pattern: `${name}/**` },
      ...{ approvals: 1, owners: false, statuses: '[]', resolved_discussions: false, approved_plan: false },
      ...{ keep_approvals: false, allow_only_person: false, merge_role: 'member', merge_user_ids: [] },
      ...{ updated_by: person.userId, updated_at: at },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('approval_checks')
    .values({
      ...{ ...of, evaluated_event: '1', evaluated_at: at, state: 'pending', commit },
      ...{ title: `${name} check`, text: `${name} check`, sending: 'none', sending_problem: null },
    })
    .execute();
  await db
    .insertInto('pull_request_merges')
    .values({
      ...of,
      id: uuidv7(),
      repository_id: repository.id,
      state: 'failed',
      method: 'merge',
      user_id: person.userId,
      base_branch: 'main',
      base_commit: commit,
      head_commit: commit,
      merge_commit: commit,
      tree: commit,
      rule: null,
      approver_ids: [],
      bypassed: ['approvals'],
      bypass_reason: `${name} reason`,
      delete_branch: false,
      started_at: at,
      look_at: at,
      finished_at: at,
      failure: 'rejected',
      problem: `${name} problem`,
    })
    .execute();
  await db
    .insertInto('waiting_merges')
    .values({
      ...{ ...of, id: uuidv7(), user_id: person.userId, head_commit: commit, base_branch: 'main' },
      ...{ method: 'squash', message: `${name} message`, delete_branch: false, since: at },
    })
    .execute();
  await db
    .insertInto('comment_edits')
    .values({
      ...{ organization_id: organizationId, comment_id: commentId, position: 0, body: `${name} before` },
      ...{ written_at: at, replaced_at: at },
    })
    .execute();
  await db
    .insertInto('comment_reactions')
    .values({
      ...{ organization_id: organizationId, comment_id: commentId, reaction: 'heart' },
      ...{ user_id: person.userId, created_at: at },
    })
    .execute();
  await db
    .insertInto('comment_removals')
    .values({
      ...{ ...of, comment_id: uuidv7(), host_comment_id: 'conversation:1', attempts: 0, removed_at: at },
    })
    .execute();
  await db
    .insertInto('deleted_comments')
    .values({ ...of, id: uuidv7(), created_at: at, deleted_at: at, deleted_by: person.userId })
    .execute();
  const imageId = uuidv7();
  await db
    .insertInto('images')
    .values({
      ...{
        ...of,
        id: imageId,
        user_id: person.userId,
        media_type: 'image/gif',
        created_at: at,
        used_at: at,
      },
      ...{ content: Buffer.from('GIF89a'), size: 6 },
    })
    .execute();
  await db
    .insertInto('image_uses')
    .values({ ...of, image_id: imageId, kind: 'pull_requests', source_id: of.pull_request_id, position: 0 })
    .execute();
  await db
    .insertInto('suggestion_commits')
    .values({
      ...{
        ...of,
        id: uuidv7(),
        repository_id: repository.id,
        user_id: person.userId,
        branch: `${name} branch`,
      },
      ...{ from_commit: commit, commit, comment_ids: [uuidv7()], indexes: [0], made_at: at, applied_at: at },
    })
    .execute();
  await db
    .insertInto('own_pushes')
    .values({
      ...{ ...of, id: uuidv7(), repository_id: repository.id, user_id: person.userId, kind: 'update' },
      ...{ branch: `${name} branch`, from_commit: commit, to_commit: commit, made_at: at },
    })
    .execute();
  await seedReview(service, { ...of, repository_id: repository.id }, { discussionId, person, name });
  return made;
}

/** A review with a finding that was dismissed, and the model that it used. */
async function seedReview(
  { clock, db }: Service,
  of: { organization_id: string; pull_request_id: string; repository_id: string },
  { discussionId, name, person }: { discussionId: string; person: Person; name: string },
): Promise<void> {
  const [at, runId] = [clock.now(), uuidv7()];
  const { repository_id: _, ...ofPullRequest } = of;
  const reviewer = await db
    .selectFrom('reviewers')
    .select('id')
    .where('organization_id', '=', of.organization_id)
    .where('built_in', '=', 'secrets')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('review_runs')
    .values({
      ...of,
      ...{
        id: runId,
        trigger: 'opened',
        head_commit: 'ac'.repeat(20),
        merge_base: 'ad'.repeat(20),
        state: 'done',
      },
      ...{
        files: 1,
        added_lines: 1,
        more_files: 0,
        not_reviewed: '[]',
        checks: '[]',
        started_at: at,
        finished_at: at,
      },
    })
    .execute();
  await db
    .insertInto('model_settings')
    .values({
      organization_id: of.organization_id,
      finding: JSON.stringify({ format: 'openai', url: 'https://models.example.com/v1', model: name }),
      ...{ run_tokens: 1000, pull_request_tokens: 1000, month_tokens: 1000 },
      ...{ updated_by: person.userId, updated_at: at },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('model_usage')
    .values({
      ...ofPullRequest,
      ...{ id: runId, model: name, purpose: 'review', month: '2026-11' },
      ...{ requests: 1, input_tokens: 1, output_tokens: 1 },
    })
    .execute();
  await db
    .insertInto('review_candidates')
    .values({
      ...ofPullRequest,
      ...{
        run_id: runId,
        position: 0,
        reviewer_id: reviewer.id,
        check_name: 'leaked_secret',
        claim: 'secret',
      },
      ...{ subject: name, title: `${name} title`, scenario: name, file: `${name}.ts`, side: 'head', line: 1 },
      ...{ quote: name, evidence: '[]', finding_key: name, fate: 'finding', discussion_id: discussionId },
    })
    .execute();
  await seedAgentReview({ clock, db }, of, { person, name });
  await db
    .insertInto('finding_decisions')
    .values({
      ...of,
      ...{
        id: uuidv7(),
        discussion_id: discussionId,
        finding_key: name,
        scope: 'repository',
        reason: 'wrong',
      },
      ...{ note: `${name} note`, decided_by: person.userId, created_at: at },
    })
    .execute();
  await db
    .insertInto('review_trials')
    .values({
      ...{
        id: runId,
        organization_id: of.organization_id,
        reviewer_id: reviewer.id,
        version: 1,
        state: 'done',
      },
      ...{ started_by: person.userId, created_at: at },
    })
    .execute();
  await db
    .insertInto('review_trial_pull_requests')
    .values({
      ...of,
      ...{ trial_id: runId, position: 1, reviewed_at: at, problem: `${name} problem` },
      findings: JSON.stringify([
        {
          ...{ outcome: 'added', fixed: true, reviewer: name, check: name, title: `${name} trial` },
          ...{ file: `${name}.ts`, line: 1, quote: name },
        },
      ]),
    })
    .execute();
  await db
    .insertInto('review_reports')
    .values({
      ...ofPullRequest,
      ...{ commit: 'ac'.repeat(20), check_state: 'neutral', check_title: name, check_text: name },
      ...{ summary: `${name} summary`, sending: 'sent' },
    })
    .execute();
}

/** A review by an agent, with a finding that another one confirmed. */
async function seedAgentReview(
  { clock, db }: Pick<Service, 'clock' | 'db'>,
  of: { organization_id: string; pull_request_id: string; repository_id: string },
  { name, person }: { person: Person; name: string },
): Promise<void> {
  const [at, organizationId] = [clock.now(), of.organization_id];
  const producer = { kind: 'agent' as const, userId: person.userId, userName: name };
  const [own, other] = [uuidv7(), uuidv7()];
  for (const id of [own, other]) {
    await insertAgentReview(db, {
      ...{ id, organizationId, repositoryId: of.repository_id, pullRequestId: of.pull_request_id },
      ...{ userId: person.userId, credentialId: uuidv7(), patch: `${name} patch`, paths: [`${name}.ts`] },
      producer: { ...producer, vendor: name, model: name, sessionId: name },
      ...{ headCommit: 'ac'.repeat(20), mergeBase: 'ad'.repeat(20), addedLines: 1, moreFiles: 0 },
      ...{ notReviewed: [], leaseUntil: new Date(at.getTime() + 600_000), at },
    });
  }
  const findingId = uuidv7();
  const place = { file: `${name}.ts`, side: 'head' as const, line: 1, quote: name };
  const candidate = { ...place, claim: 'other' as const, subject: name, title: name, scenario: name };
  await insertAgentFindings(db, [
    {
      ...{ id: findingId, reviewId: own, organizationId, outcome: 'accepted', reason: null, at },
      candidate: { ...candidate, reviewer: 'secrets', check: 'other', evidence: [], key: name },
    },
  ]);
  const verdict = { findingId, verdict: 'confirmed' as const, reason: `${name} reason` };
  await upsertVerdicts(db, { reviewId: other, organizationId, at }, [verdict]);
}

/**
 * Seeds rows that are kept in sync with a code host: a repository, who can read it, what was chosen, and a pull request to read.
 */
async function seedCodeHost(
  { clock, db }: Service,
  seed: { organizationId: string; repositoryId: string; accountId: string; name: string },
): Promise<void> {
  const at = clock.now();
  const { code_host_id } = await db
    .selectFrom('host_accounts')
    .select('code_host_id')
    .where('id', '=', seed.accountId)
    .executeTakeFirstOrThrow();
  const of = { organization_id: seed.organizationId, repository_id: seed.repositoryId };
  await db
    .insertInto('code_host_repositories')
    .values({
      ...of,
      code_host_id,
      host_repository_id: seed.repositoryId,
      full_name: `${seed.name}/seeded`,
      is_private: true,
      connected_at: at,
    })
    .execute();
  await db
    .insertInto('code_host_readers')
    .values({ ...of, account_id: seed.accountId })
    .execute();
  await db
    .insertInto('code_host_selections')
    .values({
      id: uuidv7(),
      organization_id: seed.organizationId,
      code_host_id,
      pattern: `${seed.name}/*`,
      include_new: true,
      created_at: at,
    })
    .execute();
  await db
    .insertInto('pull_request_syncs')
    .values({ ...of, code_host_id, number: 1, priority: 0, asked_at: at })
    .execute();
}

/** A custom reviewer with one version and one scope, and excluded paths with their history. */
async function seedReviewer(
  { clock, db }: Service,
  seed: { organizationId: string; repositoryId: string; person: Person; name: string },
): Promise<string> {
  const { name, organizationId, person, repositoryId } = seed;
  const at = clock.now();
  const id = uuidv7();
  const by = { organizationId, userId: person.userId, at };
  await insertReviewer(db, { ...by, id, title: `${name} reviewer`, enabled: true });
  await insertVersion(db, {
    ...by,
    reviewerId: id,
    number: 1,
    title: `${name} reviewer`,
    description: name,
    kind: 'instructions',
    body: name,
    scopes: [{ repositoryId, paths: [name] }],
  });
  await upsertExcludedPaths(db, { ...by, repositoryId, paths: [name] });
  const change = { before: { paths: [] }, after: { paths: [name] } };
  await insertSettingChange(db, { ...by, ...change, subjectId: repositoryId });
  return id;
}
