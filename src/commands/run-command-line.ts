/** Runs one command line: parses it, reads the settings, and runs the command; a failure becomes a message and an exit code. */
import { type Environment, readConfig } from '../config.ts';
import { Problem } from '../platform/core/errors/errors.ts';
import { EXIT_CODES, StartFailure } from '../platform/core/errors/start-failure.ts';
import { configureOutgoingNetwork } from '../platform/core/network/outgoing-network.ts';
import type { Log } from '../platform/core/telemetry/log.ts';
import { packageVersion } from '../platform/core/text/package-version.ts';
import { loadCommands } from './index.ts';
import { inSavedFolder } from './init/saved-service.ts';
import { asksForVersion, parseCommandLine } from './parse-command-line.ts';
import { printableLines } from './terminal/printable.ts';

/** Provided by the process; each is used only if the command line is valid. */
export interface ProcessAround {
  readEnvironment(): Environment;
  listenForStop(): AbortSignal;
  openLog(level: string, stream: 'stdout' | 'stderr'): Log;
}

export async function runCommandLine(words: string[], around: ProcessAround): Promise<number> {
  const parsed = parseCommandLine(asksForVersion(words) ? [] : await loadCommands(words[0]), words);
  if (parsed.asked === 'version') process.stdout.write(`countersign ${packageVersion()}\n`);
  if (parsed.asked === 'help') process.stdout.write(parsed.text);
  if (parsed.asked !== 'command') return 0;
  const { command, options, settings } = parsed;
  const environment = { ...around.readEnvironment(), ...settings };
  const read = readConfig(environment);
  const config = command.createsDatabase ? read : await inSavedFolder(read, environment);
  configureOutgoingNetwork(config.network);
  const log = command.quiet ? around.openLog('warn', 'stderr') : around.openLog(config.logLevel, 'stdout');
  let exitCode = 0;
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  await command.run({ config, environment, log, options, stopped: around.listenForStop(), setExitCode });
  return exitCode;
}

/** Prints what went wrong and returns the exit code. */
export function reportFailure(error: unknown): number {
  if (error instanceof StartFailure) return print(error.message, error.exitCode);
  if (error instanceof Problem) {
    const { errors, message: detail } = error;
    // A message that is the detail is a sentence of its own; others continue the name of the field.
    const wrong = errors?.map(({ path, message }) =>
      detail.startsWith(message) ? detail : `${path} ${message}`,
    );
    return print(wrong?.join('\n') ?? detail, EXIT_CODES.refused.code);
  }
  // A second failure while cleaning up after the first.
  if (error instanceof SuppressedError) return reportFailure(error.suppressed);
  const stack = (error as Error)?.stack ?? String(error);
  return print(`unexpected error\n${stack}`, EXIT_CODES.failed.code);
}

function print(text: string, exitCode: number): number {
  process.stderr.write(`countersign: ${printableLines(text)}\n`);
  return exitCode;
}
