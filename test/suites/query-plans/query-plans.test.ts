/**
 * Every query of accounts, single sign-on, API keys, signed-in agents and the audit log, and of the deletion of people, explained on
 * 100,000 rows a table: each is served by an index and reads few rows, however large the tables are.
 */
import { expect, it } from 'vitest';
import * as throttle from '../../../src/features/accounts/sessions/sign-in-attempt-store.ts';
import * as accounts from '../../../src/features/accounts/store/account-store.ts';
import * as invitationLinks from '../../../src/features/accounts/store/invitation-link-store.ts';
import * as invitationMails from '../../../src/features/accounts/store/invitation-mail-store.ts';
import * as invitations from '../../../src/features/accounts/store/invitation-store.ts';
import * as sessions from '../../../src/features/accounts/store/session-store.ts';
import * as keys from '../../../src/features/api-keys/api-key-store.ts';
import * as audit from '../../../src/features/audit/audit-store.ts';
import * as firstSteps from '../../../src/features/first-steps/first-steps-store.ts';
import * as handles from '../../../src/features/memberships/handle-store.ts';
import * as memberships from '../../../src/features/memberships/membership-store.ts';
import * as agents from '../../../src/features/oauth/agent-store.ts';
import * as records from '../../../src/features/oauth/record-store.ts';
import * as people from '../../../src/features/privacy/person-store.ts';
import * as checks from '../../../src/features/single-sign-on/identities/due-check-store.ts';
import * as identities from '../../../src/features/single-sign-on/identities/identity-store.ts';
import * as ssoSettings from '../../../src/features/single-sign-on/settings/settings-store.ts';
import * as redirects from '../../../src/features/single-sign-on/signing-in/redirect-store.ts';
import { selectIssuers } from '../../../src/features/system/organization-check-store.ts';
import * as hostTeams from '../../../src/features/teams/host-team-store.ts';
import * as providerTeams from '../../../src/features/teams/provider-team-store.ts';
import * as teams from '../../../src/features/teams/team-store.ts';
import { DEFAULT_SESSION_DAYS, sessionLifeOf } from '../../../src/platform/core/ports/retention.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { withConnection } from '../../../src/platform/db/index.ts';
import { type Queries, testCoverage, testQueries } from '../../helpers/database/check-query-plans.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';
import { explainEach, rowsRead, tablesScanned } from '../../helpers/database/explain-queries.ts';
import { finishFilling, startFilling } from '../../helpers/database/fill-quickly.ts';

const ROWS = 100_000;
const ORGANIZATIONS = 1000;
/** Far below what a scan of a table or of a large organization's log would read, far above what a page needs. */
const MAX_ROWS_READ = 1500;

const NOW = new Date('2026-11-15T12:00:00.000Z');
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const hash = (text: string) => Buffer.from(text.padEnd(32, '.'));

const connection = await createTestDatabase();
const some = await withConnection(connection, async (client) => {
  const fill = (sql: string) => client.query(sql.replaceAll('NOW', `timestamptz '${NOW.toISOString()}'`));
  await startFilling(client);
  await fill(`INSERT INTO organizations
    SELECT gen_random_uuid(), 'Organization ' || n, NOW - interval '1 year' FROM generate_series(1, ${ORGANIZATIONS}) n`);
  await fill(`INSERT INTO users SELECT gen_random_uuid(), 'user' || n || '@example.com', 'User ' || md5(n::text),
    'x', NOW - interval '1 year', NOW - interval '1 year' FROM generate_series(1, ${ROWS}) n`);
  await fill(`INSERT INTO former_emails SELECT id, 'former.' || email FROM users`);
  await fill(`INSERT INTO memberships
    SELECT o.id, u.id, CASE WHEN u.n % 100 < 2 THEN 'owner' ELSE 'member' END, NOW - interval '1 year'
    FROM (SELECT id, row_number() OVER () AS n FROM users) u
    JOIN (SELECT id, row_number() OVER () AS n FROM organizations) o ON o.n = u.n % ${ORGANIZATIONS} + 1`);
  await fill(
    `INSERT INTO first_steps (organization_id, user_id) SELECT organization_id, user_id FROM memberships`,
  );
  await fill(`INSERT INTO sessions SELECT gen_random_uuid(), sha256(user_id::text::bytea), organization_id, user_id,
    NOW - interval '1 day', NOW, NOW + random() * interval '14 days' + interval '1 second', 'a browser', '192.0.2.1' FROM memberships`);
  await fill(`INSERT INTO api_keys SELECT gen_random_uuid(), sha256(user_id::text::bytea), organization_id, user_id,
    'CI', 'csk_abcd', 'wxyz', NOW - interval '1 day', NOW - interval '1 hour', NULL FROM memberships`);
  await fill(`INSERT INTO oauth_records (id, kind, key_hash, payload, organization_id, user_id, created_at, expires_at)
    SELECT gen_random_uuid(), 'Grant', sha256(('grant' || user_id)::bytea), '{}', organization_id, user_id,
    NOW - interval '1 day', NOW + random() * interval '30 days' + interval '1 second' FROM memberships`);
  await fill(`INSERT INTO oauth_records (id, kind, key_hash, payload, grant_id, created_at, expires_at)
    SELECT gen_random_uuid(), k.kind, sha256((k.kind || g.id)::bytea), '{}', g.id, g.created_at, g.expires_at
    FROM oauth_records g, (VALUES ('AccessToken'), ('RefreshToken')) k (kind)`);
  await fill(`INSERT INTO invitations SELECT gen_random_uuid(), organization_id, sha256(user_id::text::bytea),
    'guest' || row_number() OVER () || '@example.com', 'member', user_id, NOW - interval '1 hour', NOW + interval '7 days',
    NULL, NULL FROM memberships`);
  await fill(`INSERT INTO sign_in_attempts SELECT 'account user' || n || '@example.com', 3,
    NOW + random() * interval '15 minutes' + interval '1 second', 'user' || n || '@example.com' FROM generate_series(1, ${ROWS}) n`);
  await fill(`INSERT INTO invitation_links SELECT gen_random_uuid(), organization_id, sha256(('link' || user_id)::bytea), 'a.example',
    'member', user_id, NOW, NOW + interval '1 day', 10, 0, NULL FROM memberships WHERE role = 'owner'`);
  await fill(`INSERT INTO single_sign_on SELECT id, 'https://id.example', 'x', 'x', 'x', true, '{}', 'invitation', NULL,
    'groups', '[]', true, 10, 24, NULL, NOW FROM organizations`);
  await fill(`INSERT INTO single_sign_on_identities SELECT gen_random_uuid(), organization_id, user_id, 'https://id.example',
    user_id::text, 'x', NULL, NOW, NOW + random() * interval '10 minutes' + interval '1 second', NOW, NOW FROM memberships`);
  await fill(`INSERT INTO teams (id, organization_id, name, provider_group, created_at)
    SELECT gen_random_uuid(), o.id, 'team-' || n, CASE WHEN n % 2 = 0 THEN 'group-' || n END, NOW
    FROM organizations o, generate_series(1, 20) n`);
  await fill(`INSERT INTO team_members SELECT t.id, m.user_id, t.organization_id, NOW
    FROM teams t JOIN LATERAL (SELECT user_id FROM memberships m WHERE m.organization_id = t.organization_id LIMIT 5) m ON true`);
  await fill(`INSERT INTO single_sign_on_redirects SELECT sha256(n::text::bytea), 'x', gen_random_uuid(), NULL, 'x', '/',
    NOW + interval '10 minutes' FROM generate_series(1, ${ROWS}) n`);
  await fill(`INSERT INTO single_sign_on_logouts SELECT gen_random_uuid(), sha256(n::text::bytea),
    NOW + interval '10 minutes' FROM generate_series(1, ${ROWS}) n`);
  await fill(`INSERT INTO setup_links SELECT sha256(n::text::bytea), NOW FROM generate_series(1, 10) n`);
  const { rows } = await client.query<{ organization_id: string; user_id: string; email: string }>(
    `SELECT m.organization_id, m.user_id, u.email FROM memberships m JOIN users u ON u.id = m.user_id ORDER BY u.email LIMIT 1`,
  );
  const { email, organization_id, user_id } = rows[0]!;
  const {
    rows: [team],
  } = await client.query<{ id: string }>(
    `SELECT id FROM teams WHERE organization_id = '${organization_id}' LIMIT 1`,
  );
  // One organization has half of all audit events, as after years of use.
  await fill(`INSERT INTO audit_events SELECT gen_random_uuid(),
      CASE WHEN n % 2 = 0 THEN '${organization_id}' ELSE m.organization_id END, NOW - n * interval '1 minute',
      CASE WHEN n % 500 = 0 THEN 'api_key.revoked' ELSE 'session.started' END, 'session', m.user_id, NULL, NULL, '{}', NULL, NULL
    FROM (SELECT *, row_number() OVER () AS n FROM memberships) m`);
  await finishFilling(client);
  return { organizationId: organization_id, userId: user_id, email, teamId: team!.id };
});

const { email, organizationId, teamId, userId } = some;
const owner = { organizationId, userId };
const id = uuidv7();
const attempt = { email, address: '192.0.2.1', deviceId: undefined };
const event = { action: 'session.started' };
const identity = { organizationId, issuer: 'https://id.example', subject: 'x' };
const source = { ...owner, kind: 'session' as const, address: null, requestId: null, at: NOW };

/** Store by store, every function of it. */
const QUERIES: Queries = {
  'account-store': {
    lockSetup: (db) => accounts.lockSetup(db),
    insertOrganization: (db) => accounts.insertOrganization(db, { id, name: 'x', at: NOW }),
    insertUser: (db) => accounts.insertUser(db, { id, email, name: 'x', passwordHash: 'x', at: NOW }),
    updateProfile: (db) =>
      accounts.updateProfile(db, { id: userId, password_hash: 'x' }, { name: 'x', email: 'new@example.com' }),
    countActiveOwners: (db) => accounts.countActiveOwners(db, organizationId),
    selectUserByEmail: (db) => accounts.selectUserByEmail(db, email),
    selectUser: (db) => accounts.selectUser(db, userId),
    updatePassword: (db) => accounts.updatePassword(db, userId, 'y', NOW),
    holdPassword: (db) => accounts.holdPassword(db, { id: userId, password_hash: 'x' }),
    insertMembership: (db) => accounts.insertMembership(db, { ...owner, role: 'member', at: NOW }),
    selectMembershipsOf: (db) => accounts.selectMembershipsOf(db, userId),
    selectMembers: async (db) => {
      await accounts.selectMembers(db, organizationId, { limit: 51 });
      await accounts.selectMembers(db, organizationId, { limit: 51, after: { name: 'User 8', id } });
    },
    lockMembersAndOwners: (db) => accounts.lockMembersAndOwners(db, organizationId, [userId, id]),
    isSingleSignOnOnly: (db) => accounts.isSingleSignOnOnly(db, organizationId),
    memberHasEmail: (db) => accounts.memberHasEmail(db, organizationId, email),
    selectMemberEmails: (db) => accounts.selectMemberEmails(db, organizationId, ['user1@example.com']),
    updateMembership: (db) =>
      accounts.updateMembership(db, organizationId, userId, { role: 'viewer', deactivatedAt: NOW }),
    insertSetupLink: (db) => accounts.insertSetupLink(db, hash('new'), NOW),
  },
  'session-store': {
    insertSession: (db) =>
      sessions.insertSession(db, {
        ...owner,
        id,
        tokenHash: hash('new'),
        userAgent: null,
        address: 'x',
        at: NOW,
        expiresAt: NOW,
      }),
    selectActorsBySession: (db) => sessions.selectActorsBySession(db, manyHashes(), NOW),
    updateSessionsUsed: (db) =>
      sessions.updateSessionsUsed(db, [id, userId], NOW, sessionLifeOf(DEFAULT_SESSION_DAYS)),
    findSessionUser: (db) => sessions.findSessionUser(db, 'x', NOW),
    selectSessionIssuer: (db) => sessions.selectSessionIssuer(db, id),
    isSingleSignOnSession: (db) => sessions.isSingleSignOnSession(db, id),
    deletePasswordSessions: (db) => sessions.deletePasswordSessions(db, organizationId),
    deleteIdentitySessions: async (db) => {
      await sessions.deleteIdentitySessions(db, id);
      await sessions.deleteIdentitySessions(db, id, 'x');
    },
    selectSessionsOf: (db) => sessions.selectSessionsOf(db, userId, NOW),
    deleteSession: (db) => sessions.deleteSession(db, userId, id),
    deleteSessionByToken: (db) => sessions.deleteSessionByToken(db, Buffer.alloc(32)),
    deleteSessionsOf: async (db) => {
      await sessions.deleteSessionsOf(db, userId, organizationId);
      await sessions.deleteSessionsOf(db, userId);
    },
    deleteExpiredSessions: (db) => sessions.deleteExpiredSessions(db, at(5)),
  },
  'first-steps-store': {
    selectFirstSteps: (db) => firstSteps.selectFirstSteps(db, { organizationId, userId }),
    saveAgent: (db) => firstSteps.saveAgent(db, { organizationId, userId }, 'codex', NOW),
    saveSkipped: (db) => firstSteps.saveSkipped(db, { organizationId, userId }, 'team', true),
  },
  'invitation-store': {
    insertInvitation: (db) =>
      invitations.insertInvitation(db, {
        id,
        organizationId,
        tokenHash: hash('new'),
        email,
        role: 'member',
        invitedBy: userId,
        at: NOW,
        expiresAt: NOW,
      }),
    selectInvitations: async (db) => {
      await invitations.selectInvitations(db, organizationId, { limit: 51 });
      await invitations.selectInvitations(db, organizationId, { limit: 51, beforeId: id });
    },
    selectInvitation: (db) => invitations.selectInvitation(db, organizationId, id),
    markRevoked: (db) => invitations.markRevoked(db, organizationId, id, NOW),
    revokeInvitationsBy: (db) => invitations.revokeInvitationsBy(db, organizationId, userId, ['member'], NOW),
    selectOpenInvitation: (db) => invitations.selectOpenInvitation(db, hash('x'), NOW),
    markAccepted: (db) => invitations.markAccepted(db, id, NOW),
    selectPendingInvitations: (db) =>
      invitations.selectPendingInvitations(db, organizationId, ['a@example.com', 'b@example.com'], NOW),
    selectInvitationByLink: (db) => invitations.selectInvitationByLink(db, id, 'a@example.com', NOW),
  },
  'invitation-link-store': {
    insertInvitationLink: (db) =>
      invitationLinks.insertInvitationLink(db, {
        ...{ id: uuidv7(), organizationId, tokenHash: hash('link'), domain: 'a.example', role: 'member' },
        ...{ createdBy: userId, at: NOW, expiresAt: at(60), maxUses: 1 },
      }),
    selectInvitationLinks: (db) => invitationLinks.selectInvitationLinks(db, organizationId, { limit: 51 }),
    selectInvitationLink: (db) => invitationLinks.selectInvitationLink(db, organizationId, id),
    countOpenLinks: (db) => invitationLinks.countOpenLinks(db, organizationId, NOW),
    selectOpenLink: (db) => invitationLinks.selectOpenLink(db, hash('x'), NOW, { lock: true }),
    countUse: (db) => invitationLinks.countUse(db, id),
    markLinkRevoked: (db) => invitationLinks.markLinkRevoked(db, organizationId, id, NOW),
    revokeLinksBy: (db) => invitationLinks.revokeLinksBy(db, organizationId, userId, NOW),
  },
  'invitation-mail-store': {
    claimInvitationMail: (db) => invitationMails.claimInvitationMail(db, NOW),
    abandonInvitationMails: (db) => invitationMails.abandonInvitationMails(db, NOW),
    finishInvitationMail: async (db) => {
      const [mail] = [{ id, mail_attempts: 1 } as invitationMails.ClaimedInvitation];
      await invitationMails.finishInvitationMail(db, mail, { state: 'sent' });
    },
    mailAgain: (db) => invitationMails.mailAgain(db, id, NOW, NOW),
  },
  'sign-in-attempt-store': {
    countAttempt: (db) => throttle.countAttempt(db, attempt, NOW),
    forgiveAttempt: (db) => throttle.forgiveAttempt(db, attempt),
    forgetAccountAttempts: (db) => throttle.forgetAccountAttempts(db, email),
    touchAttempt: (db) => throttle.touchAttempt(db, attempt),
    deleteOldAttempts: (db) => throttle.deleteOldAttempts(db, new Date(NOW.getTime() + 2000)),
  },
  'api-key-store': {
    countActiveKeys: (db) => keys.countActiveKeys(db, owner),
    insertKey: (db) =>
      keys.insertKey(db, { ...owner, id, hash: hash('new'), name: 'x', prefix: 'x', lastFour: 'x', at: NOW }),
    selectKeys: async (db) => {
      await keys.selectKeys(db, owner, { limit: 51 });
      await keys.selectKeys(db, owner, { limit: 51, beforeId: id });
    },
    selectKey: (db) => keys.selectKey(db, owner, id),
    findKeyOwner: (db) => keys.findKeyOwner(db, id),
    markKeyRevoked: (db) => keys.markKeyRevoked(db, owner, id, NOW),
    revokeKeysOf: (db) => keys.revokeKeysOf(db, owner, NOW),
    selectActorsByKey: (db) => keys.selectActorsByKey(db, manyHashes()),
    selectKeyState: (db) => keys.selectKeyState(db, hash('x')),
    updateLastUsed: (db) => keys.updateLastUsed(db, [id, userId], NOW),
  },
  'oauth: record-store': {
    upsertRecord: (db) =>
      records.upsertRecord(db, {
        id,
        kind: 'Client',
        keyHash: hash('new'),
        payload: {},
        grantId: null,
        at: NOW,
        expiresAt: NOW,
      }),
    selectRecord: async (db) => {
      await records.selectRecord(db, 'AccessToken', hash('x'), NOW);
      await records.selectRecord(db, 'AuthorizationCode', hash('x'), NOW);
    },
    consumeRecord: async (db) => {
      await records.consumeRecord(db, 'AuthorizationCode', hash('x'), NOW, undefined);
      await records.consumeRecord(db, 'RefreshToken', hash('x'), NOW, 10_000);
    },
    deleteRecord: (db) => records.deleteRecord(db, 'Interaction', hash('x')),
    extendRecord: (db) => records.extendRecord(db, 'Grant', hash('x'), NOW),
    deleteRecordsExpiredBefore: (db) => records.deleteRecordsExpiredBefore(db, at(5)),
  },
  'oauth: agent-store': {
    selectSignIn: async (db) => {
      await agents.selectSignIn(db, hash('x'), NOW);
      await agents.selectSignIn(db, hash('x'), NOW, { hold: true });
    },
    markAnswered: (db) => agents.markAnswered(db, id, { ...owner, sessionId: id, grantId: null, result: {} }),
    selectOrganizationName: (db) => agents.selectOrganizationName(db, organizationId),
    insertGrant: (db) =>
      agents.insertGrant(db, { ...owner, id, payload: {} as agents.GrantPayload, at: NOW, expiresAt: NOW }),
    isGrantAlive: (db) => agents.isGrantAlive(db, id, NOW),
    selectAgents: async (db) => {
      await agents.selectAgents(db, owner, { limit: 51, now: NOW });
      await agents.selectAgents(db, owner, { limit: 51, now: NOW, beforeId: id });
    },
    deleteGrant: async (db) => {
      await agents.deleteGrant(db, id);
      await agents.deleteGrant(db, id, owner);
    },
    deleteGrantsOf: (db) => agents.deleteGrantsOf(db, owner),
    selectActorsByToken: (db) => agents.selectActorsByToken(db, manyHashes(), NOW),
    selectTokenState: (db) => agents.selectTokenState(db, hash('x'), NOW),
    updateAgentsUsed: (db) => agents.updateAgentsUsed(db, [id, userId], NOW),
  },
  'single-sign-on: settings-store': {
    selectSettings: async (db) => {
      await ssoSettings.selectSettings(db, organizationId);
      await ssoSettings.selectSettings(db, organizationId, { hold: true });
    },
    upsertSettings: (db) =>
      ssoSettings.upsertSettings(
        db,
        organizationId,
        {
          issuer: 'https://id.example',
          clientId: 'x',
          clientSecret: hash('x'),
          name: 'x',
          enabled: false,
          allowedDomains: [],
          newMembers: 'invitation',
          defaultRole: null,
          roleClaim: 'groups',
          roleRules: [],
          passwordSignIn: true,
          recheckMinutes: 10,
          signInHours: 24,
        },
        NOW,
      ),
    updateSwitchedOff: (db) => ssoSettings.updateSwitchedOff(db, organizationId, NOW),
    updateSingleSignOnOnly: (db) => accounts.updateSingleSignOnOnly(db, organizationId),
  },
  'single-sign-on: identity-store': {
    lockIdentity: (db) => identities.lockIdentity(db, identity),
    insertIdentity: async (db) => {
      await identities.deleteIdentityOf(db, owner);
      const times = { at: NOW, nextCheckAt: NOW };
      await identities.insertIdentity(db, { ...identity, ...owner, id, email, refreshToken: null, ...times });
    },
    updateSignedIn: (db) =>
      identities.updateSignedIn(db, id, { email, refreshToken: null, at: NOW, nextCheckAt: NOW }),
    updateGroups: (db) => identities.updateGroups(db, owner, ['group-2']),
    deleteIdentityOf: (db) => identities.deleteIdentityOf(db, owner),
    selectIdentityOf: (db) => identities.selectIdentityOf(db, owner),
    selectMembersWithIdentity: async (db) => {
      await identities.selectMembersWithIdentity(db, organizationId, { limit: 51 });
      await identities.selectMembersWithIdentity(db, organizationId, {
        limit: 51,
        after: { name: 'User 8', id },
      });
    },
    lockMembership: (db) => identities.lockMembership(db, owner),
    updateMembershipAccess: (db) => accounts.updateMembershipAccess(db, owner, { suspended_at: NOW }),
    isMemberElsewhere: (db) => identities.isMemberElsewhere(db, owner),
    lockInvitation: (db) => identities.lockInvitation(db, organizationId, email, NOW),
  },
  'single-sign-on: due-check-store': {
    takeDueChecks: (db) => checks.takeDueChecks(db, NOW, at(2), 10),
    updateChecked: (db) =>
      checks.updateChecked(db, { id, refresh_token: null }, { confirmed_at: NOW, next_check_at: NOW }),
    makeDue: (db) => checks.makeDue(db, organizationId, identity.issuer, identity.subject, NOW),
    selectIdentitiesOfSession: (db) => checks.selectIdentitiesOfSession(db, organizationId, 'x'),
  },
  'single-sign-on: redirect-store': {
    insertRedirect: (db) =>
      redirects.insertRedirect(db, {
        ...owner,
        stateHash: hash('new'),
        browserHash: hash('x'),
        secrets: hash('x'),
        returnTo: '/',
        expiresAt: NOW,
      }),
    takeRedirect: (db) => redirects.takeRedirect(db, hash('x'), hash('x'), NOW),
    insertLogout: (db) =>
      redirects.insertLogout(db, { organizationId, tokenHash: hash('new'), expiresAt: NOW }),
    deleteOldSignIns: (db) => redirects.deleteOldSignIns(db, NOW),
  },
  'membership-store': {
    holdMembership: async (db) => {
      await memberships.holdMembership(db, owner);
      await memberships.holdMembership(db, owner, { alone: true });
    },
    holdActivations: (db) => memberships.holdActivations(db, organizationId),
    isOnlyActivePerson: (db) => memberships.isOnlyActivePerson(db, owner),
    selectActiveMembers: (db) => memberships.selectActiveMembers(db, organizationId, [userId, id]),
    selectActiveByOrganization: (db) => memberships.selectActiveByOrganization(db, [owner]),
  },
  'membership: handle-store': {
    findPeopleByHandle: (db) => handles.findPeopleByHandle(db, organizationId, ['user1', email, 'login']),
  },
  'team-store': {
    insertTeam: (db) => teams.insertTeam(db, { id, organizationId, name: 'new', group: null, at: NOW }),
    updateTeam: (db) => teams.updateTeam(db, id, { name: 'x', provider_group: null }),
    deleteTeamRow: (db) => teams.deleteTeamRow(db, id),
    countTeams: (db) => teams.countTeams(db, organizationId),
    lockTeam: (db) => teams.lockTeam(db, organizationId, id),
    selectTeams: (db) => teams.selectTeams(db, owner),
    selectTeam: (db) => teams.selectTeam(db, owner, teamId),
    selectTeamPeople: (db) => teams.selectTeamPeople(db, { id: teamId, organizationId }),
    countReviewRequestsOf: (db) => teams.countReviewRequestsOf(db, teamId),
    insertTeamMembers: (db) => teams.insertTeamMembers(db, { id: teamId, organizationId }, [userId], NOW),
    deleteTeamMembers: (db) => teams.deleteTeamMembers(db, teamId, [userId]),
    countTeamMembers: (db) => teams.countTeamMembers(db, teamId),
    membersOf: (db) => teams.membersOf(db, [teamId, id]),
    selectTeamNames: (db) => teams.selectTeamNames(db, organizationId, [teamId, id]),
    findTeamsByName: (db) => teams.findTeamsByName(db, organizationId, ['team-1', 'x']),
  },
  'provider-team-store': {
    syncProviderTeams: (db) => providerTeams.syncProviderTeams(db, owner, ['group-2'], NOW),
    fillProviderTeam: (db) =>
      providerTeams.fillProviderTeam(db, { id: teamId, organizationId, group: 'group-2' }, NOW),
    hasProvider: (db) => providerTeams.hasProvider(db, organizationId),
  },
  'host-team-store': {
    startFollowing: (db) => hostTeams.startFollowing(db, id, { codeHostId: id, path: 'acme/x' }),
    selectHostTeamsDue: (db) => hostTeams.selectHostTeamsDue(db, id, 100),
    fillHostTeam: (db) =>
      hostTeams.fillHostTeam(
        db,
        { id: teamId, path: 'acme/x', askedAt: NOW },
        { userIds: [userId], unlinked: [] },
      ),
    writeHostTeamProblem: (db) =>
      hostTeams.writeHostTeamProblem(
        db,
        { id: teamId, path: 'acme/x', askedAt: NOW },
        { problem: 'x', isGone: true },
      ),
    readHostTeamsAgain: (db) => hostTeams.readHostTeamsAgain(db, id, userId),
    selectFollowers: (db) => hostTeams.selectFollowers(db, id, ['acme/x']),
  },
  'audit-store': {
    insertAuditEvents: (db) => audit.insertAuditEvents(db, [source, source], event),
    selectAuditEvents: async (db) => {
      const filters = [
        {},
        { before: { at: at(-60 * 24 * 30), id } },
        { action: 'api_key.revoked' },
        { action: 'session.started', before: { at: at(-60 * 24 * 30), id } },
        { userId },
        { until: at(-60 * 24 * 60) },
        { from: at(-60 * 24 * 60), until: at(-60 * 24 * 50) },
        { action: 'api_key.revoked', until: at(-60 * 24 * 30) },
        { userId, action: 'session.started', from: at(-60 * 24 * 60) },
      ];
      for (const filter of filters)
        await audit.selectAuditEvents(db, organizationId, { ...filter, limit: 51 });
    },
    deleteOldAuditEvents: (db) => audit.deleteOldAuditEvents(db, new Date('2020-01-01')),
  },
  'organization-check-store': {
    selectIssuers: (db) => selectIssuers(db, organizationId),
  },
  'person-store': {
    selectOwnedAlone: (db) => people.selectOwnedAlone(db, userId),
    selectEmails: (db) => people.selectEmails(db, userId),
    lockOrganizationsOf: (db) => people.lockOrganizationsOf(db, userId),
  },
};

/** The few that intentionally read a whole table: it is tiny, or the operator requested all of it. */
const WHOLE_TABLE = [
  ...['anyOrganization', 'selectOrganizations', 'setupLinkExists', 'deleteSetupLinks'],
  // A row per organization.
  ...['selectProviders', 'anyPasswordSignIn', 'findEnvironmentOrganization'],
  // A person is deleted once, from every table that may name them.
  ...['countPersonRows', 'removePersonRows', 'clearPerson'],
];

testQueries(connection, QUERIES, {
  maxRowsRead: MAX_ROWS_READ,
  // Empty here; filled where pull requests and code hosts are explained.
  scans: {
    findPeopleByHandle: ['host_accounts'],
    // There are none here.
    selectTeams: ['code_hosts'],
    selectTeam: ['code_hosts'],
    selectHostTeamsDue: ['code_hosts'],
    countReviewRequestsOf: ['pull_request_review_requests', 'pull_requests'],
  },
});

const STORES = [
  ...[accounts, sessions, invitations, throttle, keys, audit, agents, records, memberships, firstSteps],
  ...[handles, teams, providerTeams, hostTeams, invitationLinks, invitationMails],
  ...[queriesOf(ssoSettings), identities, checks, redirects, people],
  { selectIssuers },
];
testCoverage(QUERIES, STORES, WHOLE_TABLE);

it('would notice a query without an index', async () => {
  const explained = await explainEach(connection, (db) =>
    db.selectFrom('users').select('id').where('name', '=', 'User nobody').execute(),
  );
  expect(explained.map(({ plan }) => [tablesScanned(plan), rowsRead(plan)])).toEqual([[['users'], ROWS]]);
});

/** Without the function that only looks at a row. */
function queriesOf({ isOn: _, ...queries }: typeof ssoSettings) {
  return queries;
}

function manyHashes(): string[] {
  return Array.from({ length: 200 }, (_, index) => hash(`${index}`).toString('hex'));
}
