/** Background work of pull requests. */
import { SECOND_MS } from '../../platform/core/text/durations.ts';
import type { TimedJob } from '../../platform/queue/index.ts';
import type { PlainGitFollower } from './plain-git/follow-plain-git.ts';

export const pullRequestJobs: TimedJob<{ plainGit: PlainGitFollower }>[] = [
  {
    name: 'follow-plain-git',
    everyMs: 10 * SECOND_MS,
    onChange: true,
    run: (db, now, { plainGit }) => plainGit.run(db, now),
  },
];
