/** The HTTP side's door. */
export { createServer } from './server.ts';
export type { Authenticate, Call, Metrics } from './types.ts';
