/** `countersign decision`: keeps dismissed findings as Markdown files in their repository. */
import { resolve } from 'node:path';
import { exportDecisions } from '../../features/reviews/index.ts';
import { type Command, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { writeFiles } from '../terminal/write-files.ts';
import { ORGANIZATION_OPTION } from './check-option.ts';
import { findPlace } from './find-place.ts';

export const decisionExport: Command = {
  name: 'decision export',
  summary: 'Write dismissed findings of a repository as Markdown files',
  detail:
    'Writes one file for each finding that was dismissed for more than one pull request. Commit them under\n.countersign/decisions: reviews read them from the base branch.',
  options: [
    { name: 'folder', value: 'folder', required: true, meaning: 'The folder to write to.' },
    {
      ...{ name: 'repository', value: 'name', required: true },
      meaning: 'The repository: owner/name, or only the last part.',
    },
    ORGANIZATION_OPTION,
  ],
  positional: 'folder',
  example: 'countersign decision export .countersign/decisions --repository acme/api',
  quiet: true,
  async run(call) {
    const folder = resolve(textOption(call, 'folder'));
    const files = await withDatabase(call, async (db) =>
      exportDecisions(db, await findPlace(db, call, 'repository')),
    );
    await writeFiles(folder, files);
    process.stdout.write(`${files.length} ${files.length === 1 ? 'file' : 'files'} written.\n`);
  },
};
