/** Background work of mirrors. */
import { z } from 'zod';
import { uuid } from '../../platform/core/operations/shapes.ts';
import { HOUR_MS, SECOND_MS } from '../../platform/core/text/durations.ts';
import { defineJob, type TimedJob } from '../../platform/queue/index.ts';
import { lockDueRefreshes, markRefreshQueued } from '../repositories/index.ts';
import type { Mirrors } from './create-mirrors.ts';

const BATCH = 500;
/** Refreshes that a user requested. */
const ASKED_FOR = 1;
/** A clone uses a CPU core and much of the network and disk. */
const MAX_CLONES_AT_ONCE = 4;
/** Remotes that never respond must not block other organizations. */
const MAX_CLONES_PER_ORGANIZATION = MAX_CLONES_AT_ONCE / 2;

export const mirrorJobs = [
  defineJob({
    name: 'refresh-repository',
    payload: z.object({ repositoryId: uuid() }),
    maxSeconds: 6 * 60 * 60,
    maxAtOnce: MAX_CLONES_AT_ONCE,
    maxPerGroup: MAX_CLONES_PER_ORGANIZATION,
    due: {
      schedule: { name: 'queue-due-refreshes', everyMs: 10 * SECOND_MS, onChange: true },
      batch: BATCH,
      claim: (db) => lockDueRefreshes(db, BATCH),
      mark: (db, rows) =>
        markRefreshQueued(
          db,
          rows.map(({ id }) => id),
        ),
      request: ({ asked, id, organization_id }) => ({
        data: { repositoryId: id },
        group: organization_id,
        priority: asked ? ASKED_FOR : 0,
      }),
    },
    run: ({ mirrors }: { mirrors: Pick<Mirrors, 'refresh'> }, { repositoryId }, signal) =>
      mirrors.refresh(repositoryId, { onlyWhenDue: true, signal }),
  }),
];

/** For the files of this node, whatever its roles. */
export const mirrorNodeJobs: TimedJob<{ mirrors: Pick<Mirrors, 'sweep'> }>[] = [
  { name: 'delete-gone-mirrors', everyMs: HOUR_MS, run: (_db, _now, { mirrors }) => mirrors.sweep() },
];
