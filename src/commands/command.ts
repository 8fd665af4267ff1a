/** A command of the program, as one value: help, the command line and `run` are all read from it. */
import type { Config } from '../config.ts';
import type { Log } from '../platform/core/log.ts';

export interface CommandOption {
  name: string;
  /** What stands for the value in the help text; undefined for a switch. */
  value?: string;
  required?: boolean;
  meaning: string;
}

export interface Call {
  config: Config;
  log: Log;
  /** A switch that was given is `true`; what was not given is absent. */
  options: Record<string, string | true | undefined>;
  /** Aborted when the command should stop. */
  stopped: AbortSignal;
}

export interface Command {
  /** One or two words: `serve`, `key create`. */
  name: string;
  summary: string;
  /** Said below the summary in the command's own help. */
  detail?: string;
  options: CommandOption[];
  /** The option whose value may be given without its name. */
  positional?: string;
  /** Options that set a setting of the environment for this run. */
  settings?: Record<string, string>;
  example: string;
  /** Prints results for people and scripts, so that log lines stay on stderr and few. */
  quiet: boolean;
  run(call: Call): Promise<void>;
}

/** The value of an option that was declared as required, or any text that was given. */
export function textOption(call: Call, name: string): string {
  return String(call.options[name] ?? '');
}
