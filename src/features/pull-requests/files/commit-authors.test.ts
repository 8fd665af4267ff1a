/** The members who wrote, co-wrote or committed the commits of a pull request, by their addresses here and by those that code hosts give. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { makePerson, makeUser } from '../../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { testSecrets } from '../../../../test/helpers/service/secrets.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import { insertCodeHost, sealHostCredential, sealHostWebhookSecret } from '../../code-hosts/index.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, globex } = service;

it('are named with the commits, whoever asks; people of other organizations are not', async () => {
  const repository = await addRepository(service, { 'a.txt': 'a\n' }, { fullName: 'acme/written' });
  const hostId = uuidv7();
  const sealed = sealHostCredential(testSecrets, hostId, { kind: 'token', token: 'x' });
  await insertCodeHost(db, {
    ...{ id: hostId, organizationId: acme.id, kind: 'github', url: 'https://github.com', name: null },
    ...{
      credentialKind: sealed.credential_kind,
      credential: sealed.credential,
      webhookSecret: sealHostWebhookSecret(testSecrets, hostId, 'x'),
    },
    ...{ createdBy: null, at: clock.now() },
  });
  const linked = (login: string, number: string, userId: string) => ({
    ...{ id: uuidv7(), organization_id: acme.id, code_host_id: hostId, host_account_id: number },
    ...{
      login,
      name: login,
      is_bot: false,
      user_id: userId,
      linked_by: 'admin' as const,
      linked_at: clock.now(),
    },
  });
  await db
    .insertInto('host_accounts')
    .values([linked('owner', '77', acme.owner.userId), linked('quiet', '78', acme.viewer.userId)])
    .execute();
  await db
    .insertInto('former_emails')
    .values({ user_id: acme.admin.userId, email: 'before@acme.example' })
    .execute();
  const by = (email: string) => `Co-authored-by: Somebody <${email}>`;
  const message = `Change\n\n${[
    ...[by(acme.member.email.toUpperCase()), by('before@acme.example')],
    ...[by('77+renamed@users.noreply.github.com'), by(globex.member.email)],
  ].join('\n')}`;
  const head = await repository.commit({ 'a.txt': 'b\n' }, { branch: 'topic', message, from: 'main' });
  // As after a rebase: the author stays, and somebody else commits.
  const raw = await repository.git('cat-file', 'commit', head);
  const user = await makeUser(db, { name: 'Rebaser', email: 'rebaser@acme.example' }, clock.now());
  const rebaser = await makePerson(db, acme.id, user, 'member', clock.now());
  const object = join(repository.folder, 'commit');
  await writeFile(
    object,
    raw.replace(/^committer .*?>/m, `committer Rebaser <${rebaser.email}>`).concat('\n'),
  );
  const rebased = await repository.git('hash-object', '-t', 'commit', '-w', object);
  await repository.git('update-ref', 'refs/heads/topic', rebased);
  await repository.refresh();
  const body = { repository: 'acme/written', head: 'topic', title: 'Change' };
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.owner),
    body,
  });
  const path = `/api/v2/pull-requests/${opened.body.id}/commits`;
  const { body: read } = await service.request('GET', path, { as: withSession(acme.viewer) });
  expect(read.authorIds.sort()).toEqual(
    [acme.member.userId, acme.admin.userId, acme.owner.userId, rebaser.userId].sort(),
  );
});
