/** The entry point: parses the command line, runs the command, and turns failures into a message and an exit code. */
import type { WriteStream } from 'node:tty';
import { commands } from './commands/index.ts';
import { parseCommandLine } from './commands/parse-command-line.ts';
import { printableLines } from './commands/printable.ts';
import { exitCodeOf, listenForStop, Stopped } from './commands/stop-signal.ts';
import { readConfig, readEnvironment } from './config.ts';
import { Problem } from './platform/core/errors.ts';
import { createLog } from './platform/core/log.ts';
import { packageVersion } from './platform/core/package-version.ts';
import { EXIT_CODES, errorCode, StartFailure } from './platform/core/start-failure.ts';

export async function main(words: string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) ignoreClosedReader(stream);
  try {
    const parsed = parseCommandLine(commands, words);
    if (parsed.asked === 'version') process.stdout.write(`countersign ${packageVersion()}\n`);
    if (parsed.asked === 'help') process.stdout.write(parsed.text);
    if (parsed.asked !== 'command') return;
    const { command, options, settings } = parsed;
    const config = readConfig({ ...readEnvironment(), ...settings });
    const log = command.quiet
      ? createLog({ level: 'warn', terminal: process.stderr.isTTY === true, destination: 'stderr' })
      : createLog({ level: config.logLevel, terminal: process.stdout.isTTY === true, destination: 'stdout' });
    await command.run({ config, log, options, stopped: listenForStop() });
  } catch (error) {
    // Work that the stop did not wait for must not keep the process alive.
    if (error instanceof Stopped) process.exit(exitCodeOf(error.signal));
    process.exitCode = report(error);
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

function report(error: unknown): number {
  if (error instanceof StartFailure) return print(error.message, error.exitCode);
  if (error instanceof Problem) {
    const wrong = error.errors?.map(({ path, message }) => `${path} ${message}`).join('\n');
    return print(wrong ?? error.message, EXIT_CODES.refused.code);
  }
  // A second failure while cleaning up after the first.
  if (error instanceof SuppressedError) return report(error.suppressed);
  const stack = (error as Error)?.stack ?? String(error);
  return print(`unexpected error\n${stack}`, EXIT_CODES.failed.code);
}

function print(text: string, exitCode: number): number {
  process.stderr.write(`countersign: ${printableLines(text)}\n`);
  return exitCode;
}
