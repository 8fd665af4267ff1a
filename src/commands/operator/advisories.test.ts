/** `countersign advisories import` in this process: what it prints, and what it refuses. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { createTestDatabase, urlOf } from '../../../test/helpers/database/database.ts';
import { temporaryDataDir } from '../../../test/helpers/git/mirrors.ts';
import { readConfig } from '../../config.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { advisoriesImport } from './advisories.ts';

const config = readConfig({
  DATA_DIR: temporaryDataDir(),
  DATABASE_URL: urlOf(await createTestDatabase()),
});
const folder = mkdtempSync(join(tmpdir(), 'advisories-'));
let printed = '';
const outputs = [process.stdout, process.stderr].map((stream) =>
  vi.spyOn(stream, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  }),
);
afterAll(() => {
  for (const output of outputs) output.mockRestore();
  rmSync(folder, { recursive: true });
});

async function run(from = folder): Promise<string> {
  printed = '';
  const log = createLog({ level: 'silent', terminal: false });
  const [stopped, environment] = [new AbortController().signal, {}];
  const call = { config, log, options: { folder: from }, stopped, environment, setExitCode: () => undefined };
  await advisoriesImport.run(call);
  return printed;
}

it('says what it imported, and changes nothing if there is nothing to import', async () => {
  await expect(run(join(folder, 'nowhere'))).rejects.toThrow(/nowhere can't be read: ENOENT$/);
  await expect(run()).rejects.toThrow(/contains no advisories that reviews can use, so nothing was changed$/);
  const affected = [{ package: { ecosystem: 'Go', name: 'golang.org/x/text' }, versions: ['0.3.7'] }];
  writeFileSync(join(folder, 'one.json'), JSON.stringify({ id: 'GO-1', affected }));
  expect(await run()).toBe('Reading files  1\n1 advisory: 1 new or changed, 0 removed.\n');
  await expect(run(join(folder, 'one.json'))).rejects.toThrow(/one\.json is not a folder$/);
  mkdirSync(join(folder, 'more'));
  writeFileSync(join(folder, 'more/wrong\u001b.json'), '{}');
  expect(await run()).toContain(
    `1 advisory: 0 new or changed, 0 removed.\n1 file is not in the OSV format:\n  ${folder}/more/wrong`,
  );
  expect(printed).not.toContain('\u001b.json');
  for (let n = 0; n < 6; n += 1) writeFileSync(join(folder, `more/${n}.json`), '[]');
  expect(await run()).toContain('7 files are not in the OSV format, such as:\n');
});
