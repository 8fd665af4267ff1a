/** An organization in which every name, title and text is hostile, so that every page has something hostile to show. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { inviteMember } from '../../src/features/accounts/invitations/invite-member.ts';
import { generateApiKey } from '../../src/features/api-keys/index.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import { lockIdleCodeHosts } from '../../src/features/code-hosts/index.ts';
import { createEventOutbox } from '../../src/features/events/index.ts';
import { notifyPeople } from '../../src/features/inbox/index.ts';
import { lockIdlePlans } from '../../src/features/plans/index.ts';
import { lockIdlePullRequests } from '../../src/features/pull-requests/index.ts';
import {
  claimDelivery,
  insertDeliveries,
  recordAttempt,
} from '../../src/features/webhooks/delivery-store.ts';
import { createLog } from '../../src/platform/core/telemetry/log.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { reviewNow, scriptedFinding } from '../code-hosts/scripted-review.ts';
import { writeFacts, writeSummaries } from '../helpers/rows/architecture.ts';
import { addRepository } from '../helpers/rows/code.ts';
import { makePullRequest } from '../helpers/rows/pull-requests.ts';
import { makeRepositoryRow } from '../helpers/rows/repository-rows.ts';
import { makePerson, makeUser, PASSWORD } from '../helpers/service/factories.ts';
import { type TestService, withSession } from '../helpers/service/harness.ts';
import { newClient, signInAgent } from '../oauth/agent.ts';
import { HOSTILE_DIAGRAMS, HOSTILE_MARKDOWN, HOSTILE_TEXTS } from './harmless.ts';
import { doToPlan, postComment, postPlan, postVersion } from './plan-samples.ts';
import { samplePullRequest } from './sample-pull-request.ts';

const TOGETHER = HOSTILE_TEXTS.join('').slice(0, 200);
const [IMAGE, SCRIPT] = HOSTILE_TEXTS as [string, string];
/** Characters that a path can't have are left out. */
const FILE = `odd/${IMAGE.replaceAll('/', '')}\u202Egpj.ts`;

export interface HostileOrganization {
  invitation: string;
  plan: string;
  pullRequest: string;
  repository: string;
  file: string;
  reviewer: string;
  webhook: string;
}

export async function fillWithHostileText(service: TestService): Promise<HostileOrganization> {
  const invitation = await fillAccounts(service);
  const repository = await addRepository(
    service,
    {
      'README.md': HOSTILE_MARKDOWN,
      [FILE]: `order ${HOSTILE_TEXTS.join('\n\norder ')}\n${'W'.repeat(20_000)}\n`,
    },
    { fullName: `acme/${'long-'.repeat(30)}name` },
  );
  const pullRequest = await fillPullRequests(service);
  const plan = await fillPlans(service);
  await describeArchitecture(service, repository.id);
  const webhook = await fillWebhooks(service);
  const reviewer = await makeReviewer(service);
  await notify(service);
  return { invitation, plan, pullRequest, repository: repository.id, file: FILE, reviewer, webhook };
}

async function send(service: TestService, path: string, body: object): Promise<Record<string, string>> {
  const reply = await service.request('POST', `/api/v2/${path}`, {
    as: withSession(service.acme.owner),
    body,
  });
  expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
}

/** The organization, its people, keys, invitations, browsers and agents; returns the link of an invitation. */
async function fillAccounts(service: TestService): Promise<string> {
  const { acme, db } = service;
  const now = service.clock.now();
  await db.updateTable('organizations').set({ name: TOGETHER }).where('id', '=', acme.id).execute();
  for (const { userId } of [acme.owner, acme.admin, acme.member])
    await db.updateTable('users').set({ name: TOGETHER }).where('id', '=', userId).execute();
  for (const text of HOSTILE_TEXTS) {
    const user = await makeUser(db, { name: text, email: addressWith(text) }, now);
    await makePerson(db, acme.id, user, 'member', now);
    await generateApiKey(db, acme.owner, text, operatorOf(acme.id, now));
    await service.request('POST', '/api/v2/session', {
      body: { email: acme.owner.email, password: PASSWORD },
      headers: { 'user-agent': text.replaceAll(/[^\x20-\x7E]/g, '?') },
    });
  }
  for (const name of [TOGETHER, HOSTILE_TEXTS[5]!])
    await signInAgent(service, acme.owner, await newClient(service.url, { client_name: name }));
  const input = { email: addressWith(IMAGE), role: 'viewer' };
  const { body } = await service.call(inviteMember, input, withSession(acme.owner));
  return body.link;
}

/** Spaces and invisible characters are refused in addresses. */
function addressWith(text: string): string {
  const box = text.replaceAll(/[\s@\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  return `${randomUUID().slice(0, 8)}${box}@x`.toLowerCase();
}

/** A pull request with a discussion of each text and a dismissed finding, and a list of others. */
async function fillPullRequests(service: TestService): Promise<string> {
  const { acme } = service;
  const pullRequest = await samplePullRequest(service, {
    title: IMAGE,
    description: HOSTILE_MARKDOWN,
    before: { 'a.ts': 'a\n' },
    after: { [FILE]: `${HOSTILE_TEXTS.join('\n')}\n`, 'a.ts': `${'W'.repeat(5000)}\n` },
  });
  for (const [index, body] of HOSTILE_TEXTS.entries())
    await pullRequest.post(acme.owner, 'discussions', { file: FILE, startLine: index + 1, body });
  await pullRequest.post(acme.admin, 'comments', { body: HOSTILE_MARKDOWN });
  for (const [title, file] of [
    [IMAGE, 'a.ts'],
    [SCRIPT, FILE],
  ] as const)
    await reviewNow(service, acme, pullRequest.id, [
      scriptedFinding({ title, scenario: TOGETHER, quote: IMAGE, file, line: 1, subject: title }),
    ]);
  const path = `/api/v2/pull-requests/${pullRequest.id}/discussions`;
  const { body } = await service.request('GET', path, { as: withSession(acme.owner) });
  const finding = body.discussions.find((each: { reviewerId: string | null }) => each.reviewerId);
  await send(service, `discussions/${(finding ?? body.discussions.at(-1)).id}/dismissal`, {
    reason: 'later',
    scope: 'path',
    note: TOGETHER,
  });
  const row = await makeRepositoryRow(service, acme.id);
  for (const title of HOSTILE_TEXTS)
    await makePullRequest(service, row, { title, author: acme.admin, headBranch: title.slice(0, 100) });
  return pullRequest.id;
}

/** A plan whose text, comments, notes and names are hostile, in two versions, and a list of others. */
async function fillPlans(service: TestService): Promise<string> {
  const { acme } = service;
  for (const text of HOSTILE_TEXTS)
    await postPlan(service, acme.member, `# \`${text}\``, { repoNames: [text.slice(0, 300)] });
  const more = { modelId: IMAGE, repoNames: [IMAGE, `acme/${'w'.repeat(200)}`] };
  const plan = await postPlan(service, acme.member, HOSTILE_MARKDOWN + HOSTILE_DIAGRAMS, more);
  const second = await postVersion(
    service,
    acme.member,
    plan,
    HOSTILE_MARKDOWN.replace('press me', 'press me harder').replace('safe', SCRIPT),
  );
  for (const body of [...HOSTILE_TEXTS, HOSTILE_MARKDOWN])
    await postComment(service, acme.admin, second, body, { on: 'press me harder' });
  await postComment(service, acme.admin, plan, 'free', { anchor: IMAGE });
  await doToPlan(service, acme.admin, second, 'request-changes', {
    versionId: second.versionId,
    note: HOSTILE_TEXTS.join('\n'),
  });
  await doToPlan(service, acme.admin, second, 'review-requests', { userIds: [acme.owner.userId] });
  await doToPlan(service, acme.admin, second, 'pull-requests', { prNumber: 1, repoName: SCRIPT });
  return plan.seriesId;
}

async function describeArchitecture(service: TestService, repositoryId: string): Promise<void> {
  const { acme } = service;
  const repository = { id: repositoryId, organizationId: acme.id, name: IMAGE, commit: 'ab'.repeat(20) };
  await writeSummaries(service, repository, { API: HOSTILE_TEXTS, DATA: TOGETHER });
  await writeFacts(service, repository, [`provides package ${IMAGE} package.json:2`]);
  const other = await makeRepositoryRow(service, acme.id);
  await writeFacts(service, { ...other, organizationId: acme.id }, [`uses package ${IMAGE} package.json:7`]);
}

/** A webhook with a delivery that was refused with hostile words. */
async function fillWebhooks(service: TestService): Promise<string> {
  const { acme, db } = service;
  const url = `https://hooks.invalid/${IMAGE}?a=${SCRIPT}${'W'.repeat(200)}`;
  const { webhook } = (await send(service, 'webhooks', { url })) as unknown as { webhook: { id: string } };
  const delivery = { id: uuidv7(), organizationId: acme.id, webhookId: webhook.id };
  const payload = JSON.stringify({ title: TOGETHER });
  await insertDeliveries(db, [{ ...delivery, eventKind: 'plan_created', payload }], service.clock.now());
  const claimed = await claimDelivery(db, delivery.id);
  await recordAttempt(db, claimed!, {
    ...{ at: service.clock.now(), state: 'failed', responseStatus: 500, note: HOSTILE_TEXTS.join(' ') },
    ...{ durationMs: 7, retryDelayMs: undefined },
  });
  return webhook.id;
}

async function makeReviewer(service: TestService): Promise<string> {
  const { id } = await send(service, 'reviewers', {
    title: TOGETHER,
    description: HOSTILE_TEXTS.join(' '),
    kind: 'instructions',
    body: HOSTILE_MARKDOWN,
  });
  return id!;
}

/** Fills the inboxes with what happened above, as the worker does. */
async function notify({ clock, db }: TestService): Promise<void> {
  const outbox = createEventOutbox({
    handlers: [notifyPeople],
    lockIdle: { plan: lockIdlePlans, pull_request: lockIdlePullRequests, code_host: lockIdleCodeHosts },
    announce: () => undefined,
    log: createLog({ level: 'silent', terminal: false }),
  });
  await outbox.run(db, clock.now());
}
