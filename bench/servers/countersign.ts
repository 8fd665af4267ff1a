/** P1's own side: the production wiring with one operation that sends the sample reply, and an API key. */
import { sendSample } from './sample-operation.ts';
import { startService } from './start-service.ts';

const service = await startService([sendSample]);
service.announce({});
