/** A process whose requests leave garbage behind, and which says how much memory it uses. */
import { serveRequests } from '../../../src/engines/processes/index.ts';

export interface GarbageRequests {
  /** Returns how much memory is used then: later, the process may have returned it. */
  leaveGarbage: { params: object; result: number };
  usedBytes: { params: object; result: number };
}

serveRequests<GarbageRequests, object>({
  async leaveGarbage() {
    const garbage = Array.from({ length: 1_000_000 }, (_, number) => ({ number }));
    return garbage.length > 0 ? process.memoryUsage().heapUsed : 0;
  },
  usedBytes: async () => process.memoryUsage().heapUsed,
});
