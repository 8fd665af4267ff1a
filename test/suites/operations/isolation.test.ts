/**
 * Data of another organization is invisible: it can't be read or changed, and its ids are indistinguishable from ids that
 * don't exist. Operations, tables and ids are enumerated, so new ones are covered automatically.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operatorOf } from '../../../src/features/audit/index.ts';
import { insertGrant } from '../../../src/features/oauth/agent-store.ts';
import {
  countOrganization,
  countPerson,
  deleteOrganization,
  deletePerson,
  organizationLines,
} from '../../../src/features/privacy/index.ts';
import { PERSON_COLUMNS } from '../../../src/features/privacy/person-store.ts';
import { makeTeam } from '../../../src/features/teams/index.ts';
import { operations } from '../../../src/operations.ts';
import { type Operation, pathParameters } from '../../../src/platform/core/operations/operation.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import { idsIn, rowReader } from '../../helpers/database/stored-rows.ts';
import { act, postComment, postPlan } from '../../helpers/rows/plans.ts';
import { seedPullRequest } from '../../helpers/rows/seed-pull-request.ts';
import {
  makePerson,
  makeUser,
  type Organization,
  PASSWORD,
  type Person,
} from '../../helpers/service/factories.ts';
import { type Credential, startTestService, withKey, withSession } from '../../helpers/service/harness.ts';
import {
  type Fields,
  fittingInputs,
  idPlaces,
  requestOf,
  withId,
  withoutOptional,
} from '../../helpers/service/operation-inputs.ts';

const SEED = 20260101;
const service = await startTestService();
const { acme, clock, db, globex } = service;
const table = operations as readonly Operation[];
const rowsOf = await rowReader(db);
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

let people = 0;
async function ownerOf(organization: Organization): Promise<Person> {
  people += 1;
  const user = {
    name: `${organization.name} owner ${people}`,
    email: `owner${people}@${organization.name.toLowerCase()}.example`,
  };
  return makePerson(db, organization.id, await makeUser(db, user, clock.now()), 'owner', clock.now());
}

/** Every credential that the operation accepts. */
function credentialsFor(operation: Operation, person: Person): Credential[] {
  if (operation.accepts.length === 0) return ['nobody'];
  return [
    ...(operation.accepts.includes('session') ? [withSession(person)] : []),
    ...(operation.accepts.includes('key') ? [withKey(person)] : []),
  ];
}

/** Inputs with all kinds of optional fields, and one with none. */
function samplesOf(operation: Operation, ids: string[], word: string, count: number): Fields[] {
  const text = fc.nat(9999).map((number) => `${word} ${number}`);
  const inputs = fittingInputs(operation, { id: fc.constantFrom(...ids), text });
  const [first, ...more] = fc.sample(inputs, { numRuns: count, seed: SEED });
  return [withoutOptional(operation, first!), ...more];
}

async function call(operation: Operation, input: Fields, as: Credential) {
  const { method, path, body } = requestOf(operation, input);
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const send = () => service.request(method, path, { as, body, headers });
  let answer = await send();
  if (answer.status === 429) {
    // Failed sign-ins are throttled, whatever is sent.
    await db.deleteFrom('sign_in_attempts').execute();
    answer = await send();
  }
  return { status: answer.status, text: JSON.stringify(answer.body) };
}

/** Seeds what no single request creates: a plan with every kind of event, and the resulting records. */
async function seedPlans(person: Person): Promise<void> {
  const colleague = await ownerOf(acme);
  const repositoryId = uuidv7();
  const at = clock.now();
  await db
    .insertInto('repositories')
    .values({ id: repositoryId, organization_id: acme.id, name: 'acme/hidden', created_at: at })
    .execute();
  await db
    .insertInto('repository_refs')
    .values({
      repository_id: repositoryId,
      organization_id: acme.id,
      kind: 'branch',
      name: 'acme-main',
      commit: 'ac'.repeat(20),
    })
    .execute();
  await db
    .insertInto('repository_members')
    .values({ repository_id: repositoryId, organization_id: acme.id, user_id: person.userId })
    .execute();
  const { body: plan } = await postPlan(service, person, { repoIds: [repositoryId] });
  const comment = await postComment(service, colleague, plan, { body: 'Acme comment', anchor: 'Acme' });
  await service.request('POST', `/api/v2/plans/${plan.seriesId}/threads/${comment.id}/mute`, {
    as: withSession(person),
  });
  await act(service, person, plan, 'review-requests', { userIds: [person.userId] });
  await act(service, colleague, plan, 'approve', { versionId: plan.versionId, note: 'Acme note' });
  await act(service, person, plan, 'pull-requests', { prNumber: 7 });
  const { id: planId } = await db
    .selectFrom('plans')
    .select('id')
    .where('series_id', '=', plan.seriesId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('inbox_items')
    .values({
      id: uuidv7(),
      organization_id: acme.id,
      user_id: person.userId,
      subject_kind: 'plan',
      subject_id: planId,
      event_number: 1,
      kind: 'comment',
      created_at: at,
    })
    .execute();
  await service.request('PATCH', '/api/v2/organization/switches/self_approval', {
    as: withSession(person),
    body: { enabled: true },
  });
  await db
    .insertInto('mail_settings')
    .values({
      organization_id: acme.id,
      user_id: person.userId,
      ...{ comments: 'now', replies: 'now', review_requests: 'now', decisions: 'now', updates: 'daily' },
      updated_at: at,
    })
    .execute();
  await db
    .insertInto('mails')
    .values({
      id: uuidv7(),
      organization_id: acme.id,
      user_id: person.userId,
      digest: false,
      item_ids: [uuidv7()],
      state: 'sent',
      attempts: 1,
      created_at: at,
      due_at: at,
    })
    .execute();
  const webhookId = uuidv7();
  await db
    .insertInto('webhooks')
    .values({
      id: webhookId,
      organization_id: acme.id,
      url: 'https://acme.example/hook',
      secret: 'Acme secret',
      event_kinds: [],
      enabled: true,
      created_by: person.userId,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await db
    .insertInto('webhook_deliveries')
    .values({
      id: uuidv7(),
      organization_id: acme.id,
      webhook_id: webhookId,
      event_kind: 'plan_created',
      payload: '{"plan":"Acme"}',
      state: 'failed',
      attempts: 8,
      created_at: at,
      attempt_log: '[]',
    })
    .execute();
  const team = { name: 'Acme-team', group: null, userIds: [person.userId] };
  await makeTeam(db, operatorOf(acme.id, at), team);
}

/** An agent signed in by a member of Acme. */
async function seedAgent({ organizationId, userId }: Person): Promise<void> {
  const id = uuidv7();
  const agent = { name: 'Acme agent', address: null, returnsTo: 'acme.example', isLocal: false };
  const payload = { accountId: id, clientId: uuidv7(), resources: {}, agent };
  const at = clock.now();
  await insertGrant(db, { id, organizationId, userId, payload, at, expiresAt: at });
}

/** An agent that has connected, and a link for the domain of Acme. */
async function seedFirstDays({ organizationId, userId }: Person): Promise<void> {
  const [of, at] = [{ organization_id: organizationId }, clock.now()];
  const agent = { agent_name: 'Acme agent', agent_connected_at: at };
  await db
    .insertInto('first_steps')
    .values({ ...of, user_id: userId, ...agent })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(agent))
    .execute();
  await db
    .insertInto('invitation_links')
    .values({
      ...of,
      id: uuidv7(),
      token_hash: Buffer.from('Acme link'),
      domain: 'acme.example',
      role: 'member',
      created_by: userId,
      created_at: at,
      expires_at: at,
      max_uses: 1,
    })
    .execute();
}

/** A provider of Acme, someone linked to it, and someone on the way. */
async function seedSingleSignOn({ organizationId, userId }: Person): Promise<void> {
  const [of, at, sealed] = [{ organization_id: organizationId }, clock.now(), Buffer.from('Acme')];
  const names = { issuer: 'https://id.acme.example', client_id: 'acme', name: 'Acme ID' };
  const rules = { allowed_domains: [], role_claim: 'groups', role_rules: '[]' };
  const times = { recheck_minutes: 10, sign_in_hours: 24, updated_at: at };
  const ways = { new_members: 'invitation' as const, password_sign_in: true };
  const settings = { ...of, ...names, ...rules, ...times, ...ways, client_secret: sealed };
  await db
    .insertInto('single_sign_on')
    .values({ ...settings, enabled: false })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ ...settings, enabled: false }))
    .execute();
  await db
    .insertInto('single_sign_on_identities')
    .values({
      ...of,
      id: uuidv7(),
      user_id: userId,
      issuer: names.issuer,
      subject: 'acme-1',
      email: 'someone@acme.example',
      confirmed_at: at,
      next_check_at: at,
      created_at: at,
      last_sign_in_at: at,
    })
    .execute();
  await db
    .insertInto('single_sign_on_redirects')
    .values({
      ...of,
      state_hash: sealed,
      browser_hash: sealed,
      secrets: sealed,
      return_to: '/acme',
      expires_at: at,
    })
    .execute();
  await db
    .insertInto('single_sign_on_logouts')
    .values({ ...of, token_hash: sealed, expires_at: at })
    .execute();
}

/** Creates every kind of object for Acme, each with its name in it. */
for (const operation of table.filter(({ http }) => http.method === 'POST')) {
  const person = await ownerOf(acme);
  const ids = idsIn(await rowsOf(acme.id));
  for (const input of samplesOf(operation, ids, 'Acme', 3)) {
    for (const as of credentialsFor(operation, person)) await call(operation, input, as);
  }
}

const reviewer = await ownerOf(acme);
await seedPlans(reviewer);
await seedPullRequest(service, acme, reviewer);
await seedAgent(reviewer);
await seedFirstDays(reviewer);
await seedSingleSignOn(reviewer);
await service.flush();
const acmeRows = await rowsOf(acme.id);
const acmeIds = new Set(idsIn(acmeRows));
const someOfAcme = idsIn(acmeRows, 1);
const namesOfAcme = idsByName(acmeRows);
const someOfGlobex = idsIn(await rowsOf(globex.id), 3);

/** Columns of an export whose name sounds like a secret. */
const HARMLESS: string[] = [
  'agent_findings.finding_key',
  'agent_reviews.credential_id',
  'code_hosts.credential_checked_at',
  'code_hosts.credential_expires_at',
  'code_hosts.credential_kind',
  'events.actor_credential_id',
  'finding_decisions.finding_key',
  'model_settings.month_tokens',
  'model_settings.pull_request_tokens',
  'model_settings.run_tokens',
  'model_usage.input_tokens',
  'model_usage.output_tokens',
  'plan_versions.input_tokens',
  'plan_versions.output_tokens',
  'repositories.credential_kind',
  'repositories.refresh_token',
  'review_candidates.finding_key',
  'single_sign_on.password_sign_in',
  'users.password_changed_at',
];

/**
 * All ids that Acme's columns have under the name of the place, and some of the rest: places take turns with those, so that each is
 * sent to many. A place with a name that no column has gets an id from every column.
 */
function idsToTry(operation: Operation, place: string): string[] {
  const named = namesOfAcme.get(columnFor(place));
  if (!named) return someOfAcme;
  const start = fc.hash(`${operation.name} ${place}`) % someOfAcme.length;
  const others = Array.from({ length: 6 }, (_, step) => someOfAcme[(start + step * 7) % someOfAcme.length]!);
  return [...new Set([...named, ...others])];
}

/** `input.threadIds[]` names what the column `thread_id` has. */
const columnFor = (place: string) =>
  place
    .split('.')
    .at(-1)!
    .replace(/Ids\[\]$/, 'Id')
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Ids by the column they are in: `user_id`, and for the keys of a table also the name by which others refer to it. */
function idsByName(rows: Record<string, string[]>, maxPerColumn = 3): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [table, texts] of Object.entries(rows)) {
    const inColumn = new Map<string, number>();
    for (const text of texts) {
      for (const [column, value] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
        if (typeof value !== 'string' || value.match(UUID)?.[0] !== value) continue;
        const name = column === 'id' ? `${table.replace(/ies$/, 'y').replace(/s$/, '')}_id` : column;
        const count = inColumn.get(name) ?? 0;
        inColumn.set(name, count + 1);
        if (count < maxPerColumn) found.set(name, (found.get(name) ?? new Set()).add(value));
      }
    }
  }
  return found;
}

const unchanged = async () => expect(await rowsOf(acme.id)).toEqual(acmeRows);

/** Plans and events name their session. A Globex session with the same name as Acme's would be found, correctly. */
async function renameSeries(): Promise<void> {
  const series = sql<string>`gen_random_uuid()`;
  await db.updateTable('plans').set({ series_id: series }).where('organization_id', '=', globex.id).execute();
  await db.deleteFrom('planner_events').where('organization_id', '=', globex.id).execute();
  await db.deleteFrom('planner_sessions').where('organization_id', '=', globex.id).execute();
}
afterEach(renameSeries);

/** A reply without the parts that differ between calls. */
const shapeOf = ({ status, text }: { status: number; text: string }) => ({
  status,
  text: text.replaceAll(UUID, '<id>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'),
});

function expectNothingOfAcme(text: string, sent: Fields): void {
  const sentIds = new Set(JSON.stringify(sent).match(UUID));
  expect(text).not.toMatch(/acme/i);
  const shown = (text.match(UUID) ?? []).filter((id) => acmeIds.has(id.toLowerCase()) && !sentIds.has(id));
  expect(shown).toEqual([]);
}

it('Acme has rows in every table that belongs to organizations', () => {
  const empty = Object.keys(acmeRows).filter(
    (name) => name !== 'idempotent_replies' && acmeRows[name]!.length === 0,
  );
  expect(empty).toEqual([]);
  expect(JSON.stringify(acmeRows)).toMatch(/acme/i);
});

describe.each(table.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  const places = idPlaces(operation);

  it('shows nothing of another organization', async () => {
    const person = await ownerOf(globex);
    const inputs = samplesOf(operation, someOfGlobex, 'Globex', 3);
    for (const input of inputs) {
      for (const as of credentialsFor(operation, person)) {
        const answer = await call(operation, input, as);
        expect(answer.status).toBeLessThan(500);
        expectNothingOfAcme(answer.text, input);
      }
    }
  });

  if (places.length === 0) return;
  it('replies to an id of another organization as to one that does not exist', async () => {
    const person = await ownerOf(globex);
    const bases = samplesOf(operation, someOfGlobex, 'Globex', 2);
    const inPath = new Set(pathParameters(operation));
    for (const place of places) {
      const ids = idsToTry(operation, place);
      // Each id is sent once: inputs and credentials take turns, each credential with every input.
      const turns = credentialsFor(operation, person).flatMap((as) => bases.map((base) => ({ as, base })));
      await renameSeries();
      for (const [turn, { as, base }] of turns.entries()) {
        const unknown = shapeOf(await call(operation, withId(base, place, randomUUID()), as));
        for (const id of ids.filter((_, position) => position % turns.length === turn)) {
          const theirs = withId(base, place, id);
          const answer = await call(operation, theirs, as);
          expect(shapeOf(answer), `${place}: ${id}`).toEqual(unknown);
          expect(answer.status).toBeLessThan(500);
          if (inPath.has(place)) expect([400, 403, 404], `${place}: ${id}`).toContain(answer.status);
          expectNothingOfAcme(answer.text, theirs);
        }
      }
    }
  });
});

/** Last, because it changes and deletes everything. */
describe('privacy', () => {
  const everything = async () => {
    const { rows: tables } = await sql<{ name: string }>`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`.execute(
      db,
    );
    const texts: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await sql<{
        row: string;
      }>`SELECT to_jsonb(t)::text AS row FROM ${sql.table(name)} t`.execute(db);
      texts[name] = rows.map(({ row }) => row).toSorted();
    }
    return texts;
  };

  // The time a credential was last used is written a little later.
  beforeEach(() => service.flush());

  it('nothing of Acme was changed by Globex', unchanged);

  it('every column that refers to a person is in the list of what becomes of it', async () => {
    const { rows } = await sql<{ column: string }>`
      SELECT f.conrelid::regclass || '.' || a.attname AS column FROM pg_constraint f
      JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[array_upper(f.conkey, 1)]
      WHERE f.contype = 'f' AND f.confrelid IN ('users'::regclass, 'memberships'::regclass)
      UNION SELECT table_name || '.' || column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'uuid' AND column_name ~ '(user_id|_by)$' ORDER BY 1`.execute(
      db,
    );
    expect(rows.map(({ column }) => column)).toEqual(Object.keys(PERSON_COLUMNS).toSorted());
  });

  it('a person leaves no trace but what they wrote, and nobody else is touched', async () => {
    const { name, userId: id } = reviewer;
    const email = 'another@acme.example';
    const body = { email, currentPassword: PASSWORD };
    const changed = await service.request('PATCH', '/api/v2/profile', { as: withSession(reviewer), body });
    expect(changed.status).toBe(200);
    const before = { counts: await countPerson(db, id), globex: await rowsOf(globex.id) };
    const deleted = Object.values(before.counts.deleted).reduce((sum, count) => sum + count, 0);
    expect(deleted).toBeGreaterThan(10);
    const counts = await deletePerson(db, { id, email, name }, clock.now());
    expect(counts).toEqual(before.counts);
    const after = await countPerson(db, id);
    expect(Object.values({ ...after.deleted, ...after.cleared }).every((count) => count === 0)).toBe(true);
    // Their own request to themselves is deleted with the other requests to them.
    expect(after.kept).toEqual({ ...before.counts.kept, 'plan_review_requests.requested_by': 0 });
    const found = Object.entries(await everything()).flatMap(([table, rows]) =>
      rows
        .filter(
          (row) => row.includes(email) || row.includes(reviewer.email) || row.includes(JSON.stringify(name)),
        )
        .map((row) => [table, row]),
    );
    expect(found).toEqual([]);
    expect(await rowsOf(globex.id)).toEqual(before.globex);
    expect((await service.request('GET', '/api/v2/session', { as: withSession(reviewer) })).status).toBe(401);
    expect((await service.request('GET', '/api/v2/plans', { as: withKey(reviewer) })).status).toBe(401);
  });

  it('an organization keeps an owner', async () => {
    const { email, name, userId } = globex.owner;
    await db
      .updateTable('memberships')
      .set({ deactivated_at: clock.now() })
      .where('organization_id', '=', globex.id)
      .where('user_id', '<>', userId)
      .execute();
    await expect(deletePerson(db, { id: userId, email, name }, clock.now())).rejects.toThrow(
      `${email} is the only owner of Globex.`,
    );
  });

  it('an export has every row of every table but work in progress and search indexes, and no secret', async () => {
    let text = '';
    const pieces = organizationLines(db, acme.id, clock.now());
    let next = await pieces.next();
    for (; !next.done; next = await pieces.next()) text += next.value;
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rows = await rowsOf(acme.id);
    const {
      architecture_code_words: _codeWords,
      architecture_words: _words,
      event_outbox: _outbox,
      idempotent_replies: _replies,
      ...exported
    } = rows;
    const expected = Object.fromEntries(
      Object.entries(exported).flatMap(([kind, texts]) => (texts.length === 0 ? [] : [[kind, texts.length]])),
    );
    const found = Object.groupBy(lines.slice(1, -1), ({ kind }) => kind);
    expect(Object.fromEntries(Object.entries(found).map(([kind, of]) => [kind, of!.length]))).toEqual(
      expected,
    );
    expect(lines[0]).toMatchObject({ kind: 'export', format: 1, organizationId: acme.id });
    expect(lines.at(-1)).toEqual({ kind: 'end', rows: next.value });
    const plans = found.plans!.map(({ row }) => row.title);
    expect(plans.toSorted()).toEqual(rows.plans!.map((row) => JSON.parse(row).title).toSorted());
    const columns = new Set(
      lines.slice(1, -1).flatMap(({ kind, row }) => Object.keys(row).map((name) => `${kind}.${name}`)),
    );
    const suspicious = [...columns].filter((name) =>
      /secret|password|token|hash|credential|_key$|verifier/.test(name),
    );
    expect(suspicious.toSorted()).toEqual(HARMLESS);
    expect(text).not.toContain('Acme secret');
    expect(text).not.toContain('globex');
  });

  it('an organization is deleted with everything in it, and every other row stays as it is', async () => {
    const [theirs, before, counts] = [
      await rowsOf(acme.id),
      await everything(),
      await countOrganization(db, acme.id),
    ];
    const gone = new Set(
      Object.entries(theirs).flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`)),
    );
    expect(await deleteOrganization(db, acme.id)).toEqual(counts);
    const after = await everything();
    expect(await deleteOrganization(db, acme.id)).toBeUndefined();
    for (const [table, rows] of Object.entries(before)) {
      // Agents' tokens have no organization; they are deleted with their grant.
      if (table === 'oauth_records') continue;
      // Attempts to sign in name an account, not its organization.
      const isTheirs = (row: string) => table === 'sign_in_attempts' && row.includes('@acme.example');
      expect(after[table], table).toEqual(
        rows.filter((row) => !gone.has(`${table} ${row}`) && !isTheirs(row)),
      );
    }
    expect(Object.values(await rowsOf(acme.id)).flat()).toEqual([]);
  });
});
