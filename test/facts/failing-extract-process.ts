/** An extraction process that dies at file 1 and hangs at file 3, unless they are skipped; file 5 is the last. */
import type { ExtractRequests, FactFolders } from '../../src/engines/facts/messages.ts';
import { serveRequests } from '../../src/engines/processes/index.ts';

serveRequests<ExtractRequests, FactFolders>({
  planFacts: async () => ({ lacking: 5, ranges: [{ from: 0, to: 5 }] }),
  async extractRange(_folders, { from, skipped, to }, { onProgress }) {
    for (let file = from; file < to; file += 1) {
      onProgress(file);
      if (skipped.some((known) => known.file === file)) continue;
      if (file === 1) process.kill(process.pid, 'SIGKILL');
      if (file === 3) for (;;);
    }
    return { added: to - from, leftOut: skipped.length, memoryBytes: 0 };
  },
});
