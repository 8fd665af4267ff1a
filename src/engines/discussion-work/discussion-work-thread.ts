/** The worker thread that follows and judges discussions. */
import { serveTasks } from '../../platform/core/work/serve-tasks.ts';
import { DISCUSSION_WORK } from './discussion-work.ts';

serveTasks(DISCUSSION_WORK);
