/**
 * `npm run test:changed`: the tests that a change can affect. The change is what is not committed, or the last commit if everything is;
 * `npm run test:changed -- main` takes all that differs from where the branch left main.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { affectedTests } from '../test/affected-tests.ts';

const CHECKOUT = join(import.meta.dirname, '..');

const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: CHECKOUT, encoding: 'utf8' }).split('\0').filter(Boolean);

function changedSince(ref: string): string[] {
  const [base] = git('merge-base', '--end-of-options', ref, 'HEAD').map((line) => line.trim());
  return [
    ...git('diff', '--name-only', '-z', base!, '--'),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
}

const [ref] = process.argv.slice(2);
const uncommitted = changedSince('HEAD');
const changed = ref ? changedSince(ref) : uncommitted.length > 0 ? uncommitted : changedSince('HEAD~1');
const tests = affectedTests(changed).filter((test) => existsSync(join(CHECKOUT, test)));
process.stdout.write(`${changed.length} changed files, ${tests.length} test files\n`);
const child = spawn('vitest', ['run', ...tests], {
  cwd: CHECKOUT,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
