/** Parses the progress of a clone or fetch from git's stderr: bytes in chunks of any size, lines that end with CR or LF. */

export interface MirrorProgress {
  phase: 'connecting' | 'counting' | 'receiving' | 'resolving';
  /** Within this phase. */
  percent: number | null;
  objects: number | null;
  totalObjects: number | null;
  bytes: number | null;
}

export const CONNECTING: MirrorProgress = {
  phase: 'connecting',
  percent: null,
  objects: null,
  totalObjects: null,
  bytes: null,
};

const MAX_LINE_LENGTH = 1000;
const LINE =
  /^(remote: )?(Enumerating|Counting|Compressing|Receiving|Resolving)(?: objects| deltas):\s+(?:(\d{1,3})% \((\d{1,12})\/(\d{1,12})\)|(\d{1,12}))(?:, (\d{1,9}(?:\.\d{1,2})?) (bytes|KiB|MiB|GiB|TiB)\b)?/;
const UNITS: Record<string, number> = {
  bytes: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};

/** Parses stderr as it arrives and calls back for each line with progress. */
export function createProgressReader(onProgress: (progress: MirrorProgress) => void) {
  let rest = '';
  return (chunk: Buffer): void => {
    const lines = (rest + chunk.toString('latin1')).split(/[\r\n]/);
    rest = lines.pop()!.slice(0, MAX_LINE_LENGTH);
    for (const line of lines) {
      const progress = readProgress(line);
      if (progress) onProgress(progress);
    }
  };
}

function readProgress(line: string): MirrorProgress | null {
  const [, remote, verb, percent, objects, total, counted, amount, unit] =
    LINE.exec(line.slice(0, MAX_LINE_LENGTH)) ?? [];
  if (verb === undefined) return null;
  const counting = verb === 'Enumerating' || verb === 'Counting' || verb === 'Compressing';
  // The remote counts and we receive; everything else is text for people.
  if (counting !== (remote !== undefined)) return null;
  return {
    phase: counting ? 'counting' : verb === 'Receiving' ? 'receiving' : 'resolving',
    percent: percent === undefined ? null : Math.min(Number(percent), 100),
    objects: objects === undefined ? numberOrNull(counted) : Number(objects),
    totalObjects: numberOrNull(total),
    bytes: amount === undefined ? null : Math.round(Number(amount) * UNITS[unit!]!),
  };
}

function numberOrNull(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
