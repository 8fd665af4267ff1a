/** Options that programs no longer have and deployment files still pass. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';

const PYTHON =
  'import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument(\n    "-r", "--row-limit",\n    type=int,\n)\nparser.add_argument("--queue")\n';
const COMPOSE =
  'services:\n  loader:\n    image: acme/loader\n    command:\n      - --row-limit\n      - "3"\n';

type Files = Record<string, string>;
const removed = (path: string, before: string, after: string | null, others: Files) =>
  findingsOf({ [path]: before, ...others }, { [path]: after as string }, 'removed_option');

describe('removed_option', () => {
  it.each<[string, string, string, string]>([
    ['argparse', 'jobs/loader.py', PYTHON, PYTHON.replace(/parser.add_argument\(\n.*\n.*\n\)\n/, '')],
    [
      'click',
      'jobs/loader.py',
      '@click.command()\n@click.option("--row-limit", default=3)\ndef load():\n    pass\n',
      '@click.command()\ndef load():\n    pass\n',
    ],
    [
      'flags of Go',
      'cmd/loader/main.go',
      'package main\n\nvar limit = flag.Int("row-limit", 3, "rows")\n',
      'package main\n',
    ],
    [
      'cobra',
      'cmd/loader/main.go',
      'package main\n\nfunc init() {\n\tcmd.Flags().IntVarP(&limit, "row-limit", "r", 3, "rows")\n}\n',
      'package main\n\nfunc init() {\n}\n',
    ],
    [
      'commander',
      'packages/loader/cli.ts',
      "program.option('-r, --row-limit <n>', 'rows');\n",
      'program.parse();\n',
    ],
    [
      'clap',
      'loader/src/main.rs',
      'struct Args {\n    #[arg(long = "row-limit")]\n    limit: u32,\n}\n',
      'struct Args {\n}\n',
    ],
    ['a deleted file', 'jobs/loader.py', PYTHON, null as never],
  ])('finds an option of %s', async (_, path, before, after) => {
    expect(await removed(path, before, after, { 'compose.yaml': COMPOSE })).toEqual([
      expect.stringMatching(/^removed_option \S+:\d The option --row-limit was removed but is still passed$/),
    ]);
    // The same option under another type, and a program that is not named there.
    expect(await removed(path, before, `${before}\n`, { 'compose.yaml': COMPOSE })).toEqual([]);
    expect(
      await removed(path, before, after, { 'compose.yaml': COMPOSE.replaceAll('loader', 'reader') }),
    ).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['a Dockerfile', 'Dockerfile', 'FROM python\nCMD ["python", "jobs/loader.py", "--row-limit", "3"]\n'],
    [
      'a workflow',
      '.github/workflows/load.yml',
      'on: push\njobs:\n  a:\n    steps:\n      - run: |\n          python loader.py \\\n            --row-limit=3\n',
    ],
    [
      'a script of npm',
      'package.json',
      '{\n  "name": "acme",\n  "scripts": { "load": "loader --row-limit 3" }\n}\n',
    ],
    ['a script', 'load.sh', 'exec loader --row-limit 3\n'],
  ])('finds it in %s', async (_, path, text) => {
    expect(await removed('jobs/loader.py', PYTHON, 'x = 1\n', { [path]: text })).toHaveLength(1);
    expect(
      await removed('jobs/loader.py', PYTHON, 'x = 1\n', { [path]: text.replace('row-limit', 'row-limits') }),
    ).toEqual([]);
  });

  it.each<[string, Files]>([
    ['another program has it', { 'jobs/reader.py': 'parser.add_argument("--row-limit")\n' }],
    [
      'code derives it from a name',
      { 'jobs/reader.py': 'def load(row_limit: int = typer.Option(3)):\n    pass\n' },
    ],
    ['only a comment names it', { 'compose.yaml': COMPOSE.replace('- --row-limit', '# --row-limit') }],
  ])('says nothing when %s', async (_, others) => {
    expect(
      await removed('jobs/loader.py', PYTHON, 'x = 1\n', { 'compose.yaml': COMPOSE, ...others }),
    ).toEqual([]);
  });
});
