/** The worker thread that follows and judges discussions. */
import { serveTasks } from '../../platform/core/work/serve-tasks.ts';
import { JUDGE_WORK } from './judge-work.ts';

serveTasks(JUDGE_WORK);
