/** `countersign host` as an operator runs it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { EXIT_CODES } from '../../../src/platform/core/errors/start-failure.ts';
import { FakeModel } from '../../code-hosts/fake-model.ts';
import { startGiteaFake } from '../../code-hosts/gitea-fake.ts';
import { startGitLabFake } from '../../code-hosts/gitlab-fake.ts';
import { createTestDatabase, urlOf } from '../../helpers/database/database.ts';
import { endProcesses, PASSWORD, runCountersign } from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = temporaryFolder();
const env = {
  DATABASE_URL: urlOf(await createTestDatabase()),
  DATA_DIR: join(folder, 'data'),
  ALLOW_PRIVATE_ADDRESSES: 'true',
};
const gitea = await startGiteaFake(new FakeModel());
const gitlab = await startGitLabFake(new FakeModel());
for (const { model, tokens } of [gitea, gitlab]) tokens.set('good-token', model.account('countersign-bot'));
afterAll(async () => {
  await endProcesses();
  await Promise.all([gitea.close(), gitlab.close()]);
  await cleanUp();
});

it('connects with a token from a file or standard input, lists, and disconnects', async () => {
  const set = ['setup', '--organization', 'Acme', '--email', 'ada@example.com', '--name', 'Ada'];
  expect((await runCountersign(set, { env, input: PASSWORD })).code).toBe(0);
  const add = ['host', 'add', '--kind', 'gitea', '--url', gitea.url];
  const refused = await runCountersign([...add, '--token-stdin'], { env, input: 'wrong-token' });
  expect([refused.code === 0, (refused.stdout + refused.stderr).includes('wrong-token')]).toEqual([
    false,
    false,
  ]);
  const unknown = ['host', 'add', '--kind', 'gitea', '--url', 'https://git.nowhere.invalid', '--token-stdin'];
  expect(await runCountersign(unknown, { env, input: 'good-token' })).toMatchObject({
    code: EXIT_CODES.refused.code,
    stderr: expect.stringMatching(/url can't be reached: its name can't be resolved/),
  });
  const file = join(folder, 'token');
  writeFileSync(file, 'good-token\n');
  const added = await runCountersign([...add, '--token-file', file, '--name', 'Forge'], { env });
  expect([added.code, added.stdout]).toEqual([
    0,
    expect.stringContaining('Connected Forge as countersign-bot'),
  ]);
  const other = ['host', 'add', '--kind', 'gitlab', '--url', gitlab.url, '--json'];
  const second = await runCountersign(other, { env, input: 'good-token' });
  expect([second.code, JSON.parse(second.stdout)]).toMatchObject([
    0,
    { kind: 'gitlab', name: new URL(gitlab.url).host, account: 'countersign-bot' },
  ]);
  const listed = await runCountersign(['host', 'list', '--json'], { env });
  expect(
    JSON.parse(listed.stdout)
      .map(({ kind }: { kind: string }) => kind)
      .sort(),
  ).toEqual(['gitea', 'gitlab']);
  expect(listed.stdout).toContain('"Forge"');
  expect(listed.stdout).not.toContain('good-token');
  const removed = await runCountersign(['host', 'remove', 'Forge'], { env });
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('Disconnected Forge')]);
  const none = await runCountersign(['host', 'remove', 'Forge'], { env });
  expect([none.code === 0, none.stderr.includes('no code host named Forge')]).toEqual([false, true]);
});
