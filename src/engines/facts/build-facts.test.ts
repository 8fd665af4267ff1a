/** Extraction goes on without the files that end or stop its process. */
import { expect, it } from 'vitest';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { createRequestProcess } from '../processes/index.ts';
import { buildFacts } from './build-facts.ts';
import type { ExtractRequests, FactFolders } from './messages.ts';

it('skips a file that kills the process and one that never ends', async () => {
  const log = createLog({ level: 'silent', terminal: false });
  const file = new URL('../../../test/facts/failing-extract-process.ts', import.meta.url);
  const process = createRequestProcess<ExtractRequests, FactFolders>(file, { idleMs: 1000, log });
  const seen: number[] = [];
  try {
    const leftOut = await buildFacts([process], { gitDir: '', factsFolder: '' }, 'commit', {
      maxBytes: 1e9,
      maxFileMs: 3000,
      log,
      signal: new AbortController().signal,
      onProgress: ({ done }) => seen.push(done),
    });
    // As many as were skipped.
    expect(leftOut).toBe(2);
    expect(Math.max(...seen)).toBe(5);
  } finally {
    await process.close();
  }
});
