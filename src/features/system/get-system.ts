/** GET /api/v2/system: versions, sizes, nodes, the queue and the last backup. */
import { statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { defineOperation } from '../../context.ts';
import { packageVersion } from '../../platform/core/text/package-version.ts';
import { GetSystemInput, System } from './contract.ts';
import { countBytes } from './count-bytes.ts';
import { programVersion } from './program-version.ts';
import { selectDatabaseState, selectLatestBackup, selectNodes, selectQueues } from './system-store.ts';

const COUNT_WITHIN_MS = 2_000;

export const getSystem = defineOperation({
  name: 'get-system',
  group: 'System',
  summary: 'Get the state of the installation',
  description:
    'Numbers are for the whole installation. Of other organizations, only the number of jobs is included.',
  http: { method: 'GET', path: '/api/v2/system', status: 200 },
  accepts: ['session'],
  role: 'admin',
  input: GetSystemInput,
  output: System,
  problems: [],
  async run({ db, settings }) {
    const [git, ripgrep, mirrors, disk] = await Promise.all([
      programVersion('git'),
      programVersion('ripgrep'),
      countBytes(join(settings.dataDir, 'repositories'), COUNT_WITHIN_MS),
      statfs(settings.dataDir),
    ]);
    const database = await selectDatabaseState(db);
    const backup = await selectLatestBackup(db);
    const queues = await selectQueues(db);
    const nodes = await selectNodes(db);
    return {
      versions: {
        countersign: packageVersion(),
        node: process.versions.node,
        postgres: database.version,
        git: git?.replace(/^git version /, '') ?? null,
        ripgrep: ripgrep?.replace(/^ripgrep /, '') ?? null,
      },
      sizes: {
        databaseBytes: database.bytes,
        mirrorBytes: mirrors.bytes,
        mirrorsCounted: mirrors.complete,
        diskFreeBytes: disk.bavail * disk.bsize,
      },
      nodes: nodes.map(({ since, ...node }) => ({ ...node, since: since.toISOString() })),
      queues: queues.map(({ name, waitedSeconds, ...counts }) => ({
        kind: name,
        ...counts,
        lagSeconds: waitedSeconds,
      })),
      backup: backup
        ? {
            finishedAt: backup.finished_at?.toISOString() ?? null,
            file: backup.file === null ? null : basename(backup.file),
            bytes: backup.bytes === null ? null : Number(backup.bytes),
            problem: backup.problem,
          }
        : null,
    };
  },
});
