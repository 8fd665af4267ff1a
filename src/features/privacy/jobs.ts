/** Background work of privacy: tokens are masked in texts that were stored before. */
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import { maskStoredTexts } from './mask-stored-texts.ts';

export const privacyJobs: TimedJob[] = [
  { name: 'mask-stored-texts', everyMs: 10 * SECOND_MS, run: maskStoredTexts },
];
