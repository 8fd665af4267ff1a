/** Runs the API contract tests against our own server, in process and with the command. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addRepository } from '../helpers/rows/code.ts';
import { makeDiscussion } from '../helpers/rows/discussions.ts';
import { makePullRequest } from '../helpers/rows/pull-requests.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { loadCases } from './contract.ts';
import { Server } from './server.ts';

const service = await startTestService({
  settings: { RATE_LIMIT: 'on', ALLOW_LOCAL_REPOSITORIES: 'true' },
});
const repository = await addRepository(service, {
  'README.md': '# Words\n\nfirst\nsecond\n',
  'src/one.ts': 'export const one = 1;\n',
  'src/deep/two.ts': 'export const two = 2;\n',
});
const { fullName } = repository;
const { acme, db } = service;
const { id: pullRequestId } = await makePullRequest(service, repository, { headBranch: 'reviewed' });
for (const status of ['open', 'addressed', 'resolved', 'open'] as const) {
  const ids = { organizationId: acme.id, repositoryId: repository.id, pullRequestId };
  const id = await makeDiscussion(db, ids, [{ body: 'Why?' }, { body: 'Because.' }]);
  await db.updateTable('discussions').set({ status }).where('id', '=', id).execute();
}
const server = new Server(service.url, acme.member.key, fullName, 'reviewed');
const files = await loadCases(fullName);

describe.each(files)('$file', ({ cases }) => {
  it.each(cases)('$name', async ({ run }) => {
    expect(await run(server)).toBeUndefined();
  });
});

describe('the command', () => {
  const run = (...options: string[]) =>
    new Promise<{ code: number; output: string; errors: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [join(import.meta.dirname, 'run.ts'), ...options],
        { maxBuffer: 10_000_000 },
        (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
      );
    });
  // One file of cases is enough to see what the command prints: all of them ran above.
  const only = 'session-events';
  const count = files.find(({ file }) => file === only)!.cases.length;

  it('prints the count and exits with 0 when every case passed', async () => {
    const given = ['--url', `${service.url}/`, '--key', acme.member.key, '--only', only];
    const { code, output } = await run(...given);
    expect(output.trimEnd().split('\n').at(-1)).toBe(`${count} passed, 0 failed`);
    expect(output.trimEnd().split('\n')).toHaveLength(count + 1);
    expect(code).toBe(0);
  });

  it('prints the count and exits with 1 when some failed, with their names and reasons', async () => {
    const given = ['--url', service.url, '--key', acme.viewer.key, '--only', only];
    const { code, output } = await run(...given);
    const last = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1)!)!;
    expect(Number(last[1]) + Number(last[2])).toBe(count);
    expect(Number(last[2])).toBeGreaterThan(0);
    expect(output).toMatch(/^FAILED {2}session-events: .*\n {8}status 403 instead of 204/m);
    expect(code).toBe(1);
  });

  it('exits with 1 when the server cannot be reached, and skips cases that need a repository', async () => {
    const { code, output } = await run('--url', 'http://127.0.0.1:1', '--key', 'csk_x');
    const countAll = (all: typeof files) => all.reduce((sum, { cases }) => sum + cases.length, 0);
    const without = countAll(await loadCases());
    expect(without).toBeLessThan(countAll(files));
    expect(output.trimEnd().split('\n').at(-1)).toBe(`0 passed, ${without} failed`);
    expect(code).toBe(1);
  });

  it.each([
    [[], '--url is missing.'],
    [['--url', 'http://localhost'], '--key is missing.'],
    [['--url', 'localhost:4000', '--key', 'x'], '--url must be an http or https address.'],
    [['--frob'], "Unknown option '--frob'"],
  ])('explains usage errors: %j', async (options, message) => {
    const { code, output, errors } = await run(...options);
    expect(errors).toContain(message);
    expect(errors).toContain('npm run test:contract -- --url http://localhost:4000 --key csk_');
    expect(output).toBe('');
    expect(code).toBe(2);
  });
});
