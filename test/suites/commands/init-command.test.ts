/** `countersign init`: from a clone to a signed-in browser, a connected agent and a posted plan, and back to nothing. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { howStarted } from '../../../src/commands/terminal/how-started.ts';
import { runInProcess } from '../../helpers/processes/command-in-process.ts';
import { COMMAND, endProcesses, startCountersign } from '../../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../../helpers/processes/real-processes.ts';

afterAll(async () => {
  await endProcesses();
  await cleanUp();
});

it('sets everything up without a question, and removes everything', {
  timeout: 180_000,
}, async () => {
  const home = temporaryFolder();
  const clone = join(home, 'project');
  const bin = join(home, 'bin');
  mkdirSync(clone);
  mkdirSync(bin);
  const git = (...words: string[]) => execFileSync('git', words, { cwd: clone, stdio: 'ignore' });
  git('init', '--quiet');
  git('config', 'user.name', 'Ada Lovelace');
  git('config', 'user.email', 'ada@acme.example');
  git('remote', 'add', 'origin', 'https://git.example.com/acme/api.git');
  writeFileSync(join(clone, 'plan.md'), '# Faster exports\n\nStream the rows.\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Plan');
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho "$@" >> '${join(home, 'claude.log')}'\n`);
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" >> '${join(home, 'opened.log')}'\n`);
  for (const program of ['claude', 'xdg-open']) chmodSync(join(bin, program), 0o755);
  const options = {
    cwd: clone,
    env: { HOME: home, PATH: `${bin}:${process.env.PATH}`, DATA_DIR: join(home, 'data'), PORT: '0' },
  };

  const foreign = { ...options, env: { ...options.env, DATA_DIR: clone } };
  expect(await startCountersign(['init', '--no-browser'], foreign).ended).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('has other files in it'),
  });

  // Left behind by an init that was killed at once.
  mkdirSync(join(home, 'data'));
  writeFileSync(join(home, 'data', 'service.log'), '');
  // Without a terminal nobody is waited for: a script or an agent runs it.
  for (const words of [['--agents', 'claude', '--no-browser'], []])
    expect(await startCountersign(['init', ...words], options).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Added acme\/api.*To sign in there, run this in a terminal: /s),
    });
  expect(existsSync(join(home, 'opened.log'))).toBe(false);

  const line = `'${process.execPath}' '${COMMAND}' init --name Ada --agents none --no-browser`;
  const first = startCountersign([line, '/dev/null'], { ...options, node: 'script', bin: '-qefc' });
  const [, address] = await first.until(/^ {2}(http:\S+)\r?$/m);
  expect((await fetch(new URL('/guess', address!))).status).toBe(404);
  const opened = await fetch(address!, { redirect: 'manual' });
  const [url, cookie] = [
    opened.headers.get('location')!,
    opened.headers.getSetCookie()[0]!.split(';', 1)[0]!,
  ];
  expect(await first.ended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /Added acme\/api.*To stop it: \S*\/countersign init --stop\r?\n.*\nWaiting for it to be opened\./s,
    ),
  });
  await expect(fetch(address!), 'the address works once').rejects.toThrow();

  const session = await fetch(new URL('/api/v2/session', url), { headers: { cookie } });
  expect(await session.json()).toMatchObject({
    user: { name: 'Ada Lovelace', email: 'ada@acme.example' },
    role: 'owner',
  });
  expect(readFileSync(join(home, 'claude.log'), 'utf8')).toContain(
    `mcp add --scope user --transport http countersign ${url}/mcp`,
  );
  const posted = await runInProcess(['plan', 'post', join(clone, 'plan.md')], options);
  expect(posted).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Version 1 is posted: ${url}/plans/`),
  });

  const other = join(home, 'other');
  execFileSync('git', ['clone', '--quiet', clone, other]);
  execFileSync('git', ['remote', 'set-url', 'origin', 'https://git.example.com/acme/api.git'], {
    cwd: other,
  });
  const second = startCountersign(['init', '--name', 'Ada', '--no-browser'], { ...options, cwd: other });
  expect(await second.ended).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`acme/api in Countersign is another clone: ${clone}`),
  });

  const elsewhere = { cwd: home, env: { ...options.env, DATA_DIR: '' } };
  expect(await runInProcess(['organization', 'list'], elsewhere), 'in another folder').toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Ada Lovelace'),
  });

  expect(await runInProcess(['init', '--stop'], options)).toMatchObject({ code: 0 });
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(join(home, 'data'))).toBe(true);
  expect(await runInProcess(['init', '--remove'], options)).toMatchObject({ code: 3 });
  expect(await runInProcess(['init', '--remove', '--yes'], options)).toMatchObject({ code: 0 });
  expect(existsSync(join(home, 'data'))).toBe(false);
  expect(existsSync(join(home, '.config', 'countersign', 'service.json'))).toBe(false);
  expect(readFileSync(join(home, 'claude.log'), 'utf8')).toContain('mcp remove --scope user countersign');
});

it('suggests commands the way it was started', () => {
  const bin = join(temporaryFolder(), 'bin');
  const program = join(bin, 'countersign');
  mkdirSync(bin);
  writeFileSync(program, '');
  expect(howStarted({ PATH: `/usr/bin:${bin}` }, program)).toBe('countersign');
  expect(howStarted({ PATH: `/usr/bin:${bin}`, npm_command: 'exec' }, program)).toBe(program);
  expect(howStarted({ PATH: '/usr/bin' }, program)).toBe(program);
  expect(howStarted({ PATH: '/usr/bin' }, "/it's/countersign")).toBe("'/it'\\''s/countersign'");
});
