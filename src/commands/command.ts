/** A command as one value: the help, the command-line parser and `run` all use it. */
import type { Config, Environment } from '../config.ts';
import type { Log } from '../platform/core/telemetry/log.ts';

export interface CommandOption {
  name: string;
  /** The placeholder for the value in the help text; undefined for a flag. */
  value?: string;
  required?: boolean;
  meaning: string;
}

export interface Call {
  config: Config;
  /** For variables that aren't settings of the service, such as COUNTERSIGN_API_KEY. */
  environment: Environment;
  log: Log;
  /** A flag that was given is `true`; options that weren't given are absent. */
  options: Record<string, string | true | undefined>;
  /** Aborted when the command should stop. */
  stopped: AbortSignal;
  /** For a command that did its work and has something to tell a script. */
  setExitCode(code: number): void;
}

export interface Command {
  /** One or two words: `serve`, `key create`. */
  name: string;
  summary: string;
  /** Shown below the summary in the command's own help. */
  detail?: string;
  options: CommandOption[];
  /** The option whose value can be given as a positional argument. */
  positional?: string;
  /** Options that override a setting for this run. */
  settings?: Record<string, string>;
  example: string;
  /** Prints its results, so that log lines are few and go to stderr. */
  quiet: boolean;
  /** It may create a database, so it never uses the one of another folder. */
  createsDatabase?: true;
  run(call: Call): Promise<void>;
}

export const JSON_OPTION: CommandOption = { name: 'json', meaning: 'Print JSON.' };

/** The value of a required option, or of an optional one that was given. */
export function textOption(call: Call, name: string): string {
  return String(call.options[name] ?? '');
}
