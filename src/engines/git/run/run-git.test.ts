import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { configureGit } from './git-environment.ts';
import { cleanStderr, explainGitFailure, GitFailure } from './git-failure.ts';
import { runGit, startGit } from './run-git.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-run-git-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function failureOf(work: Promise<unknown>): Promise<GitFailure> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(GitFailure);
  return failure as GitFailure;
}

describe('runGit', () => {
  it('returns the exact bytes of git’s output', async () => {
    const repository = await makeRepository({ 'a.bin': Buffer.from([0, 255, 10, 13]) });
    const { stdout } = await runGit(['cat-file', 'blob', 'HEAD:a.bin'], { gitDir: repository.folder });
    expect([...stdout]).toEqual([0, 255, 10, 13]);
    await repository.remove();
  });

  it('reports how git failed, and its stderr', async () => {
    const failure = await failureOf(runGit(['rev-parse', '--verify', 'nothing'], { gitDir: folder }));
    expect(failure).toMatchObject({ reason: 'exit', exitCode: 128 });
    expect(failure.stderrTail).toMatch(/not a git repository/);
  });

  it('stops at the output limit', async () => {
    const repository = await makeRepository({ 'large.txt': 'x'.repeat(300_000) });
    const failure = await failureOf(
      runGit(['cat-file', 'blob', 'HEAD:large.txt'], { gitDir: repository.folder, maxOutputBytes: 100_000 }),
    );
    expect(failure.reason).toBe('too_much_output');
    await repository.remove();
  });

  it('reports that git is not installed', async () => {
    const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    configureGit({ path: folder });
    const failure = await failureOf(runGit(['--version'])).finally(() => configureGit({ path }));
    expect(failure.reason).toBe('not_installed');
  });

  it('passes nothing of the service’s environment to git', async () => {
    vi.stubEnv('GIT_CONFIG_COUNT', '1');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'user.name');
    vi.stubEnv('GIT_CONFIG_VALUE_0', 'stranger');
    vi.stubEnv('COUNTERSIGN_SECRET', 'secret');
    try {
      const { stdout } = await runGit(['config', '--list']);
      expect(stdout.toString()).not.toMatch(/stranger/);
      const dumped = await runGit(['dump'], { configuration: { 'alias.dump': '!env' } });
      expect(dumped.stdout.toString()).not.toMatch(/secret|stranger/);
      expect(dumped.stdout.toString()).toMatch(/^HOME=\/nonexistent$/m);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('runs no hooks of a repository', async () => {
    const repository = await makeRepository({ a: 'a' });
    const hook = join(repository.folder, 'hooks/reference-transaction');
    await writeFile(hook, `#!/bin/sh\ntouch ${folder}/ran\n`, { mode: 0o755 });
    await runGit(['update-ref', 'refs/heads/next', 'HEAD'], { gitDir: repository.folder });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
    await repository.git('update-ref', 'refs/heads/after', 'HEAD');
    expect(existsSync(join(folder, 'ran')), 'the hook runs under an unprotected git').toBe(true);
    await repository.remove();
  });

  it.each(['--output=x', '--upload-pack=touch x', '-h', '--git-dir=/', 'HEAD:secret', '@{-1}', 'a..b'])(
    'treats %s after --end-of-options as a name',
    async (name) => {
      const repository = await makeRepository({ a: 'a' });
      const failure = await failureOf(
        runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', name], {
          gitDir: repository.folder,
          cwd: folder,
        }),
      );
      expect(failure.reason).toBe('exit');
      expect(readdirSync(folder)).toEqual([]);
      await repository.remove();
    },
  );

  it('connects to no remote unless the call allows its protocol', async () => {
    const repository = await makeRepository({ a: 'a' });
    const listing = ['ls-remote', '--', repository.folder];
    expect((await failureOf(runGit(listing))).stderrTail).toMatch(/not allowed/);
    // Git's default allows this one.
    const web = runGit(['ls-remote', '--', 'http://127.0.0.1:1/x.git']);
    expect((await failureOf(web)).stderrTail).toMatch(/not allowed/);
    const helper = runGit(['ls-remote', '--', `ext::touch ${folder}/ran`], {
      extraEnvironment: { GIT_ALLOW_PROTOCOL: 'file' },
    });
    expect((await failureOf(helper)).stderrTail).toMatch(/not allowed/);
    expect(readdirSync(folder)).toEqual([]);
    const { stdout } = await runGit(listing, { extraEnvironment: { GIT_ALLOW_PROTOCOL: 'file' } });
    expect(stdout.toString()).toMatch(/refs\/heads\/main/);
    await repository.remove();
  });
});

describe.skipIf(process.platform !== 'linux')('a git that waits for a server', () => {
  let server: Server;
  let url: string;
  let connected: Promise<void>;
  beforeEach(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    connected = promise;
    server = createServer(() => resolve());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address!.port : 0}/x.git`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  });

  const options = { extraEnvironment: { GIT_ALLOW_PROTOCOL: 'http' } };

  it('ends with all its child processes when aborted', async () => {
    const controller = new AbortController();
    const work = failureOf(runGit(['ls-remote', '--', url], { ...options, signal: controller.signal }));
    await connected;
    expect(processesWith(url).length).toBeGreaterThan(1);
    controller.abort();
    expect((await work).reason).toBe('aborted');
    await vi.waitFor(() => expect(processesWith(url)).toEqual([]), { timeout: 30_000 });
  });

  it('ends at its time limit', async () => {
    const failure = await failureOf(runGit(['ls-remote', '--', url], { ...options, timeoutMs: 300 }));
    expect(failure.reason).toBe('timeout');
    await vi.waitFor(() => expect(processesWith(url)).toEqual([]), { timeout: 30_000 });
  });

  it('does not start once the signal is aborted', async () => {
    const failure = await failureOf(runGit(['ls-remote', '--', url], { signal: AbortSignal.abort() }));
    expect(failure.reason).toBe('aborted');
  });
});

describe('startGit', () => {
  it('answers over pipes until its signal is aborted', async () => {
    const repository = await makeRepository({ a: 'content' });
    const controller = new AbortController();
    const child = startGit(['cat-file', '--batch'], { gitDir: repository.folder, signal: controller.signal });
    const ended = new Promise((done) => child.once('close', (_code, signal) => done(signal)));
    child.stdin.write('HEAD:a\n');
    let reply = '';
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      reply += chunk;
      if (reply.endsWith('content\n')) break;
    }
    expect(reply).toMatch(/^[0-9a-f]{40} blob 7\ncontent\n$/);
    controller.abort();
    expect(await ended).toBe('SIGKILL');
    await repository.remove();
  });
});

describe('the stderr of a failure', () => {
  it('contains no passwords in URLs, no secrets of the call and no control characters', () => {
    const raw =
      "fatal: unable to access 'https://me:pass@host/x': \x1b[31mhunter2\x07\u{2028}\r\nremote: hunter2 hunter2";
    expect(cleanStderr(raw, ['hunter2'])).toBe(
      "fatal: unable to access 'https://host/x': [31m***\nremote: *** ***",
    );
  });

  it('contains no progress and is truncated', () => {
    const raw = `Receiving objects:  10% (1/10)\rremote: Counting objects:  5% (1/2)\rfatal: ${'x'.repeat(9000)}`;
    expect(cleanStderr(raw)).toMatch(/^x{4000}$/);
  });

  it.each([
    ["fatal: Authentication failed for 'https://host/x'", /Authentication failed/],
    ['remote: Not Found\nfatal: repository not found', /Repository not found/],
    ['git@host: Permission denied (publickey).', /rejected the SSH key/],
    ['fatal: unable to access: The requested URL returned error: 301', /redirects/],
    ['fatal: something else', /could not read the repository/],
  ])('is explained to users: %s', (stderr, sentence) => {
    expect(explainGitFailure(new GitFailure('fetch', 'exit', 128, stderr))).toMatch(sentence);
  });
});

/** The command lines of running processes that contain a text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    })
    .filter((commandLine) => commandLine.includes(text));
}
