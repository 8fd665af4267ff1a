/** The operator's secret: encryption, the secret file, and the same secret on every node. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { cleanUp, temporaryFolder } from '../../../test/helpers/processes/real-processes.ts';
import { openDatabase } from '../db/index.ts';
import { createSecretBox, openSecrets } from './index.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 10,
  onConnectionLost: () => undefined,
});
const { db } = database;
beforeEach(() => db.deleteFrom('service_secret').execute());
afterAll(async () => {
  await database.close();
  await cleanUp();
});

const newFile = () => join(temporaryFolder(), 'deep', 'secret.key');
const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ name: 'StartFailure', kind: 'secret_unusable', exitCode: 20 });
  return (error as Error).message;
};

describe('encryption', () => {
  const box = createSecretBox(Buffer.alloc(32, 1));

  it('decrypts what was encrypted for the same purpose', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, purpose) => {
        expect(box.open(box.seal(text, purpose), purpose)).toBe(text);
      }),
    );
  });

  it('never returns the same ciphertext twice, and reveals nothing of the text', () => {
    const [one, two] = [box.seal('hunter2', 'p'), box.seal('hunter2', 'p')];
    expect(one.equals(two)).toBe(false);
    expect(one.includes('hunter2')).toBe(false);
  });

  it('fails for another purpose, another secret, and if a byte was changed or removed', () => {
    const sealed = box.seal('hunter2', 'repository:1');
    expect(() => box.open(sealed, 'repository:2')).toThrow();
    expect(() => createSecretBox(Buffer.alloc(32, 2)).open(sealed, 'repository:1')).toThrow();
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(() => box.open(changed, 'repository:1'), `byte ${index}`).toThrow();
      expect(() => box.open(sealed.subarray(0, index), 'repository:1'), `${index} bytes`).toThrow();
    }
  });
});

describe('the secret file', () => {
  it('is created at the first start, readable only by this user, and used at the next', async () => {
    const file = newFile();
    const first = await openSecrets({ db, file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(readdirSync(join(file, '..'))).toEqual(['secret.key']);
    const sealed = first.seal('text', 'purpose');
    expect((await openSecrets({ db, file })).open(sealed, 'purpose')).toBe('text');
  });

  it('is the same for all processes that start at the same time in one folder', async () => {
    const file = newFile();
    const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecrets({ db, file })));
    const sealed = boxes[0]!.seal('text', 'purpose');
    for (const box of boxes) expect(box.open(sealed, 'purpose')).toBe('text');
  });

  it('is the same when nodes with separate folders start at the same time on an empty database', async () => {
    const files = Array.from({ length: 6 }, newFile);
    const outcomes = await Promise.allSettled(files.map((file) => openSecrets({ db, file })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = files[outcomes.findIndex(({ status }) => status === 'fulfilled')]!;
    for (const file of files) expect(existsSync(file)).toBe(file === winner);
    await openSecrets({ db, file: winner });
  });

  it('of another node is detected, and the message names the file to copy', async () => {
    const [file, other] = [newFile(), newFile()];
    await openSecrets({ db, file });
    expect(await failureOf(openSecrets({ db, file: other }))).toContain(
      `The secret file ${other} does not exist`,
    );
    expect(existsSync(other)).toBe(false);
    const wrong = join(temporaryFolder(), 'wrong.key');
    writeFileSync(wrong, `${'ab'.repeat(32)}\n`);
    const message = await failureOf(openSecrets({ db, file: wrong }));
    expect(message).toContain(wrong);
    expect(message).not.toContain('abab');
    // A copy of the right one will do.
    writeFileSync(other.replace('/deep', ''), readFileSync(file));
    await openSecrets({ db, file: other.replace('/deep', '') });
  });

  it.each(['', 'short', `${'zz'.repeat(32)}`, `${'ab'.repeat(33)}`])(
    'that holds %j is refused as it is',
    async (text) => {
      const file = join(temporaryFolder(), 'secret.key');
      writeFileSync(file, text);
      expect(await failureOf(openSecrets({ db, file }))).toContain('does not contain a secret');
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );

  it('that is not readable is reported', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(await failureOf(openSecrets({ db, file: join(folder, 'file', 'secret.key') }))).toContain(
      'cannot be read',
    );
  });
});
