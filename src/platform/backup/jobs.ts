/** Background work of backups. */
import { z } from 'zod';
import { MINUTE_MS } from '../core/text/durations.ts';
import { defineJob } from '../queue/index.ts';
import { claimDueBackup } from './backup-store.ts';
import { type BackupSchedule, type BackupServices, makeScheduledBackup } from './scheduled-backup.ts';

interface Services extends BackupServices {
  /** Without it, this node makes no backups. */
  backups?: BackupSchedule | undefined;
}

export const makeBackup = defineJob({
  name: 'make-backup',
  payload: z.object({}),
  maxSeconds: 6 * 60 * 60,
  maxAtOnce: 1,
  isOn: ({ backups }: Services) => backups !== undefined,
  due: {
    schedule: { name: 'queue-backup', everyMs: MINUTE_MS },
    claim: async (db, { backups }) => ((await claimDueBackup(db, backups!.everyMs)) ? [{}] : []),
    request: () => ({ data: {} }),
  },
  run: (services, _, signal) => makeScheduledBackup(services, services.backups!, signal),
});

export const backupJobs = [makeBackup];
