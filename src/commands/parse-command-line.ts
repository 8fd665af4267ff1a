/** Parses the command line; every error message points to the help. */
import { parseArgs } from 'node:util';
import { StartFailure } from '../platform/core/errors/start-failure.ts';
import { closestName } from './closest-name.ts';
import type { Call, Command } from './command.ts';
import { familyHelp, helpFor, overview } from './help.ts';
import { printable } from './terminal/printable.ts';

export type ParsedCommandLine =
  | { asked: 'version' }
  | { asked: 'help'; text: string }
  | { asked: 'command'; command: Command; options: Call['options']; settings: Record<string, string> };

const HELP_WORDS = new Set(['help', '--help', '-h']);
const VERSION_WORDS = new Set(['version', '--version', '-v', '-V']);

/** Needs no commands. */
export const asksForVersion = ([first]: string[]) => VERSION_WORDS.has(first ?? '');

export function parseCommandLine(commands: readonly Command[], words: string[]): ParsedCommandLine {
  const [first, ...others] = words;
  if (first === undefined) return help(overview(commands));
  if (asksForVersion(words)) return { asked: 'version' };
  if (HELP_WORDS.has(first)) return help(helpAbout(commands, others));
  const found = findCommand(commands, words);
  if (!found) {
    if (HELP_WORDS.has(others[0] ?? '') && familyOf(commands, first).length > 0) {
      return help(helpAbout(commands, [first]));
    }
    throw unknownCommand(commands, words);
  }

  const { command, rest } = found;
  const options = readOptions(command, rest);
  if (options.help) return help(helpFor(command));
  const missing = command.options
    .filter((option) => option.required && !options[option.name])
    .map(({ name }) => `--${name}`);
  if (missing.length > 0)
    throw usage(
      `${command.name}: missing required ${missing.length === 1 ? 'option' : 'options'} ${missing.join(', ')}`,
      command.name,
    );
  const settings: Record<string, string> = {};
  for (const [option, setting] of Object.entries(command.settings ?? {})) {
    if (typeof options[option] === 'string') settings[setting] = options[option];
  }
  return { asked: 'command', command, options, settings };
}

const help = (text: string) => ({ asked: 'help', text }) as const;

function helpAbout(commands: readonly Command[], words: string[]): string {
  if (words.length === 0) return overview(commands);
  const found = findCommand(commands, words);
  if (found) return helpFor(found.command);
  const family = words.length === 1 ? familyOf(commands, words[0]!) : [];
  if (family.length > 0) return familyHelp(family);
  throw unknownCommand(commands, words);
}

function findCommand(commands: readonly Command[], words: string[]) {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
}

/** The subcommands of this word. */
function familyOf(commands: readonly Command[], word: string): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

function readOptions(command: Command, words: string[]): Call['options'] {
  const known = new Map<string, 'string' | 'boolean'>([
    ...command.options.map((option) => [option.name, option.value ? 'string' : 'boolean'] as const),
    ['help', 'boolean'],
  ]);
  const { tokens } = parseArgs({
    args: words,
    options: {
      ...Object.fromEntries([...known].map(([name, type]) => [name, { type }])),
      help: { type: 'boolean', short: 'h' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const wrong = (sentence: string) => usage(`${command.name}: ${sentence}`, command.name);
  const options: Call['options'] = {};
  const set = (name: string, value: string | true) => {
    if (options[name] !== undefined) throw wrong(`--${name} can be given only once`);
    options[name] = value;
  };
  if (tokens.some((token) => token.kind === 'option' && token.name === 'help')) return { help: true };
  for (const token of tokens) {
    if (token.kind === 'option') {
      const type = known.get(token.name);
      if (!type) throw wrong(unknownOption(token.rawName, [...known.keys()]));
      if (type === 'boolean' && token.value !== undefined)
        throw wrong(`--${token.name} does not take a value`);
      if (type === 'string' && !token.inlineValue && !/^[^-]|^-$/.test(token.value ?? '')) {
        const hint = token.value ? ` (to pass one that starts with a dash, write --${token.name}=-…)` : '';
        throw wrong(`--${token.name} requires a value${hint}`);
      }
      set(token.name, token.value ?? true);
    } else if (token.kind === 'positional') {
      if (!command.positional) throw wrong(`unexpected argument "${printable(token.value)}"`);
      set(command.positional, token.value);
    }
  }
  return options;
}

function unknownOption(given: string, known: string[]): string {
  const meant = closestName(given.replace(/^-+/, ''), known);
  return `unknown option ${printable(given)}${meant ? `; did you mean --${meant}?` : ''}`;
}

function unknownCommand(commands: readonly Command[], words: string[]): StartFailure {
  const [first, second] = words as [string, string?];
  const family = familyOf(commands, first);
  if (family.length > 0 && (second === undefined || second.startsWith('-'))) {
    const names = family.map(lastWord);
    const which = names.length === 1 ? names[0] : `one of ${names.join(', ')}`;
    return usage(`${first}: missing subcommand (${which})`, first);
  }
  const names = commands.map(({ name }) => name);
  const given = second === undefined || second.startsWith('-') ? first : `${first} ${second}`;
  const meant = closestName(given, names) ?? closestName(first, [...names, ...names.map(firstWord)]);
  const candidates = meant && familyOf(commands, meant).length > 0 ? `${meant} …` : meant;
  return usage(
    `unknown command: ${printable(given)}${candidates ? `; did you mean ${candidates}?` : ''}`,
    family.length > 0 ? first : undefined,
  );
}

const firstWord = (name: string) => name.split(' ')[0]!;
const lastWord = ({ name }: Command) => name.split(' ').at(-1)!;

/** `about` is the command whose help is suggested. */
function usage(sentence: string, about?: string): StartFailure {
  return new StartFailure('usage', `${sentence}\nSee: countersign ${about ? `${about} ` : ''}--help`);
}
