/** Shows the progress of a clone, fetch, backup or restore on standard error: a progress line on a terminal, a line per step elsewhere. */
import type { WriteStream } from 'node:tty';
import { formatSize } from '../../platform/core/text/format-size.ts';
import { columnsOf } from './printable.ts';

export interface Progress {
  phase: string;
  percent: number | null;
  objects: number | null;
  totalObjects: number | null;
  bytes: number | null;
}

export interface ProgressDisplay {
  show(progress: Progress): void;
  /** Removes the bar before anything else is printed. */
  end(): void;
}

const WORDS: Record<string, string> = {
  waiting: 'Waiting for the service',
  connecting: 'Connecting',
  counting: 'Counting objects',
  receiving: 'Receiving objects',
  resolving: 'Resolving deltas',
  indexing: 'Indexing',
  extracting: 'Extracting facts',
  reading: 'Reading files',
  copying: 'Copying rows',
  verifying: 'Verifying the backup',
  loading: 'Loading rows',
  building: 'Building indexes',
  migrating: 'Migrating',
};
const BAR_COLUMNS = 24;
const DRAW_EVERY_MS = 100;
/** A phase without output still shows the elapsed time. */
const TICK_MS = 1000;
const LINE_EVERY_PERCENT = 25;

export function createProgressDisplay(
  output: Pick<WriteStream, 'write' | 'isTTY' | 'columns'> = process.stderr,
  now: () => number = () => performance.now(),
): ProgressDisplay {
  return output.isTTY ? createBar(output, now) : createLines(output);
}

/** `Receiving objects  45%  12,345 of 27,400, 12.3 MB`. */
export function describeProgress({ bytes, objects, percent, phase, totalObjects }: Progress): string {
  const counts = [
    ...(objects === null
      ? []
      : [totalObjects === null ? count(objects) : `${count(objects)} of ${count(totalObjects)}`]),
    ...(bytes === null ? [] : [formatSize(bytes)]),
  ];
  return [
    WORDS[phase] ?? phase,
    ...(percent === null ? [] : [`${String(percent).padStart(3)}%`]),
    ...(counts.length > 0 ? [counts.join(', ')] : []),
  ].join('  ');
}

function createBar(output: Pick<WriteStream, 'write' | 'columns'>, now: () => number): ProgressDisplay {
  const startedAt = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let latest: Progress | undefined;
  let ticking: NodeJS.Timeout | undefined;
  const draw = (progress: Progress) => {
    drawnAt = now();
    const filled = Math.round(((progress.percent ?? 0) / 100) * BAR_COLUMNS);
    const bar =
      progress.percent === null ? '' : `[${'#'.repeat(filled)}${'.'.repeat(BAR_COLUMNS - filled)}]  `;
    const seconds = Math.floor((drawnAt - startedAt) / 1000);
    const elapsed = seconds > 0 ? `  ${seconds} s` : '';
    const line = `${bar}${describeProgress(progress)}`;
    const room = (output.columns ?? 80) - 1 - elapsed.length;
    output.write(`\r\u001b[2K${columnsOf(line) <= room ? line : line.slice(0, room)}${elapsed}`);
  };
  return {
    show(progress) {
      const isDue = progress.phase !== latest?.phase || now() - drawnAt >= DRAW_EVERY_MS;
      latest = progress;
      ticking ??= setInterval(() => draw(latest!), TICK_MS).unref();
      if (isDue) draw(progress);
    },
    end() {
      clearInterval(ticking);
      if (latest) output.write('\r\u001b[2K');
      latest = undefined;
    },
  };
}

/** A line when each phase begins, and at every quarter of it. Progress that goes back a little causes no more lines. */
function createLines(output: Pick<WriteStream, 'write'>): ProgressDisplay {
  let last = { phase: '', step: 0 };
  return {
    show(progress) {
      const step = Math.floor((progress.percent ?? 0) / LINE_EVERY_PERCENT);
      const { phase } = progress;
      if (phase === last.phase && step <= last.step) return;
      output.write(`${describeProgress(progress)}\n`);
      last = { phase, step };
    },
    end: () => undefined,
  };
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}
