/**
 * Runs a command in the test's own process, with the settings, input and output of a process of its own: for what a command does.
 * Starting, stopping and waiting for each other need real processes (countersign-process.ts), which take a second each.
 */
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { reportFailure, runCommandLine } from '../../../src/commands/run-command-line.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import { type Ended, type ProcessOptions, settingsIn } from './countersign-process.ts';
import { temporaryFolder } from './real-processes.ts';

/** One at a time, because the output of the process is taken. */
export async function runInProcess(
  words: string[],
  options: Pick<ProcessOptions, 'cwd' | 'env' | 'input'> = {},
): Promise<Ended> {
  const { cwd = temporaryFolder(), env, input } = options;
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  const given = input === undefined ? [] : [Buffer.from(input)];
  const stdin = vi
    .spyOn(process, 'stdin', 'get')
    .mockReturnValue(Readable.from(given) as typeof process.stdin);
  try {
    const code = await runCommandLine(words, {
      readEnvironment: () => settingsIn(cwd, env),
      listenForStop: () => new AbortController().signal,
      openLog: (level, stream) =>
        createLog({
          level,
          terminal: false,
          destination: { write: (line) => void process[stream].write(line) },
        }),
    }).catch(reportFailure);
    return { code, signal: null, ...written };
  } finally {
    for (const spy of [...spies, stdin]) spy.mockRestore();
  }
}
