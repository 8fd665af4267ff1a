/** `countersign reviewer`: lists reviewers, and keeps custom ones as Markdown files. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { operatorOf } from '../../features/audit/index.ts';
import { exportReviewers, importReviewers, selectReviewers } from '../../features/reviewers/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable } from '../terminal/printable.ts';
import { writeFiles } from '../terminal/write-files.ts';
import { findOrganization, ORGANIZATION_OPTION } from './check-option.ts';

const MAX_FILES = 500;
const MAX_FILE_BYTES = 256 * 1024;
const FOLDER_OPTION = { name: 'folder', value: 'folder', required: true };

export const reviewerList: Command = {
  name: 'reviewer list',
  summary: 'List reviewers',
  options: [ORGANIZATION_OPTION, JSON_OPTION],
  example: 'countersign reviewer list',
  quiet: true,
  async run(call) {
    const rows = await withDatabase(call, async (db) => {
      const organization = await findOrganization(db, call);
      return selectReviewers(db, organization.id);
    });
    printRows(
      rows.map((row) => ({
        title: row.title,
        kind: row.built_in === null ? 'custom' : 'built-in',
        state: row.enabled ? 'on' : 'off',
        version: String(row.active_version),
        updatedAt: row.updated_at.toISOString(),
      })),
      { json: call.options.json === true, empty: 'No reviewers.' },
    );
  },
};

export const reviewerImport: Command = {
  name: 'reviewer import',
  summary: 'Create and change custom reviewers from Markdown files',
  detail:
    'Reads every .md file in the folder. A reviewer with the same title gets a new version if its content differs.\nIf a file has a mistake, nothing is imported.',
  options: [{ ...FOLDER_OPTION, meaning: 'The folder to read.' }, ORGANIZATION_OPTION],
  positional: 'folder',
  example: 'countersign reviewer import .countersign/reviewers',
  quiet: true,
  async run(call) {
    const files = await readFiles(folderOf(call));
    const outcome = await withDatabase(call, async (db) => {
      const organization = await findOrganization(db, call);
      const source = operatorOf(organization.id, systemClock.now());
      return inTransaction(db, (transaction) => importReviewers(transaction, source, files));
    });
    if (!outcome.ok) {
      throw new StartFailure(
        'refused',
        `nothing was imported\n${outcome.problems.map(printable).join('\n')}`,
      );
    }
    const { changed, created, unchanged } = outcome;
    print(`${created.length} created, ${changed.length} changed, ${unchanged.length} unchanged.`);
  },
};

export const reviewerExport: Command = {
  name: 'reviewer export',
  summary: 'Write custom reviewers as Markdown files',
  detail:
    'Writes one file for each custom reviewer, named after its title. Existing files of that name are replaced.',
  options: [{ ...FOLDER_OPTION, meaning: 'The folder to write to.' }, ORGANIZATION_OPTION],
  positional: 'folder',
  example: 'countersign reviewer export .countersign/reviewers',
  quiet: true,
  async run(call) {
    const folder = folderOf(call);
    const files = await withDatabase(call, async (db) =>
      exportReviewers(db, (await findOrganization(db, call)).id),
    );
    await writeFiles(folder, files);
    print(`${files.length} ${files.length === 1 ? 'file' : 'files'} written.`);
  },
};

function folderOf(call: Call): string {
  return resolve(textOption(call, 'folder'));
}

/** In the order of their names. */
async function readFiles(folder: string): Promise<{ name: string; text: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StartFailure('refused', `${folder} can't be read: ${error.code}`);
  });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => name);
  if (names.length === 0) throw new StartFailure('refused', `${folder} contains no .md files`);
  if (names.length > MAX_FILES)
    throw new StartFailure('refused', `${folder} contains more than ${MAX_FILES} files`);
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(folder, name);
      if ((await stat(path)).size > MAX_FILE_BYTES)
        throw new StartFailure('refused', `${name} is larger than ${MAX_FILE_BYTES / 1024} KiB`);
      return { name, text: await readFile(path, 'utf8') };
    }),
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
