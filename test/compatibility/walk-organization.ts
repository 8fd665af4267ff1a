/** The part of the walk about an organization: its people, settings, webhooks, code hosts, and the system. */
import { sql } from 'kysely';
import { offerSetup } from '../../src/features/accounts/index.ts';
import { unsubscribeToken } from '../../src/features/mail/unsubscribe-token.ts';
import { PASSWORD, type Person } from '../helpers/service/factories.ts';
import { testSecrets } from '../helpers/service/secrets.ts';
import { authorizationUrl, Browser, begin, newClient, proofKey, redeem } from '../oauth/agent.ts';
import type { Recorder } from './recorder.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const NEW = { name: 'Ada Lovelace', password: 'the analytical engine' };

export async function walkPeople({ call, known, service }: Recorder): Promise<void> {
  const { admin, member, owner, viewer } = service.acme;
  const who = { email: viewer.email, password: PASSWORD };
  await call('sign-in', who);
  await call('sign-in', { email: viewer.email, password: 'wrong' });
  await call('sign-in', { email: 7 });
  await call('get-session');
  const { sessions } = await call('list-sessions', {}, viewer);
  const isOther = ({ id }: { id: string }) => id !== viewer.sessionId;
  await call('revoke-session', { sessionId: sessions.find(isOther)?.id }, viewer);
  await call('revoke-session', { sessionId: admin.sessionId }, viewer);
  await call('change-profile', { name: 'Acme reader' }, viewer);
  await call('change-password', { currentPassword: PASSWORD, newPassword: NEW.password }, viewer);
  const invited = await call('invite-member');
  await call('invite-member', { email: 'x', role: 'king' });
  await call('invite-member', {}, member);
  await call('list-invitations');
  known.token = tokenOf(invited.url ?? invited.link);
  await call('look-up-invitation');
  await call('accept-invitation', NEW);
  await call('look-up-invitation');
  const other = await call('invite-member', { email: 'other@acme.example' });
  await call('revoke-invitation', { invitationId: other.invitation?.id ?? other.id });
  await call('invite-members', { emails: ['first@acme.example', viewer.email], role: 'member' });
  await call('invite-members', { emails: ['x'], role: 'king' });
  await call('create-invitation-link', { domain: 'acme.example' });
  await call('list-invitation-links');
  await call('revoke-invitation-link', { linkId: NOWHERE });
  await call('look-up-invitation-link', { token: 'x' });
  await call('request-invitation', { token: 'x', email: 'new@acme.example' });
  await call('list-members');
  await call('change-member', { userId: viewer.userId, role: 'member' });
  await call('change-member', { userId: owner.userId, active: false });
  const { key } = await call('create-api-key', { name: 'CI' }, member);
  await call('list-api-keys', {}, member);
  await call('revoke-api-key', { keyId: key?.id }, member);
  await walkAgents({ call, service }, member);
  await call('skip-first-step', { step: 'team', skipped: true }, member);
  await call('get-first-steps', {}, member);
  await call('switch-organization', { organizationId: member.organizationId }, member);
  await call('sign-out', {}, owner);
}

async function walkAgents(
  { call, service }: Pick<Recorder, 'call' | 'service'>,
  person: Person,
): Promise<void> {
  const { url } = service;
  const browser = new Browser(person);
  const { challenge, verifier } = proofKey();
  const client = await newClient(url);
  const signInId = await begin(browser, authorizationUrl(url, client, challenge));
  await call('get-agent-sign-in', { signInId }, person);
  const { continueAt } = await call('answer-agent-sign-in', { signInId, allow: true }, person);
  const back = await browser.get(continueAt);
  await redeem(url, { client, code: back.location!.searchParams.get('code')!, verifier });
  const { agents } = await call('list-agents', {}, person);
  await call('revoke-agent', { agentId: agents[0]?.id }, person);
}

export async function walkTeams({ call, service }: Recorder): Promise<void> {
  const { member, viewer } = service.acme;
  const { id: teamId } = await call('create-team', { name: 'Platform', userIds: [member.userId] });
  await call('create-team', { name: 'platform' });
  await call('create-team', { name: '@' });
  await call('change-team', { teamId, name: 'Core' });
  await call('change-team-members', { teamId, add: [viewer.userId], remove: [member.userId] });
  await call('get-team', { teamId });
  await call('follow-team-of-host', { teamId, codeHostId: teamId, team: 'acme/platform' });
  await call('list-teams');
  await call('delete-team', { teamId });
}

export async function walkSettings({ call, known, service, until }: Recorder): Promise<void> {
  const { admin, member, owner } = service.acme;
  await call('list-switches');
  await call('change-switch', { enabled: false });
  await call('change-switch', { enabled: true }, member);
  await call('list-switch-changes');
  await call('set-excluded-paths', { paths: ['dist/**'] });
  await call('list-excluded-paths');
  await call('list-excluded-path-changes');
  const { rules } = await call('set-merge-rule', {
    ...{ pattern: 'release/*', approvals: 2, mergeUserIds: [member.userId] },
    statuses: [{ name: 'ci', userIds: [member.userId] }],
  });
  await call('list-merge-rules');
  await call('delete-merge-rule', { mergeRuleId: rules[0]!.id });
  await call('get-model-settings');
  await call('change-model-settings', {
    finding: { format: 'openai', url: 'https://models.example.com/v1', model: 'large', key: 'k' },
  });
  await call('reset-model-settings');
  await call('get-mail-settings');
  await call('change-mail-settings', { comments: 'daily' });
  await call('unsubscribe-from-mail', { token: unsubscribeToken(testSecrets, admin) });
  // The only one about the owner: items about others gather what happens at once.
  await call('request-plan-review', { userIds: [owner.userId] }, member);
  await until('get-unread-count', {}, ({ unreadCount }) => unreadCount === 1, owner);
  await call('list-inbox', {}, owner);
  await call('resolve-references', { references: ['acme/shop#1', '@nobody'] }, owner);
  await call('find-mentionable', { query: 'acme' }, owner);
  await call('mark-inbox-read', { all: true }, owner);
  await call('list-audit-events', { action: 'switch.moved' });
  await call('export-audit-events', { action: 'switch.moved' });
  await call('export-organization', {}, service.globex.admin);

  const created = await call('create-webhook', { url: known.receiver, eventKinds: ['plan_created'] });
  await call('create-webhook', { url: 'x', eventKinds: ['x'] });
  known.webhookId = created.webhook?.id;
  await call('test-webhook');
  await call('submit-plan', { seriesKey: '33333333-3333-4333-8333-333333333333' }, member);
  const { deliveries } = await until(
    'list-webhook-deliveries',
    {},
    (list) => list.deliveries[0]?.state === 'succeeded',
  );
  known.deliveryId = deliveries[0].id;
  await call('get-webhook-delivery');
  const resent = await call('resend-webhook-delivery');
  await until('get-webhook-delivery', { deliveryId: resent.id }, ({ state }) => state === 'succeeded');
  await call('change-webhook', { enabled: false });
  await call('rotate-webhook-secret');
  await call('list-webhooks');
  await call('delete-webhook');
}

/** Without the servers of others: what is there before one is connected, and what is refused. */
export async function walkConnections({ call, service }: Recorder): Promise<void> {
  const { admin } = service.acme;
  const host = { codeHostId: NOWHERE };
  await call('list-code-hosts');
  await call('connect-code-host', { kind: 'x', url: '', token: '' });
  await call('start-github-app', { url: 'https://github.com', organization: 'acme', name: 'Review' });
  await call('finish-github-app', { code: 'x', state: 'x' });
  for (const name of ['get-code-host', 'test-code-host', 'disconnect-code-host']) await call(name, host);
  await call('change-code-host', { ...host, name: 'Git' });
  await call('list-host-repositories', host);
  await call('add-host-repositories', { ...host, names: ['acme/shop'] });
  await call('remove-host-selection', { ...host, selectionId: NOWHERE });
  await call('list-connected-repositories', host);
  await call('change-host-repository', { ...host, repositoryId: NOWHERE, visibility: 'host' });
  await call('list-host-accounts', host);
  await call('link-host-account', { ...host, accountId: NOWHERE, userId: admin.userId });
  await call('unlink-host-account', { ...host, accountId: NOWHERE });
  await call('list-my-host-accounts');
  await call('start-host-account-link', host);
  await call('finish-host-account-link', { code: 'x', state: 'x' });
  await call('receive-host-webhook', host);
  await call('list-sign-in-methods');
  await call('start-single-sign-on', { organizationId: admin.organizationId });
  await call('finish-single-sign-on', { state: 'x', code: 'x' });
  await call('get-my-identity');
  await call('start-identity-link');
  await call('get-single-sign-on');
  await call('change-single-sign-on', { name: '', issuer: 'x' });
  await call('test-single-sign-on', { issuer: 'x', clientId: 'x' });
  await call('list-identities');
  await call('allow-identity-link', { userId: admin.userId });
  await call('unlink-identity', { userId: admin.userId });
  await call('receive-logout', { organizationId: admin.organizationId });
  await call('test-model');
  await call('send-test-mail');
}

/** Last, because it ends what the others use. */
export async function walkEnd({ call, known, service, until }: Recorder): Promise<void> {
  await call('request-review-run');
  const isDone = ({ state }: { state: string }) => state === 'done';
  await until('list-review-runs', {}, ({ due, runs }) => !due && runs.every(isDone));
  await call('get-system');
  await call('check-system');
  await call('list-failed-jobs');
  await call('run-jobs-again', { kind: 'deliver-webhook' });
  const { url } = await call('get-push-url');
  known.token = url.split('/').at(-1);
  await call('stream-repository-changes', {}, service.acme.admin, () =>
    call('change-repository', { name: 'acme/store' }),
  );
  await call('refresh-repository');
  await call('note-push');
  await call('add-repository', { url: known.folder, name: 'acme/books' });
  await call('add-repository', { url: '', name: 7 });
  await call('remove-repository');
  await call('delete-plan');
}

/** On a service of its own, which has nobody yet. */
export async function walkSetUp({ call, service }: Recorder): Promise<void> {
  const owner = { organizationName: 'Initech', ...NEW, email: 'ada@initech.example' };
  await call('get-setup-state');
  await call('set-up', { token: 'x', ...owner });
  await sql`TRUNCATE organizations, users, setup_links CASCADE`.execute(service.db);
  const link = await offerSetup(service.db, service.url, service.clock.now());
  await call('set-up', { token: tokenOf(link), ...owner });
  await call('get-setup-state');
}

function tokenOf(link: string | undefined): string | undefined {
  return link?.split('#token=')[1];
}
