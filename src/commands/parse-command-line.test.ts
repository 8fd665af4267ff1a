/** Every command line is parsed or rejected with a helpful message. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/helpers/text/any-character.ts';
import { StartFailure } from '../platform/core/errors/start-failure.ts';
import { loadCommands } from './index.ts';
import { parseCommandLine } from './parse-command-line.ts';

const commands = await loadCommands();
const parse = (...words: string[]) => parseCommandLine(commands, words);

function mistake(...words: string[]): string {
  try {
    parse(...words);
  } catch (error) {
    expect(error).toBeInstanceOf(StartFailure);
    expect((error as StartFailure).kind).toBe('usage');
    return (error as StartFailure).message;
  }
  return expect.fail('it was understood');
}

describe('understood', () => {
  it('a command of one word and of two, with options in both spellings', () => {
    expect(parse('serve', '--port', '80')).toMatchObject({
      command: { name: 'serve' },
      settings: { PORT: '80' },
    });
    expect(parse('key', 'create', '--email=a@b.c', '--name', 'x y')).toMatchObject({
      command: { name: 'key create' },
      options: { email: 'a@b.c', name: 'x y' },
    });
    expect(parse('user', 'list', '--json')).toMatchObject({ options: { json: true } });
  });

  it('a value that starts with a dash, with --option=value', () => {
    expect(parse('key', 'create', '--email=a@b.c', '--name=-x')).toMatchObject({ options: { name: '-x' } });
  });

  it('the positional argument', () => {
    expect(parse('key', 'revoke', 'abc')).toMatchObject({ options: { id: 'abc' } });
    expect(parse('key', 'revoke', '--', '-abc')).toMatchObject({ options: { id: '-abc' } });
  });

  it.each(['--version', '-v', '-V', 'version'])('%s prints the version', (word) => {
    expect(parse(word)).toEqual({ asked: 'version' });
  });
});

describe('help', () => {
  const helpOf = (...words: string[]) => {
    const parsed = parse(...words);
    return parsed.asked === 'help' ? parsed.text : expect.fail('no help');
  };

  it('lists every command, and each has a page with its options, usage and an example', () => {
    for (const command of commands) {
      expect(helpOf()).toContain(`  ${command.name}  `);
      const page = helpOf(...command.name.split(' '), '--help');
      expect(page).toBe(helpOf('help', ...command.name.split(' ')));
      expect(page).toBe(helpOf(...command.name.split(' '), '--bogus', '-h'));
      expect(page).toContain(`Usage: countersign ${command.name}`);
      expect(page).toContain(`Example:\n  `);
      for (const option of command.options) expect(page).toContain(`  --${option.name}`);
    }
  });

  it('fits a terminal of 120 columns', () => {
    for (const page of [helpOf(), ...commands.map(({ name }) => helpOf('help', ...name.split(' ')))]) {
      for (const line of page.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
    }
  });

  it('lists the commands of a family', () => {
    for (const words of [
      ['key', '--help'],
      ['help', 'key'],
      ['key', 'help'],
      ['--help', 'key'],
    ]) {
      expect(helpOf(...words)).toMatch(/key create .*\n.*key list .*\n.*key revoke /);
    }
  });

  it("every command's example can be parsed", () => {
    for (const { example, name } of commands) {
      const [, line] = /countersign (.*?)\)?$/.exec(example.split(' < ')[0]!)!;
      const words = line!.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
      expect(parse(...words)).toMatchObject({ command: { name } });
    }
  });
});

describe('mistakes', () => {
  it.each([
    [['kye'], 'unknown command: kye; did you mean key …?\nSee: countersign --help'],
    [['serv'], 'unknown command: serv; did you mean serve?\nSee: countersign --help'],
    [['frobnicate'], 'unknown command: frobnicate\nSee: countersign --help'],
    [['help', 'sevre'], 'unknown command: sevre; did you mean serve?\nSee: countersign --help'],
    [['keys', 'list'], 'unknown command: keys list; did you mean key list?\nSee: countersign --help'],
    [['key', 'craete'], 'unknown command: key craete; did you mean key create?\nSee: countersign key --help'],
    [
      ['user'],
      'user: missing subcommand (one of add, list, deactivate, delete, reset-password)\nSee: countersign user --help',
    ],
    [
      ['user', '--json'],
      'user: missing subcommand (one of add, list, deactivate, delete, reset-password)\nSee: countersign user --help',
    ],
    [
      ['serve', '--prot', '1'],
      'serve: unknown option --prot; did you mean --port?\nSee: countersign serve --help',
    ],
    [['serve', '-p'], 'serve: unknown option -p\nSee: countersign serve --help'],
    [['serve', '--port'], 'serve: --port requires a value\nSee: countersign serve --help'],
    [['serve', 'now'], 'serve: unexpected argument "now"\nSee: countersign serve --help'],
    [
      ['user', 'list', '--json=1'],
      'user list: --json does not take a value\nSee: countersign user list --help',
    ],
    [
      ['user', 'list', '--json', '--json'],
      'user list: --json can be given only once\nSee: countersign user list --help',
    ],
    [
      ['key', 'revoke', 'a', 'b'],
      'key revoke: --id can be given only once\nSee: countersign key revoke --help',
    ],
    [
      ['key', 'create', '--name', 'x'],
      'key create: missing required option --email\nSee: countersign key create --help',
    ],
    [
      ['key', 'create', '--email', '--name', 'x'],
      'key create: --email requires a value (to pass one that starts with a dash, write --email=-…)\nSee: countersign key create --help',
    ],
  ])('%j', (words, sentence) => {
    expect(mistake(...words)).toBe(sentence);
  });

  it('never crashes, and escapes control characters in whatever is typed', () => {
    const names = commands.flatMap(({ name, options }) => [
      ...name.split(' '),
      ...options.map((option) => `--${option.name}`),
    ]);
    const word = fc.oneof(
      fc.constantFrom(...names, '--', '-', '--help'),
      fc.string({ unit: anyCharacter }),
      fc.constant('\u001b[2J'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        try {
          parse(...words);
        } catch (error) {
          expect(error).toBeInstanceOf(StartFailure);
          expect((error as Error).message).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
