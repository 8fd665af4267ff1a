/** `countersign review` with a service: results of another tool from CI, and a working tree before the push. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runInProcess } from '../../../test/helpers/processes/command-in-process.ts';
import { runCountersign } from '../../../test/helpers/processes/countersign-process.ts';
import { addRepository } from '../../../test/helpers/rows/code.ts';
import { startTestService, withKey, withSession } from '../../../test/helpers/service/harness.ts';
import { connect } from '../../../test/mcp/clients.ts';
import { callTool } from '../../../test/mcp/tool-calls.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, globex } = service;
const folder = mkdtempSync(join(tmpdir(), 'countersign-sarif-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const FILES = {
  'src/money.ts': 'export function format(n: number) {\n  return n;\n}\n',
  'src/page.ts': "import { format } from './money.ts';\nexport const shown = format(1);\n",
  'latin 1.js': Buffer.from('// caf\xe9\n', 'latin1'),
};
let repository: Awaited<ReturnType<typeof addRepository>>;
let pullRequestId: string;

beforeAll(async () => {
  repository = await addRepository(service, FILES);
  await repository.commit(
    { 'src/cart.ts': 'export const a = 1;\nexport const b = a / 0;\nexport const c = b / 0;\n' },
    { branch: 'feature', from: 'main' },
  );
  await repository.refresh();
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body: { repository: repository.fullName, head: 'feature', title: 'Cart' },
  });
  pullRequestId = opened.body.id;
});

const run = (words: string[], key = acme.member.key) =>
  runInProcess(['review', ...words, '--repository', repository.fullName], { env: environment(key) });
const environment = (key: string) => ({
  ...{ COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: key, XDG_CONFIG_HOME: folder },
});

function sarif(
  name: string,
  results: object[],
  { rules, ...more }: { rules?: object[]; artifacts?: object[] } = {},
): string {
  const file = join(folder, name);
  const run = { tool: { driver: { name: 'DemoLint', rules } }, results, ...more };
  writeFileSync(file, JSON.stringify({ version: '2.1.0', runs: [run] }));
  return file;
}
const result = (uri: string, startLine: number, more: object = {}) => ({
  ruleId: 'no-zero',
  message: { text: 'Division by zero.\nUse another number.' },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
  ...more,
});

it('sends results on added lines once, as findings of the pull request, and says what was left out', async () => {
  const file = sarif('a.sarif', [
    result('./src/cart.ts', 2),
    result('src/money.ts', 1),
    result('src/cart.ts', 1, { suppressions: [{ kind: 'inSource' }] }),
    result('src/cart.ts', 1, { level: 'note' }),
  ]);
  const sent = await run(['--sarif', file, '--pr', '1']);
  expect(sent).toMatchObject({ code: 4, stderr: '' });
  expect(sent.stdout).toContain('src/cart.ts:2  DemoLint: Division by zero.');
  expect(sent.stdout).toContain('1 finding\n1 result is not on added lines.');
  // A job that runs again still fails, until the discussion is settled.
  const again = await run(['--sarif', file, '--branch', 'feature']);
  expect(again).toMatchObject({ code: 4, stderr: '' });
  expect(again.stdout).toBe(
    'Already a discussion: src/cart.ts:2  DemoLint: Division by zero.\n0 findings\n1 result is already a discussion.\n1 result is not on added lines.\n',
  );
  const { body } = await service.request('GET', `/api/v2/pull-requests/${pullRequestId}/discussions`, {
    as: withSession(acme.viewer),
  });
  expect(body.discussions).toMatchObject([{ file: 'src/cart.ts', startLine: 2, status: 'open' }]);
  const discussion = `/api/v2/discussions/${body.discussions[0].id}`;
  const as = withSession(acme.admin);
  const settle = async (method: string, path: string, given: object) => {
    expect((await service.request(method, path, { as, body: given })).status).toBeLessThan(300);
    const { code, stdout } = await run(['--sarif', file, '--pr', '1']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Not accepted: src/cart.ts:2  no-zero: ')]);
  };
  await settle('PATCH', discussion, { status: 'resolved' });
  await service.request('PATCH', discussion, { as, body: { status: 'open' } });
  await settle('POST', `${discussion}/dismissal`, { reason: 'intended', scope: 'pull_request' });
});

it('refuses results of a commit that is not the newest of the pull request', async () => {
  const file = sarif('old.sarif', [result('src/cart.ts', 3)]);
  for (const commit of [await repository.git('rev-parse', 'main'), 'zzz'])
    expect(await run(['--sarif', file, '--pr', '1', '--commit', commit])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/the newest commit is [0-9a-f]{12}, not /),
    });
  const newest = await repository.git('rev-parse', 'feature');
  expect(await run(['--sarif', file, '--pr', '1', '--commit', newest.toUpperCase()])).toMatchObject({
    stderr: '',
  });
});

it('fails every job with findings, however many send them at the same time', async () => {
  const keys = [acme.member.key, acme.admin.key, acme.member.key];
  for (const round of [1, 2]) {
    const branch = `jobs-${round}`;
    await repository.commit({ [`src/${branch}.ts`]: 'export const d = 1 / 0;\n' }, { branch, from: 'main' });
    await repository.refresh();
    const opened = await service.request('POST', '/api/v2/pull-requests', {
      as: withSession(acme.member),
      body: { repository: repository.fullName, head: branch, title: branch },
    });
    const file = sarif(`${branch}.sarif`, [result(`src/${branch}.ts`, 1)]);
    const words = ['review', '--sarif', file, '--pr', `${opened.body.number}`, '--json'];
    // Real processes: each has an output of its own.
    const ended = await Promise.all(
      keys.map((key) =>
        runCountersign([...words, '--repository', repository.fullName], { env: environment(key) }),
      ),
    );
    const sent = ended.map(({ code, stdout }) => {
      const { already, findings } = JSON.parse(stdout) as { findings: object[]; already: string[] };
      return [code, findings.length + already.length];
    });
    expect(sent).toEqual(keys.map(() => [4, 1]));
    const { body } = await service.request('GET', `/api/v2/pull-requests/${opened.body.id}/discussions`, {
      as: withSession(acme.viewer),
    });
    expect(body.discussions).toHaveLength(1);
  }
});

it('fails for results that are not raised because the pull request has too many findings', async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `export const m${index} = 1;\n`).join('');
  await repository.commit({ 'src/many.ts': lines }, { branch: 'many', from: 'main' });
  await repository.refresh();
  await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body: { repository: repository.fullName, head: 'many', title: 'Many' },
  });
  const codes: (number | null)[] = [];
  let last = '';
  for (const from of [1, 6, 11, 16]) {
    const results = [0, 1, 2, 3, 4].map((more) =>
      result('src/many.ts', from + more, { message: { text: `m${from + more} is unused.` } }),
    );
    const sent = await run(['--sarif', sarif(`many-${from}.sarif`, results), '--branch', 'many']);
    codes.push(sent.code);
    last = sent.stdout;
  }
  expect(codes).toEqual([4, 4, 4, 4]);
  expect(last).toContain(
    'Not raised: src/many.ts:16  DemoLint: m16 is unused.: Reviews raise at most 12 findings',
  );
});

it('counts what tools and agents report as their own, not as a reviewer’s', async () => {
  await repository.commit(
    { 'src/figures.ts': 'export const g = 1 / 0;\nexport const neverUsed = 1;\n' },
    { branch: 'figures', from: 'main' },
  );
  await repository.refresh();
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body: { repository: repository.fullName, head: 'figures', title: 'Figures' },
  });
  await run(['--sarif', sarif('figures.sarif', [result('src/figures.ts', 1)]), '--branch', 'figures']);
  const agent = await connect(service.url, { 'x-api-key': acme.admin.key });
  const { structured } = await callTool(agent, 'start_review', {
    ...{ repository: repository.fullName, prNumber: opened.body.number, agentVendor: 'demo-agent' },
  });
  const { runId } = structured;
  await callTool(agent, 'report_finding', {
    ...{ runId, file: 'src/figures.ts', line: 2, quote: 'export const neverUsed = 1;', claim: 'unused' },
    ...{ subject: 'neverUsed', title: 'Nothing uses it', scenario: 'Readers look for what uses it in vain.' },
  });
  await callTool(agent, 'finish_review', { runId, lookedAt: [] });
  const as = withSession(acme.viewer);
  const figures = (await service.request('GET', '/api/v2/review-figures', { as })).body;
  expect(figures.reviewers).toEqual([
    expect.objectContaining({ kind: 'tool', title: 'DemoLint', id: null }),
    expect.objectContaining({ kind: 'agent', title: 'demo-agent', id: null, findings: 1 }),
  ]);
  expect(figures.weeks.at(-1).findings).toBe(figures.reviewers[0].findings + 1);
  const listed = await service.request('GET', '/api/v2/reviewer/reviewers', { as: withKey(acme.member) });
  const titled = listed.body.reviewers.find(({ title }: { title: string }) => title === 'Logic Errors');
  expect(titled.discussions).toEqual([]);
  const own = await service.request('GET', `/api/v2/review-figures?reviewerId=${titled.id}`, { as });
  expect(own.body.reviewers).toEqual([]);
});

it('puts results of one rule with the same message into one finding', async () => {
  await repository.commit(
    { 'src/same.ts': 'export const e = 1 / 0;\nexport const f = 2 / 0;\n' },
    { branch: 'same', from: 'main' },
  );
  await repository.refresh();
  const opened = await service.request('POST', '/api/v2/pull-requests', {
    as: withSession(acme.member),
    body: { repository: repository.fullName, head: 'same', title: 'Same' },
  });
  const file = sarif('same.sarif', [result('src/same.ts', 1), result('src/same.ts', 2)]);
  for (const printed of ['1 finding\n', '0 findings\n1 result is already a discussion.']) {
    const sent = await run(['--sarif', file, '--branch', 'same']);
    expect([sent.code, sent.stdout]).toEqual([4, expect.stringContaining(printed)]);
  }
  const { body } = await service.request('GET', `/api/v2/pull-requests/${opened.body.id}/discussions`, {
    as: withSession(acme.viewer),
  });
  expect(body.discussions).toMatchObject([{ startLine: 1 }]);
  expect(body.discussions[0].comments[0].body).toContain('src/same.ts:2');
});

it('follows what the file says about its rules, its files and suppressions', async () => {
  await repository.commit(
    { 'src/rules.ts': Array.from({ length: 9 }, (_, index) => `export const r${index} = 1;\n`).join('') },
    { branch: 'rules', from: 'main' },
  );
  await repository.refresh();
  const at = (startLine: number, more: object) =>
    result('src/rules.ts', startLine, { ruleId: 'a', message: { text: `Line ${startLine}` }, ...more });
  const suppressed = (status?: string) => ({ suppressions: [{ kind: 'external', status }] });
  const indexed = { physicalLocation: { artifactLocation: { index: 1 }, region: { startLine: 8 } } };
  const file = sarif(
    'rules.sarif',
    [
      ...[at(1, suppressed('rejected')), at(2, suppressed('underReview')), at(3, suppressed('accepted'))],
      ...[at(4, { ruleId: 'quiet' }), at(5, { ruleId: undefined, ruleIndex: 1 })],
      ...[at(6, { ruleId: 'quiet', level: 'error' }), at(7, suppressed())],
      at(8, { locations: [indexed] }),
    ],
    {
      rules: [{ id: 'a' }, { id: 'quiet', defaultConfiguration: { level: 'note' } }],
      artifacts: [{ location: { uri: 'src/other.ts' } }, { location: { uri: 'src/rules.ts' } }],
    },
  );
  const { stderr, stdout } = await run(['--sarif', file, '--branch', 'rules', '--json']);
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: { line: number }[] };
  expect(findings.map(({ line }) => line).sort()).toEqual([1, 2, 6, 8]);
});

it('sends short messages, and two results of one rule', async () => {
  const message = (text: string) => ({ ruleId: 'no-unused', message: { text } });
  const file = sarif('short.sarif', [
    result('src/cart.ts', 1, message("'foo' is unused.")),
    result('src/cart.ts', 3, message("'bar' is unused.")),
  ]);
  writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8')}`);
  const sent = await run(['--sarif', file, '--pr', '1']);
  expect(sent).toMatchObject({ code: 4, stderr: '' });
  expect(sent.stdout).toContain('2 findings\n');
  expect(sent.stdout).not.toContain('Not accepted');
});

it('never prints a key that cannot be one', async () => {
  const { code, stderr, stdout } = await run(['--sarif', 'x', '--pr', '1'], 'csk_a\nb');
  expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining('csk_a')]);
});

it('sends what tools write carelessly: cut emoji, NUL, empty rules, and addresses that name no file here', async () => {
  const file = sarif('odd.sarif', [
    result('src/cart.ts', 3, {
      ruleId: '',
      message: { text: `\0Divides by zero again. ${'😀'.repeat(2000)}` },
    }),
    result('file://elsewhere/src/cart.ts', 1),
    result('src/%2e%2e/%zz', 1),
  ]);
  const sent = await run(['--sarif', file, '--pr', '1']);
  expect(sent).toMatchObject({ code: 4, stderr: '' });
  expect(sent.stdout).toContain('src/cart.ts:3  DemoLint: Divides by zero again. 😀');
  expect(sent.stdout).toContain('1 finding\n2 results are not on added lines.');
});

it('explains a file that is not SARIF, a missing change, and a repository of another organization', async () => {
  const wrong = join(folder, 'wrong.sarif');
  writeFileSync(wrong, '{"runs": 1}');
  expect(await run(['--sarif', wrong, '--pr', '1'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('is not SARIF 2.1.0: runs: '),
  });
  writeFileSync(wrong, '{"version": "2.0.0", "runs": []}');
  expect(await run(['--sarif', wrong, '--pr', '1'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('version: must be 2.1.0, not 2.0.0: let the tool write that version'),
  });
  const types = sarif('types.sarif', [result('src/cart.ts', 2, { ruleId: 5 }), result('src/cart.ts', 1.5)]);
  expect(await run(['--sarif', types, '--pr', '1'])).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/runs\.0\.results\.0\.ruleId: .*results\.1\..*startLine: /),
  });
  expect(await run(['--sarif', join(folder, 'none'), '--pr', '1'])).toMatchObject({ code: 3 });
  expect(await run([wrong])).toMatchObject({ code: 2, stderr: expect.stringContaining('--sarif FILE') });
  expect(await run(['--sarif', '--url', service.url])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--sarif FILE'),
  });
  const file = sarif('b.sarif', [result('src/cart.ts', 2)]);
  expect(await run(['--sarif', file, '--pr', 'x'])).toMatchObject({ code: 2 });
  const elsewhere = await run(['--sarif', file, '--pr', '1'], globex.member.key);
  expect(elsewhere.code).toBe(3);
  // Advice for agents is left out.
  expect(elsewhere.stderr).toMatch(
    /^countersign: No repository named .* exists, or you don.t have access to it\.\n$/,
  );
  const near = repository.fullName.slice(0, -1);
  const mistyped = await runInProcess(['review', '--sarif', file, '--pr', '1', '--repository', near], {
    env: { COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: service.acme.member.key },
  });
  expect(mistyped.stderr).toMatch(new RegExp(`\nDid you mean:\n- ${repository.fullName}\n$`));
});

it('reviews a working tree before the push, with what the service knows', async () => {
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', repository.folder, clone]);
  expect(await run(['--folder', clone, '--url', service.url])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing changed/),
  });
  const nothing = await run(['--folder', clone, '--url', service.url, '--json']);
  expect(JSON.parse(nothing.stdout)).toEqual({
    ...{ findings: [], elsewhere: 0, already: [], overLimit: [], refused: [] },
  });
  writeFileSync(join(clone, 'src/money.ts'), 'export function show(n: number) {\n  return n;\n}\n');
  const found = await run(['--folder', clone, '--url', service.url, '--json']);
  expect(found).toMatchObject({ code: 4, stderr: '' });
  expect(JSON.parse(found.stdout).findings).toMatchObject([
    { file: 'src/money.ts', side: 'base', title: expect.stringContaining('format') },
  ]);
  const diff = await run(['diff', '--folder', clone]);
  expect([diff.code, diff.stdout]).toEqual([4, expect.stringContaining('format')]);
});

it('shows that the quote of a token is cut, and leaves out files that are not UTF-8', async () => {
  const clone = join(folder, 'bytes');
  execFileSync('git', ['clone', '--quiet', repository.folder, clone]);
  appendFileSync(join(clone, 'latin 1.js'), 'export const a = 1;\n');
  expect(await run(['--folder', clone, '--url', service.url])).toMatchObject({
    code: 0,
    stdout: '0 findings\n',
    stderr: 'Not reviewed: latin 1.js (not UTF-8).\n',
  });
  // Put together, so that scanners of this repository leave it alone.
  writeFileSync(join(clone, 'src/key.ts'), `export const café = 'AKIA${'QX7ZP4MN2LKJ8H6G'}';\n`);
  const { code, stderr, stdout } = await run(['--folder', clone, '--url', service.url]);
  expect([code, stderr]).toEqual([4, 'Not reviewed: latin 1.js (not UTF-8).\n']);
  expect(stdout).toContain("\n  > export const café = 'AKIA…\n");
});

it('names the changed files that the organization excluded', async () => {
  const clone = join(folder, 'excluded');
  execFileSync('git', ['clone', '--quiet', repository.folder, clone]);
  writeFileSync(join(clone, 'notes.txt'), 'One\n');
  const exclude = (paths: string[]) =>
    service.request('PUT', `/api/v2/repositories/${repository.id}/excluded-paths`, {
      as: withSession(acme.admin),
      body: { paths },
    });
  await exclude(['*.txt']);
  const { code, stderr, stdout } = await run(['--folder', clone, '--url', service.url]);
  await exclude([]);
  expect([code, stderr, stdout]).toEqual([
    0,
    'Not reviewed: notes.txt (excluded by a setting).\n',
    '0 findings\n',
  ]);
});

it('prints findings with their evidence as a review on this machine does, and names other repositories', async () => {
  const clone = join(folder, 'evidence');
  execFileSync('git', ['clone', '--quiet', repository.folder, clone]);
  writeFileSync(join(clone, 'src/money.ts'), 'export function show(n: number) {\n  return n;\n}\n');
  const remote = await run(['--folder', clone, '--url', service.url]);
  const local = await runInProcess(['review', '--folder', clone]);
  expect(remote).toMatchObject({ code: 4, stderr: '' });
  expect(remote.stdout).toMatch(/^src\/money\.ts:1 \(before the change\) {2}format was removed/);
  expect(remote.stdout).toContain("  src/page.ts:1: import { format } from './money.ts';\n");
  expect(remote.stdout.replace(/1 finding\n$/, '')).toBe(local.stdout.replace(/1 finding in .*\n$/, ''));

  const money = await addRepository(service, {
    'package.json': '{ "name": "@acme/money", "main": "index.ts" }\n',
    'index.ts': 'export function format(n: number) {\n  return n;\n}\n',
  });
  const shop = await addRepository(service, {
    'package.json': '{ "name": "shop", "dependencies": { "@acme/money": "1.0.0" } }\n',
    'cart.ts': `import { format } from '@acme/money';\nexport const all = [${'format(1), '.repeat(50)}];\n`,
    'till.ts': "import { format } from '@acme/money';\nformat(1);\n",
    'stock.ts': "import { format } from '@acme/money';\nformat(1);\n",
  });
  const head = (await shop.git('rev-parse', 'main')).slice(0, 12);
  const own = join(folder, 'own');
  execFileSync('git', ['clone', '--quiet', money.folder, own]);
  writeFileSync(join(own, 'index.ts'), 'export const a = 1;\n');
  // The other repository was just added: on a busy machine it is not read in time, which is said.
  const { stdout } = await vi.waitFor(
    async () => {
      const words = ['review', '--folder', own, '--url', service.url, '--repository', money.fullName];
      const ran = await runInProcess(words, { env: environment(acme.member.key) });
      expect(ran.stderr).not.toContain('Some checks could not finish. removed_but_used: Another repository');
      return ran;
    },
    { timeout: 60_000 },
  );
  expect(stdout).toContain(`  ${shop.fullName} cart.ts:1@${head}: import { format } from '@acme/money';\n`);
  expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThan(400);
  expect(stdout).toContain('  and 1 more\n  removed_but_used\n');
});

it('runs the optional checks that the organization switched on, for a working tree and for a pushed branch', async () => {
  const clone = join(folder, 'optional');
  execFileSync('git', ['clone', '--quiet', repository.folder, clone]);
  writeFileSync(join(clone, 'queue.py'), 'import os\n\nqueue = os.environ["QUEUE_ADDRESS"]\n');
  await repository.commit(
    { 'mail.py': 'import os\n\nmail = os.environ["MAIL_ADDRESS"]\n' },
    { branch: 'mail', from: 'main' },
  );
  await repository.refresh();
  const agent = await connect(service.url, { 'x-api-key': acme.member.key });
  const found = async () => {
    const { stdout } = await run(['--folder', clone, '--url', service.url, '--json']);
    const given = { repository: repository.fullName, branch: 'mail' };
    const { structured } = await callTool(agent, 'start_review', given);
    return [...JSON.parse(stdout).findings, ...structured.found].map(({ title }) => title);
  };
  expect(await found()).toEqual([]);
  const as = withSession(acme.admin);
  const { body } = await service.request('GET', '/api/v2/reviewer/reviewers', {
    as: withKey(acme.viewer),
  });
  const drift = body.reviewers.find(({ title }: { title: string }) => title === 'Documentation Drift');
  const switchOn = (switchedOn: string[]) =>
    service.request('PATCH', `/api/v2/reviewers/${drift.id}`, { as, body: { switchedOn } });
  expect((await switchOn(['unset_environment_variable'])).status).toBe(200);
  expect(await found()).toEqual([
    'QUEUE_ADDRESS is required but never set',
    'MAIL_ADDRESS is required but never set',
  ]);
  await switchOn([]);
  expect(await found()).toEqual([]);
});
