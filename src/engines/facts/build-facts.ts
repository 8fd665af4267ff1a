/** Extracts what a commit lacks in a few processes, and goes on without the files that end or stop them. */
import type { Log } from '../../platform/core/telemetry/log.ts';
import { ProcessFailure, type RequestProcess } from '../processes/index.ts';
import type { ExtractRequests, FactFolders, FileRange, SkippedFile } from './messages.ts';

export type ExtractProcess = RequestProcess<ExtractRequests, FactFolders>;

export interface FactProgress {
  done: number;
  total: number;
}

export interface BuildOptions {
  maxBytes: number;
  onProgress?: ((progress: FactProgress) => void) | undefined;
  signal: AbortSignal;
}

/** A file takes milliseconds, and parsing stops on its own after two seconds. */
export const MAX_FILE_MS = 20_000;
/** Each of them costs a new process and the work on the same range so far. */
const MAX_SKIPPED = 20;
/** WebAssembly keeps the memory that its largest file took. */
const MAX_PROCESS_BYTES = 700 * 1024 * 1024;

/** Returns how many files didn't fit. */
export async function buildFacts(
  processes: [ExtractProcess, ...ExtractProcess[]],
  folders: FactFolders,
  commit: string,
  options: BuildOptions & { log: Log; maxFileMs?: number },
): Promise<number> {
  const { maxBytes, onProgress, signal } = options;
  const { lacking, ranges } = await processes[0].request(
    'planFacts',
    folders,
    { commit, maxBytes },
    { signal },
  );
  let [done, leftOut] = [0, 0];
  const stopped = new AbortController();
  const extractRanges = async (process: ExtractProcess): Promise<void> => {
    for (let range = ranges.shift(); range; range = ranges.shift()) {
      let counted = 0;
      const onFile = () => {
        counted += 1;
        onProgress?.({ done: Math.min(lacking, done + counted), total: lacking });
      };
      const both = AbortSignal.any([signal, stopped.signal]);
      const outcome = await extractRange(process, folders, commit, range, {
        ...options,
        signal: both,
        onFile,
      });
      done += outcome.added;
      leftOut += outcome.leftOut;
      if (outcome.memoryBytes > MAX_PROCESS_BYTES) await process.close();
    }
  };
  try {
    await Promise.all(
      processes.slice(0, ranges.length).map((process) =>
        extractRanges(process).catch((error: unknown) => {
          stopped.abort(error);
          throw error;
        }),
      ),
    );
  } finally {
    stopped.abort();
  }
  return leftOut;
}

async function extractRange(
  process: ExtractProcess,
  folders: FactFolders,
  commit: string,
  range: FileRange,
  options: BuildOptions & { log: Log; maxFileMs?: number; onFile(): void },
): Promise<ExtractRequests['extractRange']['result']> {
  const { log, maxBytes, maxFileMs = MAX_FILE_MS, onFile, signal } = options;
  const skipped: SkippedFile[] = [];
  for (;;) {
    let file = -1;
    let isHung = false;
    let watch: NodeJS.Timeout | undefined;
    const onProgress = (started: number) => {
      file = started;
      onFile();
      watch?.refresh();
    };
    watch = setTimeout(() => {
      isHung = true;
      void process.close();
    }, maxFileMs);
    try {
      const params = { commit, ...range, skipped, maxBytes };
      return await process.request('extractRange', folders, params, { signal, onProgress });
    } catch (error) {
      signal.throwIfAborted();
      const hasEnded =
        isHung || (error instanceof ProcessFailure && ['broken', 'ended'].includes(error.reason));
      const isKnown = skipped.some((known) => known.file === file);
      if (!hasEnded || file === -1 || isKnown || skipped.length >= MAX_SKIPPED) throw error;
      log.warn(
        { err: error, folder: folders.factsFolder, file, isHung },
        'a file has no facts: extracting them failed',
      );
      skipped.push({ file, incomplete: isHung ? 'too_slow' : 'invalid' });
    } finally {
      clearTimeout(watch);
    }
  }
}
