/** The generated files in the repository match the current code. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../../scripts/generated-files.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { createTestDatabase } from '../../helpers/database/database.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const log = createLog({ level: 'silent', terminal: false });
const files = await generatedFiles(await createTestDatabase({ migrated: false }), log);

test.each([...files])('%s is up to date', async (path, content) => {
  const present = await readFile(join(PROJECT, path), 'utf8').catch(() => undefined);
  expect(present, `${path} is out of date: run \`npm run generate\` and commit what it writes`).toBe(content);
});

test('the generator produces the same files on a database that is already migrated', async () => {
  expect(await generatedFiles(await createTestDatabase(), log)).toEqual(files);
});
