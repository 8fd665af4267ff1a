/** Jobs that delete what is older than the settings say. */
import { keptSince, type Retention } from '../core/ports/retention.ts';
import { HOUR_MS } from '../core/text/durations.ts';
import type { Db } from '../db/index.ts';
import type { TimedJob } from './define-job.ts';

export function deleteOld(
  name: string,
  kept: keyof Retention,
  run: (db: Db, before: Date) => Promise<void>,
): TimedJob<{ retention: Retention }> {
  return {
    name,
    everyMs: HOUR_MS,
    async run(db, now, { retention }) {
      const before = keptSince(now, retention[kept]);
      if (before) await run(db, before);
    },
  };
}
