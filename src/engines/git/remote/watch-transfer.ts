/**
 * Stops a clone or fetch whose server never answers, stops sending, or never finishes. Git prints nothing while one large
 * object arrives, so the size of the pack being written is checked too.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_INTERVAL_MS = 2000;

export interface TransferWatch {
  /** Aborted with one of the two reasons. */
  signal: AbortSignal;
  reason(): 'stalled' | 'too_much_output' | null;
  /** Git printed something that it received from the server. */
  heard(): void;
  end(): void;
}

export function watchTransfer(
  gitDir: string,
  limits: { firstAnswerTimeoutMs: number; quietTimeoutMs: number; maxBytes: number },
): TransferWatch {
  const controller = new AbortController();
  let reason: 'stalled' | 'too_much_output' | null = null;
  let heardAt = performance.now();
  let quietLimitMs = limits.firstAnswerTimeoutMs;
  let bytes = 0;
  const heard = () => {
    heardAt = performance.now();
    quietLimitMs = limits.quietTimeoutMs;
  };
  const stop = (why: 'stalled' | 'too_much_output') => {
    reason ??= why;
    controller.abort();
  };
  const look = async () => {
    const now = await unfinishedBytes(gitDir);
    if (now > limits.maxBytes) stop('too_much_output');
    if (now !== bytes) heard();
    bytes = now;
    if (performance.now() - heardAt > quietLimitMs) stop('stalled');
  };
  const shortestMs = Math.min(limits.firstAnswerTimeoutMs, limits.quietTimeoutMs);
  const timer = setInterval(() => void look(), Math.min(MAX_INTERVAL_MS, shortestMs / 4));
  return {
    signal: controller.signal,
    reason: () => reason,
    heard,
    end: () => clearInterval(timer),
  };
}

/** The size of the packs being written. */
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
