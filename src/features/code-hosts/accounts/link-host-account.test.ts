/** Linking accounts of a code host to members: by an admin, or by signing in at the host. */
import { beforeEach, describe, expect, it } from 'vitest';
import { HOST_TOKEN, startConnectedHosts } from '../../../../test/helpers/service/connected-hosts.ts';

const hosts = await startConnectedHosts();
const { acme, auditOf, call, clock, connect, db, gitea, github, globex, checkNow, onGitea, run } = hosts;

let id = '';
let repositoryId = '';
beforeEach(async () => {
  await db.deleteFrom('repositories').execute();
  await db.deleteFrom('code_hosts').execute();
  gitea.model.repositories.length = 0;
  id = await connect();
  onGitea('acme/secret', { readers: ['ada', 'grace'] });
  const { added } = await run('add-host-repositories', { codeHostId: id, names: ['acme/secret'] });
  repositoryId = added[0].repositoryId;
  await checkNow(id);
});
const accountOf = async (login: string): Promise<string> => {
  const { accounts } = await run('list-host-accounts', { codeHostId: id, search: login });
  return accounts[0].id;
};
const link = async (login: string, userId: string) =>
  call('link-host-account', { codeHostId: id, accountId: await accountOf(login), userId });
const sees = async (person = acme.member) =>
  (await call('get-repository', { repositoryId }, person)).status === 200;

describe('by an admin', () => {
  it('shows the member what the account can read, at once, until it is unlinked', async () => {
    const { accounts } = await run('list-host-accounts', { codeHostId: id });
    expect(accounts.map(({ login }: { login: string }) => login)).toEqual(
      expect.arrayContaining(['ada', 'grace']),
    );
    expect(await sees()).toBe(false);
    expect((await link('ada', acme.member.userId)).status).toBe(204);
    expect([await sees(), await sees(acme.viewer)]).toEqual([true, false]);
    const accountId = await accountOf('ada');
    const [shown] = (await run('list-host-accounts', { codeHostId: id, search: 'ADA' })).accounts;
    expect(shown).toMatchObject({ member: { id: acme.member.userId }, linkedBy: 'admin' });
    await run('unlink-host-account', { codeHostId: id, accountId });
    expect(await sees()).toBe(false);
    expect((await auditOf(accountId)).map(({ action }) => action)).toEqual([
      'code_host.account_linked',
      'code_host.account_unlinked',
    ]);
  });

  it('refuses accounts of others, people of other organizations, and bots', async () => {
    await link('ada', acme.member.userId);
    expect((await link('ada', acme.viewer.userId)).status).toBe(409);
    expect((await link('grace', globex.member.userId)).status).toBe(400);
    const accountId = await accountOf('grace');
    const other = { codeHostId: id, accountId, userId: globex.admin.userId };
    expect((await call('link-host-account', other, globex.admin)).status).toBe(404);
    expect((await call('link-host-account', other, acme.member)).status).toBe(403);
    await db.updateTable('host_accounts').set({ is_bot: true }).where('id', '=', accountId).execute();
    const bot = await call('link-host-account', { codeHostId: id, accountId, userId: acme.viewer.userId });
    expect(bot.status).toBe(409);
  });

  it('lets members unlink their own account only', async () => {
    await link('ada', acme.member.userId);
    const accountId = await accountOf('ada');
    const unlink = (as = acme.member) => call('unlink-host-account', { codeHostId: id, accountId }, as);
    expect((await unlink(acme.viewer)).status).toBe(404);
    const mine = await run('list-my-host-accounts', {}, acme.member);
    expect(mine.hosts).toMatchObject([{ codeHostId: id, canSignIn: false, accounts: [{ login: 'ada' }] }]);
    expect((await unlink()).status).toBe(204);
  });
});

describe('by signing in at the host', () => {
  const signIn = { clientId: 'client', clientSecret: 'client-secret' };
  async function onGitHub(): Promise<string> {
    const codeHostId = (
      await run('connect-code-host', { kind: 'github', url: github.url, token: HOST_TOKEN })
    ).id;
    await run('change-code-host', { codeHostId, signIn });
    return codeHostId;
  }
  const start = async (codeHostId: string) => {
    const { url } = await run('start-host-account-link', { codeHostId }, acme.viewer);
    return new URL(url).searchParams;
  };

  it('links the account that signed in, with a state that works once for the same person', async () => {
    const codeHostId = await onGitHub();
    const parameters = await start(codeHostId);
    expect(Object.fromEntries(parameters)).toMatchObject({
      client_id: 'client',
      redirect_uri: `${hosts.url}/settings/account/link`,
      code_challenge_method: 'S256',
    });
    github.signInCodes.set('good', github.model.account('viv'));
    const state = parameters.get('state')!;
    const finish = (as = acme.viewer) => call('finish-host-account-link', { code: 'good', state }, as);
    expect((await finish(acme.member)).status).toBe(409);
    expect(
      (await call('finish-host-account-link', { code: 'good', state: 'forged' }, acme.viewer)).status,
    ).toBe(409);
    const { body, status } = await finish();
    expect([status, body.login, body.linkedBy, body.member.id]).toEqual([
      200,
      'viv',
      'sign_in',
      acme.viewer.userId,
    ]);
    expect((await finish()).status).toBe(409);
    const late = await start(codeHostId);
    clock.advance(11 * 60_000);
    const tooLate = { code: 'good', state: late.get('state') };
    expect((await call('finish-host-account-link', tooLate, acme.viewer)).status).toBe(409);
  });

  it('does not take an account from another member, and needs an OAuth application', async () => {
    const codeHostId = await onGitHub();
    const first = await start(codeHostId);
    github.signInCodes.set('good', github.model.account('viv'));
    await run('finish-host-account-link', { code: 'good', state: first.get('state') }, acme.viewer);
    const { url } = await run('start-host-account-link', { codeHostId }, acme.member);
    github.signInCodes.set('good', github.model.account('viv'));
    const state = new URL(url).searchParams.get('state');
    const taken = await call('finish-host-account-link', { code: 'good', state }, acme.member);
    expect([taken.status, taken.body.detail]).toEqual([409, expect.stringContaining('already linked')]);
    expect((await call('start-host-account-link', { codeHostId: id }, acme.member)).status).toBe(409);
  });
});
