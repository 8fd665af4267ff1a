/** The public interface of the HTTP transport. */
export { createServer } from './server.ts';
export type { Authenticate, Call, Metrics } from './types.ts';
