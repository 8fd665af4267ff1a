/** The worker thread for long plans. */
import { serveTasks } from '../../platform/core/work/serve-tasks.ts';
import { TEXT_WORK } from './text-work.ts';

serveTasks(TEXT_WORK);
