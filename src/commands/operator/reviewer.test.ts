/** `countersign reviewer` in this process: list, export, and import of what was exported and edited. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startOperatorCommands } from '../../../test/helpers/processes/operator-commands.ts';
import { makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { reviewerExport, reviewerImport, reviewerList } from './reviewer.ts';

const { acme, db, run } = await startOperatorCommands();
await makeRepositoryRow({ db, clock: systemClock }, acme.id, {
  name: 'acme/api',
});

const newFolder = () => mkdtempSync(join(tmpdir(), 'reviewers-'));
const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text);

it('imports new reviewers, changes edited ones, leaves others, and exports what it imports', async () => {
  const folder = newFolder();
  write(
    folder,
    'sql.md',
    '---\ntitle: No raw SQL\nscopes:\n  - repository: api\n    paths: [src/**]\n---\n\nUse the builder.\n',
  );
  write(
    folder,
    'log.md',
    '---\ntitle: Logs\nenabled: false\nkind: rules\n---\n\n```yaml\nid: a\nlanguage: ts\nrule: {pattern: console.log($A)}\n```\n',
  );
  write(folder, 'notes.txt', 'not a reviewer');
  expect(await run(reviewerImport, { folder })).toBe('2 created, 0 changed, 0 unchanged.\n');
  expect(await run(reviewerImport, { folder })).toBe('0 created, 0 changed, 2 unchanged.\n');
  write(folder, 'sql.md', readFileSync(join(folder, 'sql.md'), 'utf8').replace('builder', 'query builder'));
  expect(await run(reviewerImport, { folder })).toBe('0 created, 1 changed, 1 unchanged.\n');

  const exported = newFolder();
  expect(await run(reviewerExport, { folder: exported })).toBe('2 files written.\n');
  expect(readdirSync(exported).sort()).toEqual(['logs.md', 'no-raw-sql.md']);
  expect(readFileSync(join(exported, 'no-raw-sql.md'), 'utf8')).toBe(
    '---\ntitle: No raw SQL\nscopes:\n  - repository: acme/api\n    paths:\n      - src/**\n---\n\nUse the query builder.\n',
  );
  expect(await run(reviewerImport, { folder: exported })).toBe('0 created, 0 changed, 2 unchanged.\n');

  const rows = JSON.parse(await run(reviewerList, { json: true })) as Record<string, string>[];
  expect(rows).toHaveLength(12);
  expect(rows.filter(({ kind }) => kind === 'custom')).toMatchObject([
    { title: 'Logs', state: 'off', version: '1' },
    { title: 'No raw SQL', state: 'on', version: '2' },
  ]);
});

it('imports nothing if a file has a mistake, and says where it is', async () => {
  const folder = newFolder();
  write(folder, 'good.md', '---\ntitle: Good\n---\n\nGood.\n');
  write(
    folder,
    'bad.md',
    '---\ntitle: Bad\nkind: rules\n---\n\n```yaml\nid: a\nlanguage: nope\nrule: {kind: x}\n```\n',
  );
  write(folder, 'built-in.md', '---\ntitle: SECRETS\n---\n\nx\n');
  write(folder, 'twice.md', '---\ntitle: good\nscopes: [{repository: none}]\n---\n\nx\n');
  await expect(run(reviewerImport, { folder })).rejects.toThrow(
    [
      'nothing was imported',
      'bad.md:8:11: nope is not a language of ast-grep',
      'built-in.md: Secrets is the title of a built-in reviewer',
      'twice.md: has the same title as good.md',
      'twice.md: there is no repository named none',
    ].join('\n'),
  );
  expect(await run(reviewerList)).not.toContain('Good');
  await expect(run(reviewerImport, { folder: newFolder() })).rejects.toThrow('contains no .md files');
  await expect(run(reviewerImport, { folder: join(folder, 'none') })).rejects.toThrow(
    "can't be read: ENOENT",
  );
});

it('imports files with a byte order mark', async () => {
  const folder = newFolder();
  write(folder, 'bom.md', '\uFEFF---\ntitle: Written on Windows\n---\n\nUse the builder.\n');
  expect(await run(reviewerImport, { folder })).toBe('1 created, 0 changed, 0 unchanged.\n');
});

it('refuses to export to what is not a folder or where none can be created, and creates folders within others', async () => {
  const folder = newFolder();
  write(folder, 'file', '');
  for (const wrong of [join(folder, 'file'), join(folder, 'file/in'), '/proc/countersign'])
    await expect(run(reviewerExport, { folder: wrong })).rejects.toThrow(
      `nothing can be written to ${wrong}: `,
    );
  expect(await run(reviewerExport, { folder: join(folder, 'a/b') })).toBe('3 files written.\n');
});
