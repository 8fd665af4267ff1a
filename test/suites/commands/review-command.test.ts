/** `countersign review` in a real clone: uncommitted and new files count, and nothing in the clone changes. */
import { mkdtemp, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureRepository, makeRepository, runFixtureGit } from '../../helpers/git/git-fixtures.ts';
import { runInProcess } from '../../helpers/processes/command-in-process.ts';

let origin: FixtureRepository;
let folder: string;
const git = async (...args: string[]) => (await runFixtureGit(folder, args)).toString('utf8');
const place = (uri: string, startLine: number) => ({ artifactLocation: { uri }, region: { startLine } });
const review = (...words: string[]) => runInProcess(['review', '--folder', folder, ...words]);

beforeAll(async () => {
  origin = await makeRepository({
    'src/money.ts': 'export function format(n: number) {\n  return n;\n}\n',
    'src/cart.ts': "import { format } from './money.ts';\nformat(1);\n",
    '.gitignore': 'ignored.ts\n',
  });
  folder = join(await mkdtemp(join(tmpdir(), 'countersign-clone-')), 'clone');
  await runFixtureGit(tmpdir(), ['clone', '--quiet', origin.folder, folder]);
});

afterAll(async () => {
  await origin.remove();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

describe('countersign review', () => {
  it('finds nothing in an unchanged clone', async () => {
    const { code, stdout } = await review();
    expect(stdout).toBe('No findings in 0 files with 0 added lines.\n');
    expect(code).toBe(0);
  });

  it('reviews committed, uncommitted and new files together, and changes nothing', async () => {
    await writeFile(join(folder, 'src/money.ts'), 'export const rate = 2;\n');
    await git(
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      'commit',
      '--quiet',
      '-am',
      'Remove format',
    );
    await writeFile(join(folder, 'src/money.test.ts'), "it.only('formats', () => {});\n");
    await writeFile(join(folder, 'ignored.ts'), '<<<<<<< HEAD\n>>>>>>> other\n');
    const before = [
      await git('status', '--porcelain'),
      await git('count-objects', '-v'),
      await git('stash', 'list'),
    ];
    const { code, stdout } = await review();
    expect(stdout).toBe(`src/money.ts:1 (before the change)  format was removed but is still used
  src/cart.ts:1 and 1 more place still use \`format\`, which src/money.ts no longer defines: the build fails, or that line fails when it runs.
  > export function format(n: number) {
  src/cart.ts:1: import { format } from './money.ts';
  src/cart.ts:2: format(1);
  removed_but_used

src/money.test.ts:1  Focused test: the other tests don’t run
  While this test is focused, the other tests of src/money.test.ts are skipped, so failures go unnoticed.
  > it.only('formats', () => {});
  focused_test

2 findings in 2 files with 2 added lines.
`);
    expect(code).toBe(4);
    expect([
      await git('status', '--porcelain'),
      await git('count-objects', '-v'),
      await git('stash', 'list'),
    ]).toEqual(before);
  });

  it('sees a change of the same size in the second in which git wrote its index', async () => {
    const file = join(folder, 'src/size.test.ts');
    const secondOf = async (path: string) => Math.floor((await stat(path)).mtimeMs / 1000);
    do {
      await writeFile(file, "on.only('a', () => {});\n");
      await git('add', 'src/size.test.ts');
      await writeFile(file, "it.only('a', () => {});\n");
    } while ((await secondOf(file)) !== (await secondOf(join(folder, '.git/index'))));
    expect((await review()).stdout).toContain('\n  also at src/size.test.ts:1\n  focused_test\n');
    await git('rm', '--cached', '--force', '--quiet', 'src/size.test.ts');
    await unlink(file);
  });

  it('prints JSON and SARIF', async () => {
    const json = JSON.parse((await review('--json')).stdout);
    expect(json.candidates.map(({ check }: { check: string }) => check)).toEqual([
      'removed_but_used',
      'focused_test',
    ]);
    const sarif = JSON.parse((await review('--sarif')).stdout);
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Countersign' } },
          results: [
            {
              ruleId: 'removed_but_used',
              level: 'error',
              locations: [{ physicalLocation: place('src/cart.ts', 1) }],
              relatedLocations: [
                {
                  physicalLocation: place('src/money.ts', 1),
                  message: { text: 'Removed here (line 1 before the change)' },
                },
                { physicalLocation: place('src/cart.ts', 2) },
              ],
            },
            {
              ruleId: 'focused_test',
              level: 'warning',
              locations: [{ physicalLocation: place('src/money.test.ts', 1) }],
              relatedLocations: [],
            },
          ],
        },
      ],
    });
    expect(await review('--json', '--sarif')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('name one of them'),
    });
  });

  it('compares with the branch, tag or commit that is named', async () => {
    const { code, stdout } = await review('--base', 'HEAD');
    expect(stdout).toContain('1 finding in 1 file');
    expect(code).toBe(4);
    await unlink(join(folder, 'src/money.test.ts'));
    expect((await review('--base', 'HEAD')).code).toBe(0);
  });

  it('runs the rules of reviewers in files of the base, not of the working tree', async () => {
    const reviewer = (pattern: string) =>
      `---\ntitle: No ${pattern}\nkind: rules\n---\n\n\`\`\`yaml\nid: no-${pattern}\nlanguage: ts\nmessage: Don't call ${pattern}\nrule: {pattern: '${pattern}($$$)'}\n\`\`\`\n`;
    await origin.commit({
      '.countersign/reviewers/no-eval.md': reviewer('eval'),
      '.countersign/reviewers/broken.md': 'Nothing',
    });
    await git('pull', '--quiet', '--rebase', 'origin', 'main');
    await writeFile(join(folder, '.countersign/reviewers/no-eval.md'), reviewer('fetch'));
    await writeFile(join(folder, 'src/run.ts'), 'export const run = (text: string) => eval(text);\n');
    await writeFile(join(folder, 'src/get.ts'), "export const get = () => fetch('/');\n");
    const { code, stdout } = await review();
    expect(code).toBe(4);
    expect(stdout).toContain("src/run.ts:1  Don't call eval\n  This code matches rule `no-eval` (No eval).");
    expect(stdout).not.toContain('fetch');
    expect(stdout).toContain(
      '.countersign/reviewers/broken.md could not run: line 1, column 1: must start with',
    );
  });

  it('runs a check that is off by default only if it is named', async () => {
    await writeFile(join(folder, 'src/queue.py'), 'import os\n\nqueue = os.environ["QUEUE_ADDRESS"]\n');
    const required = 'src/queue.py:3  QUEUE_ADDRESS is required but never set';
    expect((await review('--base', 'HEAD')).stdout).not.toContain('QUEUE_ADDRESS');
    const named = await review('--base', 'HEAD', '--all', '--check', 'unset_environment_variable');
    expect(named).toMatchObject({ code: 4, stdout: expect.stringContaining(required) });
    const both = 'development_dependency_import, unset_environment_variable';
    expect((await review('--base', 'HEAD', '--all', '--check', both)).stdout).toContain(required);
    for (const wrong of ['focused_test', 'unset_environment_variable,'])
      expect(await review('--check', wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          'must be one of password_in_url, removed_name_used, moved_file_imported, undefined_name, removed_method_used, changed_method, renamed_parameter, removed_member, removed_field, removed_route, removed_route_name, undone_work, dropped_table, edited_migration, same_number_migration, late_migration, schema_behind_migration, protobuf_field_number, documented_but_removed, unset_environment_variable, unread_environment_variable, removed_option, unread_setting, dependency_source, dependency_not_locked, lock_file_alone, install_script, similar_dependency_name, development_dependency_import, skipped_test, deleted_test, lowered_coverage, ignored_failure, unsafe_workflow',
        ),
      });
    expect(await review('--check', 'unset_environment_variable', '--url', 'http://localhost')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('switched on'),
    });
    await unlink(join(folder, 'src/queue.py'));
  });

  it('shows that the quote of a token is cut', async () => {
    // Put together, so that scanners of this repository leave it alone.
    await writeFile(join(folder, 'src/key.ts'), `export const id = 'AKIA${'QX7ZP4MN2LKJ8H6G'}';\n`);
    expect((await review('--base', 'HEAD')).stdout).toContain("\n  > export const id = 'AKIA…\n");
    const { results } = JSON.parse((await review('--base', 'HEAD', '--sarif')).stdout).runs[0];
    const region = { startLine: 1, snippet: { text: "export const id = 'AKIA…" } };
    expect(results).toContainEqual(
      expect.objectContaining({
        level: 'error',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/key.ts' }, region } }],
      }),
    );
    await unlink(join(folder, 'src/key.ts'));
  });

  it('names what git cannot read, and reviews the rest', async () => {
    await runFixtureGit(folder, ['init', '--quiet', 'nested']);
    const { stderr, stdout } = await review();
    expect(stderr).toBe('');
    expect(stdout).toContain('Not reviewed: nested/ (git cannot read it).');
    await rm(join(folder, 'nested'), { recursive: true });
  });

  it('says what is wrong with the folder or the base', async () => {
    const outside = await runInProcess(['review', '--folder', tmpdir()]);
    expect(outside).toMatchObject({ code: 3, stderr: expect.stringContaining('is not inside a git clone') });
    for (const wrong of [join(folder, 'none'), join(folder, 'src/cart.ts')])
      expect(await runInProcess(['review', '--folder', wrong])).toMatchObject({
        code: 3,
        stderr: `countersign: there is no folder ${wrong}: name a clone with --folder\n`,
      });
    const unknown = await review('--base=--upload-pack=touch');
    expect(unknown).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there is no branch, tag or commit'),
    });
  });
});
