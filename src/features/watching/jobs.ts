/** Background work of watching. */
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { notifyWatchers, type WatchServices } from './notify-watchers.ts';

export const watchingJobs: TimedJob<WatchServices>[] = [
  { name: 'notify-watchers', everyMs: 10 * SECOND_MS, onChange: true, run: notifyWatchers },
];
