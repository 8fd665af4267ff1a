/** Structural rules in reviews, with the real ast-grep: what matches, where, and what stays out. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { describeReview, reviewChange } from '../../../../test/helpers/git/review-change.ts';
import { checkWithAstGrep } from './check-with-ast-grep.ts';
import { findAstGrep, runAstGrep } from './run-ast-grep.ts';

const NO_CONSOLE = `id: no-console
language: TypeScript
message: Don't log $A
note: Use the log.
rule: {pattern: console.log($A)}
---
id: no-eval
language: ts
severity: error
rule: {pattern: 'eval($$$)'}
`;
const reviewer = (rules: string, paths: string[] = [], key = 'custom:1') => ({
  key: key as `custom:${string}`,
  title: 'House rules',
  rules,
  paths,
});
const foldersOfRules = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`countersign-rules-${process.pid}-`)).length;

describe('rules', () => {
  it('suggest what their `fix` makes of the line, where a match is within one', async () => {
    const rules = `id: no-log
language: ts
message: Don't log
rule: {pattern: console.log($A)}
fix: log.debug($A)
---
id: no-eval
language: ts
rule: {pattern: 'eval($A)'}
fix: {template: '', expandEnd: {regex: ';'}}
`;
    const fixesOf = async (text: string) => {
      const given = { rules: { reviewers: [reviewer(rules)] } };
      const { candidates } = await reviewChange({ 'a.ts': 'x();\n' }, { 'a.ts': `x();\n${text}` }, given);
      return candidates.map(({ fix }) => fix);
    };
    expect(await fixesOf('  if (é) console.log("a"); // ü\n')).toEqual(['  if (é) log.debug("a"); // ü']);
    expect(await fixesOf('console.log(\n  a,\n);\n')).toEqual([undefined]);
    expect(await fixesOf('eval(a);\n')).toEqual([undefined]);
    expect(await fixesOf(`console.log(a); // ${'x'.repeat(300)}\n`)).toEqual([undefined]);
  });

  it('report matches that begin on added lines, through the gate, with the message filled in', async () => {
    const result = await reviewChange(
      { 'src/a.ts': 'console.log(old);\nfunction f() {\n  return 1;\n}\n', 'b.py': 'x = 1\n' },
      {
        'src/a.ts': 'console.log(old);\nfunction f() {\n  console.log(user);\n  return 1;\n}\n',
        'src/c.ts': 'eval(a);\nconsole.log(c)\n',
        'b.py': 'eval(x)\n',
      },
      { rules: { reviewers: [reviewer(NO_CONSOLE)] } },
    );
    expect(describeReview(result)).toEqual([
      "no-console src/a.ts:3 Don't log user",
      'no-eval src/c.ts:1 no-eval',
    ]);
    // The same rule again is one finding with another place.
    expect(result.candidates[1]).toMatchObject({
      file: 'src/c.ts',
      line: 2,
      fate: { kind: 'grouped', with: 0 },
    });
    expect(result.candidates[0]).toMatchObject({
      ...{ reviewer: 'custom:1', claim: 'rule', quote: 'console.log(user);' },
      scenario: 'This code matches rule `no-console` (House rules). Use the log.',
    });
    expect(result.checks.map(({ candidates, looksFor }) => [looksFor, candidates])).toEqual([
      ['matches of rule `no-console` (House rules)', 2],
      ['matches of rule `no-eval` (House rules)', 1],
    ]);
  });

  it('apply to the paths of their scopes and to their own globs, and reviewers stay apart', async () => {
    const call = 'eval(a);\n';
    const rules = (more = '') => `id: no-eval\nlanguage: ts\n${more}rule: {pattern: 'eval($$$)'}\n`;
    const result = await reviewChange(
      { 'a.ts': '' },
      { 'a.ts': call, 'src/b.ts': call, 'src/deep/c.ts': call, '.hidden/d.ts': call },
      {
        rules: {
          reviewers: [
            reviewer(rules(), ['src/deep/**', '/.hidden/']),
            reviewer(rules("files: ['src/b*']\n"), [], 'custom:2'),
            reviewer(rules(), ['nothing/**'], 'custom:3'),
          ],
        },
      },
    );
    expect(result.candidates.map(({ file, reviewer: by }) => [by, file])).toEqual([
      ['custom:1', '.hidden/d.ts'],
      ['custom:1', 'src/deep/c.ts'],
      ['custom:2', 'src/b.ts'],
    ]);
    expect(new Set(result.candidates.map(({ key }) => key)).size).toBe(2);
  });

  it('take nothing from the repository: no configuration, no ignore files, no links; large files are named', async () => {
    const before = await foldersOfRules();
    const result = await reviewChange(
      { 'a.ts': '' },
      {
        'sgconfig.yml': 'ruleDirs: [own]\nlanguageGlobs: {html: ["*.ts"]}\n',
        'own/r.yml': NO_CONSOLE.replace('no-console', 'theirs'),
        '.gitignore': '*\n',
        '.ignore': '*\n',
        'a.ts': 'eval(1);\n',
        'large.ts': `eval(2);\n${'// x\n'.repeat(210_000)}`,
      },
      { rules: { reviewers: [reviewer(NO_CONSOLE)] } },
    );
    expect(describeReview(result)).toEqual(['no-eval a.ts:1 no-eval']);
    expect(result.notReviewed).toContainEqual({ path: 'large.ts', reason: 'too large for structural rules' });
    expect(await foldersOfRules()).toBe(before);
  });

  it('say why they could not run, one reviewer without the other', async () => {
    const change = [{ 'a.ts': '' }, { 'a.ts': 'eval(1);\n' }] as const;
    const bad = reviewer('id: bad\nlanguage: ts\nrule: {kind: no_such_kind}\n', [], 'custom:2');
    const result = await reviewChange(...change, { rules: { reviewers: [bad, reviewer(NO_CONSOLE)] } });
    expect(describeReview(result)).toEqual([
      'bad failed: ast-grep refuses the rules: Kind `no_such_kind` is invalid.',
      'no-eval a.ts:1 no-eval',
    ]);
    const missing = await reviewChange(...change, {
      rules: { reviewers: [reviewer(NO_CONSOLE)], program: '' },
    });
    expect(missing.checks.map(({ failure }) => failure)).toEqual([
      'ast-grep is not installed here.',
      'ast-grep is not installed here.',
    ]);
  });
});

describe('rules that take very long', () => {
  /** Each number looks at all before it, and each of those at all before it. */
  const CUBIC = `id: cubic
language: ts
rule: {kind: number, follows: {stopBy: end, kind: number, follows: {stopBy: end, kind: number, regex: nothing}}}
`;
  const numbers = `f(${Array.from({ length: 3000 }, (_, index) => index).join(', ')});\n`;

  it('are stopped, say so, and share one limit with the rules of other reviewers', async () => {
    const reviewers = [
      reviewer(CUBIC),
      reviewer(CUBIC, [], 'custom:2'),
      reviewer(NO_CONSOLE, [], 'custom:3'),
    ];
    const result = await reviewChange(
      { 'a.ts': '' },
      { 'a.ts': numbers, 'b.ts': 'eval(1);\n' },
      { rules: { reviewers, maxSeconds: 8 } },
    );
    expect(result.checks.map(({ failure, name }) => [name, failure])).toMatchObject([
      ['cubic', 'The rules took longer than 4 seconds.'],
      ['cubic', 'The rules took longer than 2 seconds.'],
      ['no-console', null],
      ['no-eval', null],
    ]);
    expect(result.candidates).toMatchObject([{ check: 'no-eval' }]);
  });

  it('are stopped by the system while this process is busy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cubic-'));
    try {
      await mkdir(join(folder, 'rules'));
      await writeFile(join(folder, 'rules', 'cubic.yml'), CUBIC);
      await writeFile(join(folder, 'config.yml'), 'ruleDirs: [rules]\n');
      await writeFile(join(folder, 'a.ts'), numbers);
      const program = realpathSync(findAstGrep()!);
      const isRunning = () =>
        processesNaming(program).some((id) => {
          try {
            return readlinkSync(`/proc/${id}/cwd`) === folder && readlinkSync(`/proc/${id}/exe`) === program;
          } catch {
            return false;
          }
        });
      const ended = runAstGrep({
        ...{ program, folder, config: 'config.yml', maxSeconds: 1 },
        signal: new AbortController().signal,
      }).then(
        () => 'finished',
        (error: Error) => error.message,
      );
      const until = performance.now() + 50_000;
      // No timer runs in these loops.
      while (!isRunning() && performance.now() < until);
      while (isRunning() && performance.now() < until);
      expect(isRunning()).toBe(false);
      expect(await ended).toBe('The rules took longer than 1 seconds.');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('checking rules with ast-grep', () => {
  it('accepts good rules, and reports every bad one where it is', async () => {
    const signal = AbortSignal.timeout(30_000);
    expect(await checkWithAstGrep(NO_CONSOLE, signal)).toEqual([]);
    const bad = `${NO_CONSOLE}---\nid: c\nlanguage: ts\nrule:\n  has:\n    kind: nonsense\n---\nid: d\nlanguage: go\nrule:\n  regex: a\n---\nid: e\nlanguage: go\nrule:\n  kind: identifier\n  regex: '(a'\n---\nid: f\nlanguage: go\nrule: {kind: identifier, regex: "(b\\nc"}\n`;
    expect(await checkWithAstGrep(bad, signal)).toEqual([
      { line: 16, column: 11, message: 'ast-grep: Kind `nonsense` is invalid' },
      {
        line: 20,
        column: 1,
        message: 'ast-grep: Rule must specify a set of AST kinds to match. Try adding `kind` rule',
      },
      {
        line: 27,
        column: 10,
        message: 'ast-grep: The regular expression `(a` is invalid: unclosed group',
      },
      { line: 31, column: 1, message: 'ast-grep: regex parse error: unclosed group' },
    ]);
  });
});

it('ends ast-grep when the process that started it is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'never-ending-'));
  const program = join(folder, 'ast-grep');
  await writeFile(program, '#!/bin/sh\nwhile :; do sleep 1; done\n', { mode: 0o755 });
  const place = JSON.stringify({ program, folder, config: 'none.yml' });
  const script = `import { runAstGrep } from ${JSON.stringify(join(import.meta.dirname, 'run-ast-grep.ts'))};
    await runAstGrep({ ...${place}, signal: new AbortController().signal });`;
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  try {
    const started = () => processesNaming(program).length > 0;
    await vi.waitFor(() => expect(started()).toBe(true), { timeout: 30_000 });
    service.kill('SIGKILL');
    await once(service, 'exit');
    await vi.waitFor(() => expect(started()).toBe(false), { timeout: 30_000 });
  } finally {
    for (const id of processesNaming(program)) process.kill(id, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

function processesNaming(program: string): number[] {
  return readdirSync('/proc').flatMap((id) => {
    try {
      const line = readFileSync(`/proc/${id}/cmdline`, 'latin1');
      return line.includes(program) && !line.includes('--input-type=module') ? [Number(id)] : [];
    } catch {
      return [];
    }
  });
}
