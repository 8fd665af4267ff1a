/** Setting up the service with a link over HTTP, by status. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { untilWaiting } from '../../../../test/helpers/database/waiting.ts';
import { followAudit } from '../../../../test/helpers/service/audit-trail.ts';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { sessionCookie, tokenFrom } from '../../../../test/helpers/service/sign-in-requests.ts';
import { offerSetup } from '../index.ts';
import { getSession } from '../sessions/get-session.ts';
import { lockSetup } from '../store/account-store.ts';
import { getSetupState } from './get-setup-state.ts';
import { setUp } from './set-up.ts';

const service = await startTestService();
const OWNER = {
  organizationName: 'Initech',
  name: 'Ada Lovelace',
  email: 'Ada@Initech.example',
  password: 'the analytical engine',
};

/** The token of a fresh link, as the service prints it when it starts. */
async function offeredToken(): Promise<string> {
  const link = await offerSetup(service.db, service.url, service.clock.now());
  const [address, token] = link!.split('#token=');
  expect(address).toBe(`${service.url}/setup`);
  return token!;
}

beforeEach(async () => {
  await sql`TRUNCATE organizations, users, setup_links CASCADE`.execute(service.db);
});

describe('201', () => {
  it('creates the organization and its owner, and signs the owner in', async () => {
    const answer = await service.call(setUp, { ...OWNER, token: await offeredToken() }, 'nobody');
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      user: { name: OWNER.name, email: 'ada@initech.example' },
      organization: { name: OWNER.organizationName },
      role: 'owner',
      organizations: [{ name: OWNER.organizationName, role: 'owner' }],
    });
    const again = await service.call(getSession, {}, { session: tokenFrom(answer) });
    expect(again.body).toEqual(answer.body);
  });

  it('accepts any of the printed links', async () => {
    const first = await offeredToken();
    await offeredToken();
    expect((await service.call(setUp, { ...OWNER, token: first }, 'nobody')).status).toBe(201);
  });

  it('records the organization and its owner, and stores neither password nor token', async () => {
    const audit = await followAudit(service.db);
    const token = await offeredToken();
    const { body } = await service.call(setUp, { ...OWNER, token }, 'nobody');
    const where = { organizationId: body.organization.id, kind: 'anonymous', userId: body.user.id };
    expect(await audit()).toEqual([
      {
        action: 'organization.created',
        ...where,
        subjectId: body.organization.id,
        subjectName: 'Initech',
        detail: {},
      },
      {
        action: 'member.added',
        ...where,
        subjectId: body.user.id,
        subjectName: 'Ada Lovelace',
        detail: { role: 'owner' },
      },
    ]);
    const user = await service.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('200', () => {
  it('says that setup is needed until it is done', async () => {
    expect((await service.call(getSetupState, {}, 'nobody')).body).toEqual({ needed: true });
    await service.call(setUp, { ...OWNER, token: await offeredToken() }, 'nobody');
    expect((await service.call(getSetupState, {}, 'nobody')).body).toEqual({ needed: false });
  });

  it('prints no link afterwards', async () => {
    await service.call(setUp, { ...OWNER, token: await offeredToken() }, 'nobody');
    expect(await offerSetup(service.db, service.url, service.clock.now())).toBeUndefined();
  });
});

describe('400', () => {
  it('lists every problem at once, and the link keeps working', async () => {
    const token = await offeredToken();
    const answer = await service.call(
      setUp,
      { token, organizationName: ' ', name: '', email: 'ada', password: 'short' },
      'nobody',
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'email',
      'name',
      'organizationName',
      'password',
    ]);
    expect((await service.call(setUp, { ...OWNER, token }, 'nobody')).status).toBe(201);
  });
});

describe('404', () => {
  it('rejects an unknown token', async () => {
    await offeredToken();
    const answer = await service.call(setUp, { ...OWNER, token: 'x'.repeat(43) }, 'nobody');
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect(sessionCookie(answer)).toBeUndefined();
    expect((await service.call(getSetupState, {}, 'nobody')).body).toEqual({ needed: true });
  });

  it('rejects the used link, and every other printed link', async () => {
    const [used, other] = [await offeredToken(), await offeredToken()];
    await service.call(setUp, { ...OWNER, token: used }, 'nobody');
    for (const token of [used, other]) {
      const answer = await service.call(setUp, { ...OWNER, email: 'eve@initech.example', token }, 'nobody');
      expect(answer.status).toBe(404);
    }
    expect(await service.db.selectFrom('organizations').select('name').execute()).toEqual([
      { name: 'Initech' },
    ]);
  });
});

describe('409', () => {
  it('succeeds for exactly one of many concurrent requests, with the same link or with different ones', async () => {
    const tokens = [await offeredToken(), await offeredToken()];
    const setUpAtOnce = () =>
      Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          service.call(
            setUp,
            {
              ...OWNER,
              organizationName: `Initech ${index}`,
              email: `ada${index}@initech.example`,
              token: tokens[index % 2],
            },
            'nobody',
          ),
        ),
      );
    const { answering } = await service.db.transaction().execute(async (transaction) => {
      await lockSetup(transaction);
      const answering = setUpAtOnce();
      await untilWaiting(service.db, 6);
      return { answering };
    });
    const answers = await answering;
    const winners = answers.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    for (const { status } of answers) expect([201, 404, 409]).toContain(status);
    for (const answer of answers) expect(sessionCookie(answer) !== undefined).toBe(answer.status === 201);
    const organizations = await service.db.selectFrom('organizations').select('name').execute();
    expect(organizations).toEqual([{ name: winners[0]!.body.organization.name }]);
    expect(await service.db.selectFrom('users').select('email').execute()).toHaveLength(1);
  });
});
