/** `countersign plan` and `countersign discussions`: what a pipeline sees, against a real service over HTTP. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runInProcess } from '../../../test/helpers/processes/command-in-process.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { readSavedService, saveService } from '../init/saved-service.ts';

const service = await startTestService();
const { acme, globex } = service;
const folder = mkdtempSync(join(tmpdir(), 'countersign-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'plan.md');
writeFileSync(file, '# Faster exports\n\nStream the rows.\n');

const env = (key = acme.member.key) => ({
  COUNTERSIGN_URL: service.url,
  COUNTERSIGN_API_KEY: key,
  XDG_CONFIG_HOME: join(folder, 'config'),
});
const run = (words: string[], environment = env()) => runInProcess(words, { env: environment });
const decide = (planId: string, action: string, body: object = {}) =>
  service.request('POST', `/api/v2/plans/${planId}/${action}`, { as: withSession(acme.owner), body });
const versionOf = async (planId: string) =>
  (await service.request('GET', `/api/v2/plans/${planId}`, { as: withSession(acme.owner) })).body.versionId;

describe('a plan', () => {
  it('is posted once, waits, and tells a pipeline what was decided by the exit code', async () => {
    const posted = await run(['plan', 'post', file, '--json']);
    expect(posted).toMatchObject({ code: 0, stderr: '' });
    const { planId, url, version } = JSON.parse(posted.stdout);
    expect([version, url]).toEqual([1, `${service.url}/plans/${planId}`]);
    expect((await run(['plan', 'post', file])).stdout).toContain('Version 1 is already posted');
    const by = async () =>
      (await service.request('GET', `/api/v2/plans/${planId}`, { as: withSession(acme.owner) })).body;
    expect(await by()).toMatchObject({ agentVendor: 'command-line', createdBy: { id: acme.member.userId } });

    expect(await run(['plan', 'status', file])).toMatchObject({
      code: 6,
      stdout: expect.stringMatching(/^pending: version 1/),
    });
    expect(await run(['plan', 'wait', file, '--timeout', '1s'])).toMatchObject({ code: 6 });
    await decide(planId, 'request-changes', { versionId: await versionOf(planId), note: 'Which rows?' });
    expect(await run(['plan', 'wait', '--plan', planId])).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('Acme owner: changes requested: Which rows?'),
    });

    writeFileSync(file, '# Faster exports\n\nStream the rows of one account.\n');
    expect((await run(['plan', 'post', file])).stdout).toContain('Version 2 is posted');
    const waiting = run(['plan', 'wait', file, '--json', '--timeout', '1m']);
    await decide(planId, 'approve', { versionId: await versionOf(planId) });
    const decided = await waiting;
    expect([decided.code, JSON.parse(decided.stdout).status]).toEqual([0, 'approved']);
  });

  it('is the same in all jobs of GitLab, whose origins contain different tokens', async () => {
    const clone = join(folder, 'clone');
    execFileSync('git', ['init', '--quiet', clone]);
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(clone);
    onTestFinished(() => cwd.mockRestore());
    const inJob = { ...env(), CI_COMMIT_REF_NAME: 'feature' };
    writeFileSync(join(clone, 'plan.md'), '# One plan\n\nText.\n');
    const ids = [];
    for (const user of ['gitlab-ci-token:one@', 'gitlab-ci-token:two@', '']) {
      const origin = `https://${user}gitlab.example.com/acme/api.git`;
      execFileSync('git', ['-C', clone, 'config', 'remote.origin.url', origin]);
      const posted = await run(['plan', 'post', join(clone, 'plan.md'), '--json'], inJob);
      ids.push(JSON.parse(posted.stdout).planId);
    }
    expect(new Set(ids).size).toBe(1);
    const plan = await service.request('GET', `/api/v2/plans/${ids[0]}`, { as: withSession(acme.owner) });
    expect(plan.body.repoNames).toEqual(['acme/api']);
  });

  it('that is closed has an exit code of its own', async () => {
    const other = join(folder, 'other.md');
    writeFileSync(other, '# Another\n\nText.\n');
    const posted = JSON.parse((await run(['plan', 'post', other, '--json'])).stdout);
    await decide(posted.planId, 'close');
    expect(await run(['plan', 'status', other])).toMatchObject({ code: 7 });
  });

  it('of another organization does not exist, and a wrong key, address or file is explained', async () => {
    const { planId } = JSON.parse((await run(['plan', 'post', file, '--json'])).stdout);
    expect(await run(['plan', 'status', planId])).toEqual(await run(['plan', 'status', '--plan', planId]));
    expect(await run(['plan', 'status', '--plan', planId], env(globex.member.key))).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('was not found'),
    });
    expect(await run(['plan', 'status', '--plan', planId], env('csk_wrong'))).toMatchObject({ code: 3 });
    expect(await run(['plan', 'status', '--plan', planId, '--url', 'http://127.0.0.1:2'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('nothing listens there'),
    });
    expect(await run(['plan', 'post', join(folder, 'none.md')])).toMatchObject({ code: 3 });
    expect(await run(['plan', 'wait', file, '--timeout', 'soon'])).toMatchObject({ code: 2 });
    expect(await run(['plan', 'status', file, '--url', 'ftp://x'])).toMatchObject({ code: 2 });
  });
});

describe('the saved service', () => {
  it('is used without variables, never for another address, and only its owner can read it', async () => {
    const environment = { XDG_CONFIG_HOME: join(folder, 'saved') };
    expect(await run(['plan', 'status', file], environment as never)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('countersign init'),
    });
    await saveService(environment, { url: service.url, key: acme.member.key, agents: [] });
    expect(statSync(join(folder, 'saved', 'countersign', 'service.json')).mode & 0o777).toBe(0o600);
    expect((await readSavedService(environment))?.url).toBe(service.url);
    expect(await run(['plan', 'status', file], environment as never)).toMatchObject({ code: 0 });
    expect(
      await run(['plan', 'status', file, '--url', 'http://127.0.0.1:2'], environment as never),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('COUNTERSIGN_API_KEY'),
    });
  });
});

describe('discussions', () => {
  it('says that a branch has no pull request, and that a repository is unknown', async () => {
    await service.db
      .insertInto('repositories')
      .values({ id: crypto.randomUUID(), organization_id: acme.id, name: 'acme/api', created_at: new Date() })
      .execute();
    const words = ['discussions', '--branch', 'feature', '--repository'];
    expect(await run([...words, 'acme/api'])).toMatchObject({
      code: 0,
      stdout: 'The branch has no pull request.\n',
    });
    expect(await run([...words, 'acme/none'])).toMatchObject({ code: 3 });
  });

  it('are those of the folder if the clone has no origin, as init names it', async () => {
    const clone = join(folder, 'api');
    execFileSync('git', ['init', '--quiet', clone]);
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(clone);
    onTestFinished(() => cwd.mockRestore());
    const unknown = await run(['discussions', '--branch', 'feature']);
    expect([unknown.code, unknown.stderr]).toEqual([
      3,
      expect.stringContaining(`No repository named ${basename(folder)}/api exists`),
    ]);
    cwd.mockReturnValue(folder);
    expect(await run(['discussions', '--branch', 'feature'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name the repository with --repository'),
    });
  });
});
