/** The most memory that a process had, alone and with its descendants. Another thread looks, so that requests are timed undisturbed. */
import { Worker } from 'node:worker_threads';

export interface MemoryUse {
  ownMegabytes: number;
  totalMegabytes: number;
}

export function watchMemory(processId: number): { stop(): Promise<MemoryUse> } {
  let most: MemoryUse = { ownMegabytes: 0, totalMegabytes: 0 };
  const worker = new Worker(new URL('./memory-worker.ts', import.meta.url), { workerData: processId });
  worker.on('message', (use: MemoryUse) => {
    most = use;
  });
  return {
    async stop() {
      await worker.terminate();
      return most;
    },
  };
}
