/** The entry point: runs the command line on this process's environment, signals and output. */
import type { WriteStream } from 'node:tty';
import { reportFailure, runCommandLine } from './commands/run-command-line.ts';
import { exitCodeOf, listenForStop, Stopped } from './commands/terminal/stop-signal.ts';
import { readEnvironment } from './config.ts';
import { EXIT_CODES, errorCode } from './platform/core/errors/start-failure.ts';
import { createLog } from './platform/core/telemetry/log.ts';

export async function main(words: string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) ignoreClosedReader(stream);
  try {
    const exitCode = await runCommandLine(words, {
      readEnvironment,
      listenForStop,
      openLog: (level, stream) =>
        createLog({ level, terminal: process[stream].isTTY === true, destination: stream }),
    });
    // A failed write may have set one.
    if (exitCode !== 0) process.exitCode = exitCode;
  } catch (error) {
    // Work that the stop did not wait for must not keep the process alive.
    if (error instanceof Stopped) process.exit(exitCodeOf(error.signal));
    process.exitCode = reportFailure(error);
  }
}

/** Ignores writes to a closed reader (`| head`, a closed terminal); reports any other write error. */
function ignoreClosedReader(stream: WriteStream): void {
  stream.on('error', (error) => {
    if (['EPIPE', 'EIO', 'ENOTCONN', 'ERR_STREAM_DESTROYED'].includes(errorCode(error) ?? '')) return;
    process.exitCode = EXIT_CODES.failed.code;
    if (stream !== process.stderr)
      process.stderr.write(`countersign: cannot write the output: ${error.message}\n`);
  });
}
