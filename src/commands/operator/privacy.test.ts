/** Export and deletion from the command line: nothing is deleted without a confirmation, and a dry run says what would be. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase, urlOf } from '../../../test/helpers/database/database.ts';
import { runInProcess } from '../../../test/helpers/processes/command-in-process.ts';
import { startTestService } from '../../../test/helpers/service/harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-privacy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const connection = await createTestDatabase();
const { acme, db, globex } = await startTestService({ connection });
const run = (...words: string[]) =>
  runInProcess(words, { env: { DATABASE_URL: urlOf(connection), DATA_DIR: folder } });
const people = () => db.selectFrom('users').select(['name', 'email']).orderBy('email').execute();

it('writes an export that only its owner can read, and never over another file', async () => {
  const file = join(folder, 'acme.jsonl');
  const { code, stdout } = await run('organization', 'export', 'Acme', '--to', file);
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([code, stdout]).toEqual([0, `${file}: ${lines.length - 2} rows.\n`]);
  expect(lines.find(({ kind }) => kind === 'organizations').row.id).toBe(acme.id);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await run('organization', 'export', 'Acme', '--to', file);
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('already exists')]);
  const missing = await run('organization', 'export', 'Nobody', '--to', join(folder, 'x.jsonl'));
  expect([missing.code, missing.stderr]).toEqual([
    3,
    expect.stringContaining('no organization named Nobody'),
  ]);
  expect(readdirSync(folder).filter((name) => name.includes('jsonl'))).toEqual(['acme.jsonl']);
});

it('deletes a person after a confirmation', async () => {
  const before = await people();
  const { email } = acme.member;
  const dry = await run('user', 'delete', email, '--dry-run');
  expect([dry.code, dry.stdout]).toEqual([
    0,
    expect.stringMatching(/Rows that would be deleted:\n {2}api_keys.user_id: 1\n/),
  ]);
  const refused = await run('user', 'delete', email);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Use --yes to skip it')]);
  const owner = await run('user', 'delete', acme.owner.email, '--yes');
  expect([owner.code, owner.stderr]).toEqual([3, expect.stringContaining('the only owner of Acme')]);
  expect(await people()).toEqual(before);
  const { code, stdout } = await run('user', 'delete', email, '--yes');
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Deleted ${email}.`)]);
  expect(await people()).toHaveLength(before.length);
  expect(await people()).toContainEqual({
    name: 'Deleted user',
    email: `${acme.member.userId}@deleted.invalid`,
  });
});

it('deletes an organization after a confirmation', async () => {
  const dry = await run('organization', 'delete', 'Acme', '--dry-run');
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/ {2}memberships: 4\n/)]);
  expect((await run('organization', 'delete', 'Acme')).code).toBe(2);
  expect(await people()).toHaveLength(8);
  const { code, stdout } = await run('organization', 'delete', 'Acme', '--yes');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ {2}users: 4\nDeleted Acme.\n$/)]);
  expect((await people()).map(({ email }) => email)).toEqual(
    [globex.admin, globex.member, globex.owner, globex.viewer].map(({ email }) => email),
  );
});
