/** The request or job that is being worked on. Anything it calls can ask for it, at any depth. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface Work {
  requestId?: string | undefined;
  /** The name of a job. */
  job?: string | undefined;
  /** The MCP tool that was called. */
  tool: string | undefined;
  /** It waits for changes, so it is never slow. */
  isWaiting: boolean;
  queries: number;
  queryMs: number;
}

const storage = new AsyncLocalStorage<Work>();

export function newWork({ job, requestId }: Pick<Work, 'job' | 'requestId'>): Work {
  return { requestId, job, tool: undefined, isWaiting: false, queries: 0, queryMs: 0 };
}

export function inWork<Result>(work: Work, run: () => Result): Result {
  return storage.run(work, run);
}

export function currentWork(): Work | undefined {
  return storage.getStore();
}
