/** The worker thread that reads webhooks while many arrive. */
import { serveTasks } from '../../platform/core/work/serve-tasks.ts';
import { readWebhooks } from './read-webhooks.ts';

serveTasks({ readWebhooks });
