/** The help texts, generated from the table of commands. */
import { EXIT_CODES } from '../platform/core/errors/start-failure.ts';
import type { Command } from './command.ts';

export function overview(commands: readonly Command[]): string {
  return [
    'Countersign: code review and agent planning for your team, on your own machine.',
    '',
    'Usage: countersign <command> [options]',
    '',
    ...listOf(commands),
    '',
    'Run countersign <command> --help for details, countersign --version for the version.',
    'Commands on the database of this machine work whether or not the service is running; those with --url call it.',
    'Settings are read from the environment or a .env file: see docs/configuration.md.',
    `Exit codes: 0 success, ${EXIT_CODES.usage.code} invalid command line, ${EXIT_CODES.refused.code} the command failed; see docs/exit-codes.md.`,
    '',
  ].join('\n');
}

/** The subcommands of a command such as `key`. */
export function familyHelp(family: readonly Command[]): string {
  return [...listOf(family), '', 'Run countersign <command> --help for details.', ''].join('\n');
}

export function helpFor(command: Command): string {
  const options = command.options.map((option) => ({
    ...option,
    written: `--${option.name}${option.value ? ` <${option.value}>` : ''}`,
  }));
  const width = Math.max(6, ...options.map(({ written }) => written.length));
  const usage = options.map(({ required, written, name }) => {
    const shown = name === command.positional ? `<${name}>` : written;
    return required ? shown : `[${shown}]`;
  });
  return [
    command.summary,
    ...(command.detail ? ['', command.detail] : []),
    '',
    ...wrapped(`Usage: countersign ${command.name}`, usage),
    ...(options.length > 0 ? [''] : []),
    ...options.map(({ written, meaning }) => `  ${written.padEnd(width)}  ${meaning}`),
    '',
    'Example:',
    ...command.example.split('\n').map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function listOf(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

const LINE_COLUMNS = 110;

/** Wraps words; lines after the first are indented. */
function wrapped(first: string, words: string[]): string[] {
  const lines = [first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= LINE_COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(`         ${word}`);
  }
  return lines;
}
