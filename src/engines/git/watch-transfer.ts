/**
 * Ends a clone or fetch that stands still or receives without end. What git says is not enough to go by: while one large object
 * arrives it says nothing, so the pack that it writes is looked at too.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_INTERVAL_MS = 2000;

export interface TransferWatch {
  /** Aborted with one of the two reasons. */
  signal: AbortSignal;
  reason(): 'stalled' | 'too_much_output' | null;
  /** Git said something. */
  heard(): void;
  end(): void;
}

export function watchTransfer(
  gitDir: string,
  { quietTimeoutMs, maxBytes }: { quietTimeoutMs: number; maxBytes: number },
): TransferWatch {
  const controller = new AbortController();
  let reason: 'stalled' | 'too_much_output' | null = null;
  let heardAt = performance.now();
  let bytes = 0;
  const stop = (why: 'stalled' | 'too_much_output') => {
    reason ??= why;
    controller.abort();
  };
  const look = async () => {
    const now = await unfinishedBytes(gitDir);
    if (now > maxBytes) stop('too_much_output');
    if (now !== bytes) heardAt = performance.now();
    bytes = now;
    if (performance.now() - heardAt > quietTimeoutMs) stop('stalled');
  };
  const timer = setInterval(() => void look(), Math.min(MAX_INTERVAL_MS, quietTimeoutMs / 4));
  return {
    signal: controller.signal,
    reason: () => reason,
    heard: () => {
      heardAt = performance.now();
    },
    end: () => clearInterval(timer),
  };
}

/** The size of the packs that are being written. */
async function unfinishedBytes(gitDir: string): Promise<number> {
  const folder = join(gitDir, 'objects/pack');
  const names = await readdir(folder).catch(() => []);
  let bytes = 0;
  for (const name of names)
    if (name.startsWith('tmp_pack_'))
      bytes += await stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      );
  return bytes;
}
