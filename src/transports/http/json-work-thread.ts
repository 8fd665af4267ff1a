/** The worker thread that parses large JSON bodies. */
import { serveTasks } from '../../platform/core/work/serve-tasks.ts';
import { readMessage, readWanted } from './parse-json.ts';

serveTasks({ readMessage, readWanted });
