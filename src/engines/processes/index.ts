/** The public interface of processes that read code for the service: they may die, and it goes on. */
export { type FailureReason, MAX_ATTEMPTS, ProcessFailure } from './failure.ts';
export type { RequestTime } from './messages.ts';
export { createRequestProcess, type RequestProcess } from './request-process.ts';
export { type HandlerCall, serveRequests } from './serve-requests.ts';
export { SOURCE_EXTENSION } from './start-process.ts';
