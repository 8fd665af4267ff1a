/** `countersign discussions labels`: exports where people agreed or disagreed with judgements of review discussions. */
import { resolve } from 'node:path';
import { operatorOf, recordAudit } from '../../features/audit/index.ts';
import { labelLines } from '../../features/discussions/index.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { type Command, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { writeNewFile } from '../terminal/write-new-file.ts';
import { findOrganization, ORGANIZATION_OPTION } from './check-option.ts';

export const discussionLabels: Command = {
  name: 'discussions labels',
  summary: 'Export where people confirmed or corrected “addressed”',
  detail:
    'One line of JSON for each time a person confirmed, reopened or resolved a discussion after later commits were judged.\nUse it to measure how "addressed" is decided on your code. Nothing is exported unless you run this.',
  options: [
    { name: 'to', value: 'file', required: true, meaning: 'The file to write. It must not exist yet.' },
    { name: 'with-code', meaning: 'Include the commented code and the comments.' },
    ORGANIZATION_OPTION,
  ],
  positional: 'to',
  example: 'countersign discussions labels labels.jsonl --with-code',
  quiet: true,
  async run(call) {
    const file = resolve(textOption(call, 'to'));
    const withCode = call.options['with-code'] === true;
    const count = await withDatabase(call, async (db) => {
      const organization = await findOrganization(db, call);
      const written = await writeNewFile(file, call.stopped, async function* () {
        let labels = 0;
        for await (const lines of labelLines(db, organization.id, { withCode })) {
          labels += lines.length;
          yield lines.map((line) => `${line}\n`).join('');
        }
        return labels;
      });
      await recordAudit(db, operatorOf(organization.id, systemClock.now()), {
        action: 'discussion_labels.exported',
        detail: { withCode },
      });
      return written;
    });
    process.stdout.write(`${file}: ${count.toLocaleString('en-US')} ${count === 1 ? 'label' : 'labels'}.\n`);
  },
};
