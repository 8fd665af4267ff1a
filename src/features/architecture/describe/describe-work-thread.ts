/** The worker thread that turns the facts of a repository into rows. */
import { serveTasks } from '../../../platform/core/work/serve-tasks.ts';
import { DESCRIBE_WORK } from './describe-work.ts';

serveTasks(DESCRIBE_WORK);
