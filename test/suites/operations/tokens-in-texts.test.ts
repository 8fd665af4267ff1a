/**
 * A token that is in the code is in no text that is stored or derived from it: people and agents quote it, and no operation, tool,
 * resource, prompt, export, mail, webhook, chat message, log line or table has it afterwards. Only what reads code itself shows it.
 * Operations, tools and columns are enumerated, so new ones are covered.
 */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { MASKED_TABLES, maskStoredTexts } from '../../../src/features/privacy/index.ts';
import { operations } from '../../../src/operations.ts';
import type { Operation } from '../../../src/platform/core/operations/operation.ts';
import { addRepository } from '../../helpers/rows/code.ts';
import { startReceiver } from '../../helpers/servers/webhook-receiver.ts';
import type { Person } from '../../helpers/service/factories.ts';
import { startTestService, withSession } from '../../helpers/service/harness.ts';
import { type Fields, inputFrom, requestOf } from '../../helpers/service/operation-inputs.ts';
import { connect } from '../../mcp/clients.ts';

/** Put together, so that scanners of this repository leave it alone. */
const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;
const MASKED = 'ghp_…';
const SAID = `Why is ${TOKEN} here?`;
const LINE = `export const client = connect('${TOKEN}');`;
const FILES = {
  'README.md': `# Shop\n\nA shop for books. Connect with ${TOKEN} to try it.\n`,
  'package.json': '{"name": "shop", "dependencies": {"express": "1.0.0"}}\n',
  'src/routes.ts': `import express from 'express';\nconst app = express();\napp.get('/hooks/${TOKEN}', handle);\n`,
  'src/page.ts': 'export const page = 1;\n',
};
const PAY = `import { connect } from './net.ts';\n${LINE}\nexport const half = (sum: number) => sum / 0;\n`;
const DIFF = `diff --git a/src/page.ts b/src/page.ts\n--- a/src/page.ts\n+++ b/src/page.ts\n@@ -1 +1,2 @@\n export const page = 1;\n+${LINE}\n`;
const RULES = 'id: connects\nlanguage: TypeScript\nmessage: Connects\nrule:\n  pattern: app.get($A, $B)\n';

/** Operations that read code itself. */
const VERBATIM = new Set([
  ...['grep-code', 'search-code', 'search-all-code', 'read-file', 'get-file-diff', 'list-pull-request-files'],
  'list-merge-conflicts',
]);
const VERBATIM_TOOLS = new Set(['remote_grep', 'remote_read_file']);
/** Tokens in plans and in anchors of them, which stay as they were posted. */
const IN_PLAN = new RegExp(`(Use|Then) ${TOKEN}`, 'g');
/** Where plans are stored, and unpushed code until its review ends, which leaves it out of exports. */
const VERBATIM_COLUMNS = ['agent_reviews.patch', 'plan_comments.anchor', 'plan_versions.content'];
/** Written again from the code when it is cleaned. */
const DESCRIBED = [
  'architecture_code_words',
  'architecture_facts',
  'architecture_summaries',
  'architecture_overviews',
];
/** Reviews are dismissed only since everything is masked on its way in, and the audit log is never rewritten. */
const NEVER_REWRITTEN = ['audit_events'];
/** Written here only since everything is masked on its way in. */
const ALWAYS_MASKED = ['pull_requests.labels'];

/** They have nothing to do with code, need another service, or end what the others use. */
const NOT_CALLED = new Set([
  ...['compare-submodule', 'create-invitation-link', 'revoke-invitation-link', 'look-up-invitation-link'],
  'request-invitation',
  // They would end the pull request or move its head, and commits keep the message that a person wrote; only merged ones are reverted.
  ...['merge-pull-request', 'revert-pull-request', 'apply-suggestions', 'update-head-branch'],
  ...['delete-head-branch', 'restore-head-branch', 'resolve-merge-conflicts'],
  ...['set-up', 'sign-in', 'sign-out', 'switch-organization', 'change-password', 'revoke-session'],
  ...['look-up-invitation', 'accept-invitation', 'revoke-invitation', 'revoke-api-key', 'change-member'],
  ...['get-agent-sign-in', 'answer-agent-sign-in', 'revoke-agent', 'unsubscribe-from-mail', 'note-push'],
  ...['start-single-sign-on', 'finish-single-sign-on', 'start-identity-link', 'change-single-sign-on'],
  ...['test-single-sign-on', 'allow-identity-link', 'unlink-identity', 'receive-logout', 'change-profile'],
  ...['change-model-settings', 'reset-model-settings', 'test-model', 'run-jobs-again', 'add-repository'],
  ...['connect-code-host', 'start-github-app', 'finish-github-app', 'get-code-host', 'change-code-host'],
  ...['test-code-host', 'disconnect-code-host', 'list-host-repositories', 'add-host-repositories'],
  ...['remove-host-selection', 'list-connected-repositories', 'change-host-repository', 'list-host-accounts'],
  ...['link-host-account', 'unlink-host-account', 'start-host-account-link', 'finish-host-account-link'],
  ...[
    'receive-host-webhook',
    'follow-team-of-host',
    'read-image',
    'start-review-trial',
    'get-review-trial',
    'cancel-review-trial',
  ],
  ...['stream-plan-changes', 'stream-pull-request-changes', 'stream-repository-changes'],
  ...['delete-plan', 'delete-reviewer', 'delete-webhook', 'remove-repository', 'change-repository'],
]);

const mails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, _, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      mails.push(Buffer.concat(chunks).toString('utf8').replaceAll(/=\r\n/g, ''));
      done();
    });
  },
});
await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', () => done()));
afterAll(() => new Promise<void>((done) => smtp.close(() => done())));
const receiver = await startReceiver();
afterAll(() => receiver.close());
const service = await startTestService({
  worker: true,
  settings: {
    ...{ ALLOW_LOCAL_REPOSITORIES: 'true', ALLOW_PRIVATE_ADDRESSES: 'true', LOG_LEVEL: 'trace' },
    SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    MAIL_FROM: 'Countersign <bot@review.example>',
  },
});
const { acme, db } = service;
const { admin, member } = acme;
const repository = await addRepository(service, FILES);
const main = await repository.git('rev-parse', 'main');
await repository.commit({ 'src/pay.ts': PAY }, { branch: 'feature', from: main, message: SAID });
await repository.refresh();

/** Values of fields, by their name; those of texts that people and agents write contain the token. */
const known: Fields = {
  ...{ repository: repository.fullName, repoName: repository.fullName, repositoryId: repository.id },
  ...{ branch: 'feature', head: 'feature', pattern: 'connect', keywords: ['books', 'hooks', 'shop'] },
  ...{ title: SAID, description: SAID, body: SAID, note: SAID, paths: [], userIds: [member.userId] },
  ...{ seriesKey: randomUUID(), agentVendor: 'claude-code', content: `# Pay\n\nUse ${TOKEN} to pay.\n` },
  ...{ sessionId: randomUUID(), eventType: 'planner_session_started', version: 1, waitSeconds: 0 },
  ...{ path: 'src/routes.ts', domain: 'API', key: 'planner', scope: 'repository', email: 'new@acme.example' },
  ...{ role: 'viewer', kind: 'instructions', viewed: true, status: 'open', name: 'connect', enabled: true },
};
known.seriesId = known.seriesKey;
const PUSHED = { branch: 'main', from: 'a'.repeat(40), to: 'b'.repeat(40) };
const leaks: string[] = [];
const called = new Set<string>();

// biome-ignore lint/suspicious/noExplicitAny: replies are read as a client without types does.
async function call(name: string, more: Fields = {}, as: Person = admin): Promise<any> {
  const operation = (operations as readonly Operation[]).find((each) => each.name === name)!;
  const input = inputFrom(operation, known, more);
  const { body, method, path } = requestOf(operation, input);
  const options = { headers: { 'content-type': 'application/json' }, as: withSession(as), body };
  const reply = await service.request(method, path, options);
  const text = (typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)).replaceAll(
    IN_PLAN,
    'plan',
  );
  expect(reply.status, `${name} ${JSON.stringify(input)}: ${text}`).toBeLessThan(400);
  called.add(name);
  if (text.includes(TOKEN) && !VERBATIM.has(name))
    leaks.push(`${name}: ${text.slice(Math.max(0, text.indexOf(TOKEN) - 200), text.indexOf(TOKEN) + 20)}`);
  return reply.body;
}

const last = (name: string) => (one: { name: string }, other: { name: string }) =>
  Number(one.name === name) - Number(other.name === name);

/** Until background work has done it. */
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 120_000, interval: 200 });

async function columnsWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
      AND c.data_type IN ('text', 'jsonb', 'json', 'ARRAY', 'tsvector') ORDER BY 1, 2`.execute(db);
  const found: string[] = [];
  for (const { column, table } of rows) {
    const holds = sql`SELECT 1 FROM ${sql.table(table)} WHERE position(${text} IN ${sql.ref(column)}::text) > 0 LIMIT 1`;
    if ((await holds.execute(db)).rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}

describe('with a token in the code, in every text about it', { timeout: 300_000 }, () => {
  it('plans, comments and reviews are written', async () => {
    known.webhookId = (await call('create-webhook', { url: receiver.url })).webhook.id;
    await call('create-webhook', { url: `${receiver.url}/T0/B0/chat`, format: 'slack' });
    for (const person of [admin, member])
      await call(
        'change-mail-settings',
        { comments: 'now', replies: 'now', reviewRequests: 'now', decisions: 'now', updates: 'now' },
        person,
      );
    await call('submit-plan', {}, member);
    const plan = await call(
      'submit-plan',
      { content: `${known.content}\nThen ${TOKEN} is revoked.\n` },
      member,
    );
    known.versionId = plan.versionId;
    const comment = await call('add-plan-comment', { anchor: `Use ${TOKEN}` });
    known.commentId = comment.commentId ?? comment.id;
    known.threadId = known.commentId;
    await call('change-plan-comment', { body: `${SAID} Really?` });
    await call('request-plan-review', {}, admin);
    await call('request-plan-changes');
    await call('approve-plan', { note: SAID });
    await call('withdraw-plan-approval', { note: SAID });
    await call('approve-plan', { note: SAID });
    await call('mark-plan-implemented', { note: SAID });
    await call('close-plan', { note: SAID });
    await call('reopen-plan', { note: SAID });
    await call('mute-plan-thread');
    await call('unmute-plan-thread');
    await call('record-session-event', {}, member);
    const opened = await call('open-pull-request', { description: SAID }, member);
    known.pullRequestId = opened.id;
    known.prNumber = opened.number;
    known.head = opened.headCommit;
    await call('link-pull-request', { repoName: repository.fullName }, member);
    await call('change-pull-request', { title: `${SAID} Now?`, description: `${SAID} Now?` }, member);
    await call('request-pull-request-review', { userIds: [admin.userId] }, member);
    await call('comment-on-pull-request');
    const body = `${SAID}\n\n\`\`\`suggestion\n${LINE.replace(TOKEN, 'x')}\n\`\`\``;
    const discussion = await call('open-discussion', { file: 'src/pay.ts', startLine: 2, body });
    known.discussionId = discussion.id;
    expect(discussion.commentedCode).toBe(LINE.replace(TOKEN, MASKED));
    await call('reply-to-discussion', { body: `\`${LINE}\`` }, member);
    const [first] = discussion.comments;
    await call('edit-discussion-comment', { commentId: first.id, body: `${body}\n\n${SAID}` });
    await call('change-discussion', { status: 'resolved', reason: SAID });
    await call('change-discussion', { status: 'open', reason: SAID });
    const { verdicts } = await call('review-pull-request', { verdict: 'changes_requested', note: SAID });
    await call('dismiss-review', { verdictId: verdicts.at(-1).id, reason: SAID });
    await call('mute-pull-request');
    await call('unmute-pull-request');
    await call('mark-head-seen');
  });

  it('reviewers and agents find things in it', async () => {
    await call('request-review-run');
    await until(async () => {
      const { discussions } = await call('list-discussions');
      const found = discussions.find(
        ({ author }: { author: { kind: string } }) => author.kind === 'reviewer',
      );
      expect(found.commentedCode).toContain(MASKED);
      known.findingId = found.id;
    });
    const [own, other] = [
      await call('start-review', { repository: repository.fullName, prNumber: known.prNumber }),
      await call('start-review', { repository: repository.fullName, prNumber: known.prNumber }, member),
    ];
    const [{ hunks }] = own.files;
    expect(hunks[0].added).toContain(LINE.replace(TOKEN, MASKED));
    await call('mark-review-served', { runId: own.runId, paths: ['src/pay.ts'] });
    const reported = await call('report-review-finding', {
      ...{ runId: own.runId, file: 'src/pay.ts', line: 2, quote: hunks[0].added[1], claim: 'other' },
      ...{ subject: SAID, title: SAID, scenario: `${SAID} Everyone who reads the code can connect.` },
    });
    expect(reported).toMatchObject({ status: 'accepted', line: 2 });
    const { findings } = await call('verify-findings', { runId: other.runId }, member);
    const verdicts = findings.map(({ id }: { id: string }) => ({
      ...{ findingId: id, verdict: 'confirmed', reason: SAID },
    }));
    expect(verdicts).toHaveLength(1);
    await call('verify-findings', { runId: other.runId, verdicts }, member);
    await call('finish-review', { runId: other.runId, lookedAt: ['src/pay.ts'] }, member);
    await call('finish-review', { runId: own.runId, lookedAt: ['src/pay.ts'] });
    const ofDiff = await call('start-review', { repository: repository.fullName, diff: DIFF, base: main });
    expect(JSON.stringify(ofDiff.files)).toContain(MASKED);
    const finding = { discussionId: known.findingId };
    await call('preview-dismissal', finding);
    await call('dismiss-finding', { ...finding, reason: 'intended', note: SAID });
    const { dismissals } = await call('list-dismissals');
    await call('undo-dismissal', { dismissalId: dismissals[0].id });
  });

  it('background work is done', async () => {
    await until(async () => {
      const { summaries } = await call('search-summaries');
      expect(summaries.length).toBeGreaterThan(0);
    });
    await until(async () => {
      const { rows } = await sql<{ left: number }>`
        SELECT (SELECT count(*) FROM event_outbox) + (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending')
          + (SELECT count(*) FROM mails WHERE state IN ('pending', 'sending') AND NOT digest) AS left`.execute(
        db,
      );
      expect(Number(rows[0]!.left)).toBe(0);
    });
    const { deliveries } = await call('list-webhook-deliveries');
    known.deliveryId = deliveries[0].id;
    known.runId = (await call('list-review-runs')).runs[0].id;
    known.reviewerId = (await call('create-reviewer', { title: 'Ours', body: 'Look.', description: '' })).id;
  });

  it('every operation is called', async () => {
    const special: Record<string, Fields> = {
      'search-files': { pattern: '*' },
      'grep-code': { path: '' },
      'compare-plan-versions': { from: 1, to: 2 },
      'search-code': { pattern: 'ghp_' },
      'search-all-code': { pattern: 'ghp_' },
      'search-commits': { query: 'e' },
      'get-file-diff': { path: 'src/pay.ts' },
      'mark-file-viewed': { path: 'src/pay.ts', blob: 'a'.repeat(40) },
      'preview-rule-matches': { rules: RULES },
      'add-reviewer-version': { title: 'Ours', body: 'Look well.', description: '' },
      'change-reviewer': { enabled: true },
      'mark-inbox-read': { all: true },
      'set-commit-status': {
        ...{ commit: await repository.git('rev-parse', 'feature'), state: 'failure' },
        ...{ name: SAID, description: SAID, url: `https://ci.example/${TOKEN}` },
      },
      'create-api-key': { name: 'CI' },
      'change-switch': { enabled: true },
      'find-uses': { name: 'express' },
      'list-review-trials': { reviewerId: known.reviewerId },
      'change-webhook': { enabled: true },
      'get-merge-messages': { head: await repository.git('rev-parse', 'feature') },
      'set-merge-when-ready': {
        ...{ head: await repository.git('rev-parse', 'feature'), method: 'squash', message: SAID },
      },
      'wait-for-plan-changes': { since: 0 },
      'wait-for-pull-request-changes': { since: 0 },
      'resolve-references': { references: [`#${known.prNumber}`, '@member'] },
      'watch-repository': { paths: ['src/**'] },
      'check-push': { updates: [PUSHED] },
      'change-labels': { add: [TOKEN] },
      'change-assignees': { add: [member.userId] },
    };
    const place = { file: 'src/pay.ts', startLine: 2 };
    const { id: pendingId } = await call('add-pending-comment', place);
    await call('edit-pending-comment', { commentId: pendingId });
    await call('list-pending-comments');
    await call('delete-pending-comment', { commentId: pendingId });
    const { id: submittedId } = await call('add-pending-comment', place);
    const { headCommit: commit } = await call('get-pull-request');
    await call('submit-pending-review', { verdict: 'commented', commit, commentIds: [submittedId] });
    await call('discard-pending-comments');
    const { conversation } = await call('comment-on-pull-request');
    const commentId = conversation.at(-1).id;
    await call('edit-comment', { commentId });
    await call('list-comment-edits', { commentId });
    await call('react-to-comment', { commentId, reaction: 'eyes', isOn: true });
    await call('delete-comment', { commentId });
    const gif = Buffer.from('GIF89a').toString('base64');
    const { id: imageId } = await call('upload-image', { pullRequestId: known.pullRequestId, base64: gif });
    await call('get-image', { imageId });
    const { id: teamId } = await call('create-team', { name: 'Core', userIds: [member.userId] });
    await call('change-team', { teamId, name: 'Platform' });
    await call('change-team-members', { teamId, add: [], remove: [] });
    await call('get-team', { teamId });
    await call('delete-team', { teamId });
    const { rules } = await call('set-merge-rule', { pattern: 'main' });
    await call('delete-merge-rule', { mergeRuleId: rules[0].id });
    await call('skip-first-step', { step: 'team', skipped: true });
    await call('invite-members', { emails: ['one@acme.example'], role: 'member' });
    await call('compare-pull-request-heads', { from: commit, to: commit });
    for (const { name } of operations) {
      if (NOT_CALLED.has(name) || (called.has(name) && !(name in special))) continue;
      await call(name, special[name]);
    }
    for (const name of ['list-inbox', 'get-pull-request', 'list-pull-request-activity', 'list-discussions'])
      await call(name, {}, member);
    expect(
      operations
        .map(({ name }) => name)
        .filter((name) => !called.has(name))
        .toSorted(),
    ).toEqual([...NOT_CALLED].toSorted());
    expect(leaks).toEqual([]);
  });

  it('every tool, resource and prompt is read', async () => {
    const client = await connect(service.url, { 'x-api-key': admin.key });
    const special: Record<string, Fields> = {
      remote_grep: { pattern: 'connect', path: '' },
      remote_file_search: { pattern: '*' },
      remote_read_file: { path: 'src/pay.ts', ref: 'feature' },
      report_finding: { quote: LINE.replace(TOKEN, MASKED) },
      wait_for_review: { repository: repository.fullName, branch: 'feature', since: 0 },
      open_pull_request: { skipIfOpen: true, title: SAID },
      check_push: { updates: [PUSHED] },
      set_status: {
        name: 'ci/tool',
        state: 'failure',
        description: SAID,
        commit: await repository.git('rev-parse', 'feature'),
      },
    };
    const { tools } = await client.listTools();
    const started = await client.callTool({
      name: 'start_review',
      arguments: { repository: repository.fullName, prNumber: known.prNumber },
    });
    const { runId } = started.structuredContent as { runId: string };
    const found: string[] = [];
    const uncalled: string[] = [];
    const check = (name: string, value: unknown) => {
      if (JSON.stringify(value).replaceAll(IN_PLAN, 'plan').includes(TOKEN) && !VERBATIM_TOOLS.has(name))
        found.push(name);
    };
    check('start_review', started);
    const given: Fields = {
      ...{ ...known, runId, planId: known.seriesId, prNumber: known.prNumber, file: 'src/pay.ts', line: 2 },
      ...{
        quote: LINE.replace(TOKEN, MASKED),
        claim: 'other',
        subject: 'client',
        scenario: `${SAID} It fails.`,
      },
      ...{ lookedAt: ['src/pay.ts'], keyword: 'shop', keywords: ['shop'], repo: repository.fullName },
      ...{ parentId: known.commentId, commentId: known.commentId, head: 'feature' },
    };
    for (const { inputSchema, name } of tools.toSorted(last('finish_review'))) {
      const required = (inputSchema.required ?? []) as string[];
      const input = Object.fromEntries(required.map((field) => [field, given[field]]));
      const more = name === 'start_review' ? { runId } : special[name];
      const result = await client.callTool({ name, arguments: { ...input, ...more } });
      check(name, result);
      if (result.isError) uncalled.push(`${name}: ${JSON.stringify(result.content)}`);
    }
    expect(uncalled).toEqual([]);
    const { resources } = await client.listResources();
    for (const { uri } of resources) check(uri, await client.readResource({ uri }));
    const { prompts } = await client.listPrompts();
    for (const { arguments: asked = [], name } of prompts)
      check(
        name,
        await client.getPrompt({
          name,
          arguments: Object.fromEntries(asked.map((each) => [each.name, String(given[each.name])])),
        }),
      );
    expect(found).toEqual([]);
  });

  it('tables and exports have it only where code and plans are kept', async () => {
    expect(await columnsWith(TOKEN)).toEqual(VERBATIM_COLUMNS);
    expect(String(await call('export-organization'))).toContain(MASKED);
    expect(leaks).toEqual([]);
  });

  it('mails, webhooks, chat messages and log lines do not have it', () => {
    const deliveries = receiver.received.map(({ body }) => body);
    expect(mails.join('\n')).toContain('ghp_');
    expect(deliveries.some((body) => body.includes(MASKED))).toBe(true);
    expect(receiver.received.some(({ body, path }) => path.endsWith('chat') && body.includes(MASKED))).toBe(
      true,
    );
    for (const text of [...mails, ...deliveries, ...service.logLines]) expect(text).not.toContain(TOKEN);
  });

  it('rows from before are cleaned by two nodes at once, also after one was stopped, and then left alone', async () => {
    const covered = MASKED_TABLES.flatMap(({ json = [], name, texts = [] }) =>
      [...texts, ...json].map((column) => `${name}.${column}`),
    );
    // A column with a mask is one that earlier versions filled with the token.
    const stored = (await columnsWith(MASKED)).filter(
      (place) =>
        ![...DESCRIBED, ...NEVER_REWRITTEN].includes(place.split('.')[0]!) && !ALWAYS_MASKED.includes(place),
    );
    expect(stored.filter((place) => !covered.includes(place))).toEqual([]);
    for (const { json = [], name, texts = [] } of MASKED_TABLES) {
      const table = sql.table(name);
      for (const column of texts.map((each) => sql.ref(each)))
        await sql`UPDATE ${table} SET ${column} = ${column} || ${`\n${SAID}`}`.execute(db);
      for (const column of json.map((each) => sql.ref(each)))
        await sql`UPDATE ${table} SET ${column} = CASE jsonb_typeof(${column}) WHEN 'object'
          THEN ${column} || jsonb_build_object('planted', ${SAID}::text) ELSE ${column} || to_jsonb(${SAID}::text) END`.execute(
          db,
        );
    }
    expect((await columnsWith(TOKEN)).length).toBeGreaterThan(VERBATIM_COLUMNS.length + 20);
    await sql`DELETE FROM masked_tables`.execute(db);
    // A node that dies in the middle leaves everything as it was before its batch.
    await expect(
      db.transaction().execute(async (transaction) => {
        await maskStoredTexts(transaction);
        throw new Error('stopped');
      }),
    ).rejects.toThrow('stopped');
    for (;;) {
      await Promise.all([maskStoredTexts(db), maskStoredTexts(db)]);
      const { rows } = await sql`SELECT 1 FROM masked_tables WHERE finished_at IS NULL`.execute(db);
      if (rows.length === 0) break;
    }
    expect(await columnsWith(TOKEN)).toEqual(VERBATIM_COLUMNS);
    const before = await db.selectFrom('masked_tables').selectAll().orderBy('name').execute();
    await maskStoredTexts(db);
    expect(await db.selectFrom('masked_tables').selectAll().orderBy('name').execute()).toEqual(before);
  });
});
