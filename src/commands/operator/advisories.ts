/** `countersign advisories`: known vulnerabilities of packages, from a database that the operator mirrors. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { importAdvisories } from '../../features/advisories/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { type Command, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printable } from '../terminal/printable.ts';
import { createProgressDisplay } from '../terminal/show-progress.ts';

const MAX_NAMED = 5;

export const advisoriesImport: Command = {
  name: 'advisories import',
  summary: 'Import known vulnerabilities of packages from a folder',
  detail:
    'Reads every .json file in the folder and its subfolders in the OSV format, such as a clone of the GitHub Advisory\nDatabase, in place of what was imported before. Reviews then name new versions in lock files that have a known\nvulnerability. Run it again after every update of the folder.',
  options: [{ name: 'folder', value: 'folder', required: true, meaning: 'The folder to read.' }],
  positional: 'folder',
  example: 'countersign advisories import advisory-database/advisories/github-reviewed',
  quiet: true,
  async run(call) {
    const folder = resolve(textOption(call, 'folder'));
    const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
      throw new StartFailure('refused', `${folder} can't be read: ${error.code}`);
    });
    if (!found.isDirectory()) throw new StartFailure('refused', `${folder} is not a folder`);
    const display = createProgressDisplay();
    const onProgress = (objects: number) =>
      display.show({ phase: 'reading', percent: null, objects, totalObjects: null, bytes: null });
    const outcome = await withDatabase(call, (db) =>
      importAdvisories(db, folder, { at: systemClock.now(), onProgress }),
    ).finally(() => display.end());
    if (outcome.kind === 'busy')
      throw new StartFailure('refused', 'another import is running. Try again when it has ended');
    const { notRead } = outcome;
    const named = notRead.slice(0, MAX_NAMED).map((path) => `  ${printable(path)}`);
    const skipped =
      notRead.length === 0
        ? ''
        : `\n${notRead.length} ${notRead.length === 1 ? 'file is' : 'files are'} not in the OSV format${notRead.length > MAX_NAMED ? ', such as' : ''}:\n${named.join('\n')}`;
    if (outcome.kind === 'empty') {
      throw new StartFailure(
        'refused',
        `${folder} contains no advisories that reviews can use, so nothing was changed${skipped}`,
      );
    }
    const { changed, removed, total } = outcome;
    process.stdout.write(
      `${total} ${total === 1 ? 'advisory' : 'advisories'}: ${changed} new or changed, ${removed} removed.${skipped}\n`,
    );
  },
};
