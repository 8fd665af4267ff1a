/** The commands for conflicts are run as the page shows them, in a clone whose branch has no upstream. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  fixtureEnvironment,
  makeRepository,
  runFixtureGit,
} from '../../../../test/helpers/git/git-fixtures.ts';
import { resolveCommands } from './resolve-commands.ts';

const runIn = (cwd: string) => (command: string) =>
  execFileSync('sh', ['-c', `set -e\n${command}`], {
    cwd,
    env: fixtureEnvironment(),
    stdio: 'pipe',
  }).toString();

const conflictOf = (kind: 'content' | 'deleted_in_head') => ({
  total: 1,
  files: [{ path: 'a.txt', kind, hunks: [], truncated: false }],
});

it.each([
  ["it's-$(date)", true],
  // An option of git, if git read it as one.
  ['--receive-pack=touch$IFS./pwned;git-receive-pack', false],
  ['refs/heads/main', false],
])('resolves conflicts of the branch %s', async (headBranch, isMadeInClone) => {
  const origin = await makeRepository({ 'a.txt': 'one\n' });
  const clone = join(origin.parent, 'clone');
  const run = runIn(clone);
  try {
    await origin.commit(
      { 'a.txt': 'head\n' },
      { branch: headBranch, from: await origin.git('rev-parse', 'main') },
    );
    await runFixtureGit(origin.parent, ['clone', '--quiet', origin.folder, 'clone']);
    const create = ['switch', '--quiet', '--no-track', '--create', headBranch, `origin/${headBranch}`];
    if (isMadeInClone) await runFixtureGit(clone, create);
    await origin.commit({ 'b.txt': 'pushed by another person\n' }, { branch: headBranch });
    await origin.commit({ 'a.txt': 'base\n' });

    const conflicts = conflictOf('content');
    const { merge, push } = resolveCommands({ baseBranch: 'main', headBranch, conflicts });
    expect(() => run(merge)).toThrow();
    expect(run('git status --porcelain')).toBe('UU a.txt\n');
    await writeFile(join(clone, 'a.txt'), 'both\n');
    run(push);
    expect(await origin.git('show', `refs/heads/${headBranch}:a.txt`)).toBe('both');
    expect(await origin.git('log', '--format=%P', '-1', `refs/heads/${headBranch}`)).toContain(
      await origin.git('rev-parse', 'main'),
    );
    expect(await origin.git('show', `refs/heads/${headBranch}:b.txt`)).toBe('pushed by another person');
  } finally {
    await origin.remove();
  }
});

it('takes no side of a file that one branch deleted without a decision', async () => {
  const origin = await makeRepository({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
  const clone = join(origin.parent, 'clone');
  const run = runIn(clone);
  try {
    const from = await origin.git('rev-parse', 'main');
    await origin.commit({ 'a.txt': null }, { branch: 'feature', from });
    await origin.commit({ 'a.txt': 'base\n' });
    await runFixtureGit(origin.parent, ['clone', '--quiet', origin.folder, 'clone']);
    const conflicts = conflictOf('deleted_in_head');
    const { merge, push } = resolveCommands({ baseBranch: 'main', headBranch: 'feature', conflicts });
    expect(() => run(merge)).toThrow();
    expect(() => run(push)).toThrow();
    run(`git rm a.txt\n${push}`);
    expect(await origin.git('ls-tree', '--name-only', 'feature')).toBe('b.txt');
  } finally {
    await origin.remove();
  }
});
