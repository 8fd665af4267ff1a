/** Tables have owners: one feature writes a table, and others call it. Every feature may read every table. */
import { expect, it } from 'vitest';
import { isWithin, readFolder } from '../test/source-files.ts';

/** The only folder that inserts, updates and deletes rows of these tables. */
const OWNERS: Record<string, string[]> = {
  'platform/backup': ['latest_backup'],
  'platform/db': ['migrations'],
  'platform/idempotency': ['idempotent_replies'],
  'platform/secrets': ['service_secret'],
  'features/accounts': [
    ...['organizations', 'users', 'former_emails', 'memberships', 'invitations'],
    'invitation_links',
    ...['sessions', 'setup_links', 'sign_in_attempts'],
  ],
  'features/advisories': ['advisories', 'advisory_imports'],
  'features/api-keys': ['api_keys'],
  'features/architecture': [
    'architecture_code_words',
    ...['architecture_facts', 'architecture_overviews', 'architecture_summaries', 'architecture_words'],
  ],
  'features/audit': ['audit_events'],
  'features/code-hosts': [
    ...['code_hosts', 'code_host_redirects', 'code_host_selections', 'host_accounts'],
    ...['code_host_repositories', 'code_host_readers', 'pull_request_syncs'],
    'approval_checks',
  ],
  'features/discussions': ['discussions', 'discussion_positions', 'pending_comments'],
  'features/events': ['events', 'event_outbox'],
  'features/first-steps': ['first_steps'],
  'features/images': ['images', 'image_uses'],
  'features/inbox': ['inbox_items', 'mentions'],
  'features/mail': ['mails', 'mail_settings'],
  'features/models': ['model_settings', 'model_usage'],
  'features/oauth': ['oauth_records'],
  'features/planner-events': ['planner_events', 'planner_sessions'],
  'features/plans': [
    ...['plans', 'plan_versions', 'plan_version_repositories', 'plan_files', 'plan_words'],
    ...['plan_comments', 'plan_muted_threads', 'plan_reviews', 'plan_review_requests', 'plan_pull_requests'],
  ],
  'features/privacy': ['masked_tables'],
  'features/pull-requests': [
    ...['pull_requests', 'pull_request_heads', 'pull_request_comments', 'pull_request_verdicts'],
    ...['pull_request_review_requests', 'pull_request_viewed_files', 'pull_request_last_seen_heads'],
    ...[
      'pull_request_assignees',
      'pull_request_mutes',
      'pull_request_owners',
      'repository_review_settings',
      'pull_request_conflicts',
    ],
    ...['merge_rules', 'pull_request_merges', 'waiting_merges', 'suggestion_commits', 'own_pushes'],
    ...['comment_edits', 'comment_reactions', 'comment_removals', 'deleted_comments'],
  ],
  'features/repositories': ['repositories', 'repository_members', 'repository_refs'],
  'features/review-trials': ['review_trials', 'review_trial_pull_requests'],
  'features/reviewers': ['reviewers', 'reviewer_versions', 'reviewer_scopes'],
  'features/reviews': [
    ...['review_runs', 'review_candidates', 'review_reports', 'agent_reviews', 'agent_findings'],
    ...['finding_decisions', 'finding_verdicts'],
  ],
  'features/single-sign-on': [
    ...['single_sign_on', 'single_sign_on_identities', 'single_sign_on_redirects'],
    'single_sign_on_logouts',
  ],
  'features/statuses': ['commit_statuses'],
  'features/organization-settings': ['organization_switches', 'excluded_paths', 'setting_changes'],
  'features/teams': ['teams', 'team_members'],
  'features/watching': ['watches'],
  'features/webhooks': ['webhooks', 'webhook_deliveries'],
};

/** Files that write rows of others, or of any table (`*`), and why no owner can do it for them. */
const EXCEPTIONS: Record<string, { tables: string[]; why: string }> = {
  'src/features/repositories/store/plan-link-store.ts': {
    tables: ['plan_pull_requests', 'plan_version_repositories'],
    why: 'plans import repositories, so a repository that is added or removed can’t call plans',
  },
  'src/features/privacy/organization-rows-store.ts': {
    tables: ['*'],
    why: 'an organization is deleted from every table, as the catalog lists them',
  },
  'src/features/privacy/person-store.ts': {
    tables: ['*'],
    why: 'a person is removed from every table that may name them',
  },
  'src/features/privacy/masked-table-store.ts': {
    tables: ['*'],
    why: 'texts of many tables are masked in the same way',
  },
  'src/features/advisories/advisory-store.ts': {
    tables: ['incoming_advisories'],
    why: 'a temporary table of its own',
  },
  'src/features/system/failed-job-store.ts': {
    tables: ['pgboss.job'],
    why: 'the queue has no way to run several failed jobs again, or to delete those of an organization',
  },
  'src/platform/db/load-rows.ts': { tables: ['*'], why: 'a backup is restored into every table' },
};

/** SQL is written in capitals; `FOR UPDATE` locks, and `DO UPDATE` belongs to an insert. A table that is not named is `*`. */
const WRITES = [
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:['"]([\w.]+))?/g,
  /(?:INSERT INTO|DELETE FROM|MERGE INTO|TRUNCATE(?: TABLE)?|(?<!\b(?:FOR|KEY|DO) )\bUPDATE)\s+(?:ONLY )?(?:([a-z_.]+)|\$\{)/g,
];

const files = readFolder('src').filter(({ file }) => !isWithin(file, 'platform/db/migrations'));
const schema = files.find(({ file }) => file === 'src/platform/db/schema.ts')!.code;
const written = files.flatMap(({ code, file }) =>
  WRITES.flatMap((pattern) => [...code.matchAll(pattern)]).map(([, table = '*']) => ({ file, table })),
);

it('knows the owner of every table', () => {
  const tables = [...schema.matchAll(/^ {2}(\w+): \{$/gm)].map(([, table]) => table);
  expect(Object.values(OWNERS).flat().sort()).toEqual(tables.sort());
});

it('writes a table in the feature that owns it', () => {
  const wrong = written.filter(
    ({ file, table }) => !isOwn(file, table) && !EXCEPTIONS[file]?.tables.includes(table),
  );
  expect(wrong.map(({ file, table }) => `${file} writes ${table}, which is ${ownerOf(table)}’s`)).toEqual([]);
});

it('has no exception that is not needed', () => {
  const unneeded = Object.entries(EXCEPTIONS).flatMap(([file, { tables }]) =>
    tables.filter((table) => !written.some((each) => each.file === file && each.table === table)),
  );
  expect(unneeded).toEqual([]);
});

function ownerOf(table: string): string | undefined {
  return Object.keys(OWNERS).find((folder) => OWNERS[folder]!.includes(table));
}

function isOwn(file: string, table: string): boolean {
  const owner = ownerOf(table);
  return owner !== undefined && isWithin(file, owner);
}
