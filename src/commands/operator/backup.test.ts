/** `countersign backup` and `countersign restore`: the secret file goes along under a passphrase, and mistakes change nothing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase, urlOf } from '../../../test/helpers/database/database.ts';
import { readAllRows } from '../../../test/helpers/database/fill-tables.ts';
import { runInProcess } from '../../../test/helpers/processes/command-in-process.ts';
import { COMMAND, startCountersign } from '../../../test/helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';

afterAll(cleanUp);

const SECRET = `${'5a'.repeat(32)}\n`;
const PASSPHRASE = 'four words of passphrase';

it('backs up to a file that restores the rows and the secret elsewhere', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  const file = join(from, 'everything.backup');
  const source = await createTestDatabase();
  const target = await createTestDatabase({ migrated: false });
  const here = { cwd: from, env: { DATABASE_URL: urlOf(source), SECRET_FILE: join(from, 'secret.key') } };
  const there = { cwd: to, env: { DATABASE_URL: urlOf(target), SECRET_FILE: join(to, 'secret.key') } };

  const noSecret = await runInProcess(['backup', file], here);
  expect(noSecret).toMatchObject({ code: 3, stderr: expect.stringContaining('--without-secret') });
  writeFileSync(here.env.SECRET_FILE, SECRET);
  const short = await runInProcess(['backup', file], { ...here, input: 'short\n' });
  expect(short).toMatchObject({ code: 3, stderr: expect.stringContaining('at least 12 characters') });
  const made = await runInProcess(['backup', file], { ...here, input: `${PASSPHRASE}\n` });
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(' rows, ') });
  expect(readFileSync(file).includes(Buffer.from(SECRET.trim(), 'hex'))).toBe(false);

  const verified = await runInProcess(['backup', 'verify', file]);
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('with the secret file') });

  const wrong = await runInProcess(['restore', file], { ...there, input: 'another passphrase' });
  expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('passphrase is not the one') });
  writeFileSync(there.env.SECRET_FILE, SECRET.replaceAll('5', '6'));
  const env = { ...there.env, BACKUP_PASSPHRASE_FILE: join(to, 'passphrase') };
  writeFileSync(env.BACKUP_PASSPHRASE_FILE, `${PASSPHRASE}\n`);
  const occupied = await runInProcess(['restore', file], { ...there, env });
  expect(occupied).toMatchObject({ code: 3, stderr: expect.stringContaining('there is another secret') });
  expect(await readAllRows(target)).toEqual({});

  const elsewhere = { ...env, SECRET_FILE: join(to, 'restored.key') };
  const restored = await runInProcess(['restore', file], { ...there, env: elsewhere });
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored') });
  expect(readFileSync(elsewhere.SECRET_FILE, 'utf8')).toBe(SECRET);
  expect(await readAllRows(target)).toEqual(await readAllRows(source));

  const again = await runInProcess(['restore', file], { ...there, env: elsewhere });
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('not empty') });
});

it('restores what comes through a pipe, and nothing if the pipe ends early', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'everything.backup');
  const source = await createTestDatabase();
  const target = await createTestDatabase({ migrated: false });
  writeFileSync(join(folder, 'secret.key'), SECRET);
  const from = { DATABASE_URL: urlOf(source), SECRET_FILE: join(folder, 'secret.key') };
  const made = await runInProcess(['backup', file], { cwd: folder, env: from, input: PASSPHRASE });
  expect(made).toMatchObject({ code: 0 });

  const temporary = temporaryFolder();
  const env = {
    ...{ DATABASE_URL: urlOf(target), SECRET_FILE: join(folder, 'restored.key'), TMPDIR: temporary },
    BACKUP_PASSPHRASE: PASSPHRASE as string | undefined,
  };
  // A shell's pipe, because the standard input that Node.js gives a process is a socket.
  const restore = (words: string, program: string, environment = env) =>
    startCountersign([`${program} '${file}' | '${process.execPath}' '${COMMAND}' restore ${words}`], {
      ...{ node: 'sh', bin: '-c', env: environment },
    }).ended;
  expect(await restore('-', 'head -c 5000')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('standard input is damaged: it ends too early'),
  });
  expect(await restore('/dev/stdin', 'cat', { ...env, BACKUP_PASSPHRASE: undefined })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('its passphrase must be in BACKUP_PASSPHRASE'),
  });
  expect(await readAllRows(target)).toEqual({});
  expect(await restore('/dev/stdin', 'cat')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Restored'),
  });
  expect(await readAllRows(target)).toEqual(await readAllRows(source));
  expect(readFileSync(env.SECRET_FILE, 'utf8')).toBe(SECRET);
  expect(readdirSync(temporary)).toEqual([]);
});

it('leaves the secret out on request, and says so', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'rows.backup');
  const source = await createTestDatabase();
  const made = await runInProcess(['backup', file, '--without-secret'], {
    cwd: folder,
    env: { DATABASE_URL: urlOf(source) },
  });
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('does not include the secret file'),
  });
  const target = await createTestDatabase({ migrated: false });
  const secretFile = join(folder, 'new.key');
  const restored = await runInProcess(['restore', file], {
    env: { DATABASE_URL: urlOf(target), SECRET_FILE: secretFile },
  });
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('copy the secret file') });
  expect(existsSync(secretFile)).toBe(false);
});

it('refuses what is not a backup', async () => {
  const file = join(temporaryFolder(), 'notes.txt');
  writeFileSync(file, 'buy milk, and other things that are no backup');
  expect(await runInProcess(['backup', 'verify', file])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('is not a backup of Countersign'),
  });
  expect(await runInProcess(['restore', `${file}.gone`])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('does not exist'),
  });
});
