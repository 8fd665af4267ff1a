/** `npm run generate`: writes the generated files, using a temporary PostgreSQL. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import { startEmbeddedPostgres } from '../src/platform/db/index.ts';
import { generatedFiles } from './generated-files.ts';

const PROJECT = join(import.meta.dirname, '..');
const log = createLog({ level: 'warn', terminal: process.stderr.isTTY, destination: 'stderr' });

const dir = await mkdtemp(join(tmpdir(), 'countersign-generate-'));
try {
  const postgres = await startEmbeddedPostgres({ dir, log, settings: { fsync: 'off' } });
  try {
    for (const [path, content] of await generatedFiles(postgres.connection, log)) {
      const file = join(PROJECT, path);
      const before = await readFile(file, 'utf8').catch(() => undefined);
      if (before !== content) {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
      process.stdout.write(`${before === content ? 'unchanged' : 'written  '}  ${path}\n`);
    }
  } finally {
    await postgres.stop();
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}
