/**
 * The service's own knowledge reaches the review: the target branch as it is now, other open pull requests, linked plans, and what
 * other repositories use. Every finding here is missing if one of them is not handed over.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addRepository } from '../../../../test/helpers/rows/code.ts';
import { postPlan } from '../../../../test/helpers/rows/plans.ts';
import { NO_MODELS } from '../../../../test/helpers/servers/model-server.ts';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { createLog } from '../../../platform/core/telemetry/log.ts';
import { importAdvisories } from '../../advisories/index.ts';
import { createPlainGitFollower } from '../../pull-requests/index.ts';
import { runPullRequestReview } from '../runs/run-pull-request-review.ts';

const service = await startTestService({ settings: { ALLOW_LOCAL_REPOSITORIES: 'true' } });
const { acme, clock, db, mirrors } = service;
const as = withSession(acme.admin);
const log = createLog({ level: 'silent', terminal: false, destination: { write: () => undefined } });

const LOCK = '{\n  "packages": {\n    "node_modules/zod": {\n      "version": "4.0.0"\n    }\n  }\n}\n';

it('the target branch, other pull requests, plans, other repositories and advisories', async () => {
  const repository = await addRepository(service, {
    'package.json': '{ "name": "@acme/money", "main": "src/index.ts" }\n',
    'src/index.ts': "export * from './money.ts';\nexport * from './rates.ts';\n",
    'src/money.ts': 'export function format() {}\nexport function round() {}\n',
    'src/rates.ts': 'export function currentRate() {}\nexport function pastRate() {}\n',
    'src/rates.test.ts': "import { currentRate } from './rates.ts';\n",
    'db/migrations/0001_users.sql': 'create table users (id int);\n',
  });
  const base = await repository.git('rev-parse', 'main');
  await addRepository(service, {
    'package.json': '{ "name": "shop", "dependencies": { "@acme/money": "1.0.0" } }\n',
    'src/cart.ts': "import { pastRate } from '@acme/money';\npastRate();\n",
  });
  await repository.commit(
    { 'db/migrations/0002_orders.sql': 'create table orders (id int);\n' },
    { branch: 'orders', from: base },
  );
  await repository.commit(
    {
      'src/cart.ts': "import { format } from './money.ts';\nformat();\n",
      'src/rates.ts': 'export function currentRate(a = 1) {}\nexport function nextRate() {}\n',
      'package.json':
        '{ "name": "@acme/money", "main": "src/index.ts", "dependencies": { "zod": "4.0.0" } }\n',
      'db/migrations/0002_items.sql': 'create table items (id int);\n',
      'package-lock.json': LOCK,
    },
    { branch: 'items', from: base },
  );
  // The target branch moves on after the change began.
  await repository.commit({ 'src/money.ts': 'export function round() {}\n' });
  await repository.refresh();
  const open = async (head: string) => {
    const body = { repository: repository.fullName, head, title: head };
    const opened = await service.request('POST', '/api/v2/pull-requests', { as, body });
    expect(opened.status, JSON.stringify(opened.body)).toBe(201);
    return opened.body as { id: string; number: number };
  };
  const other = await open('orders');
  const { id, number } = await open('items');
  const content = '# Items\n\n## Steps\n\n- [ ] Change `src/cart.ts`, `src/rates.ts` and `package.json`\n';
  const { body: plan } = await postPlan(service, acme.admin, { content, repoNames: [repository.fullName] });
  const linked = await service.request('POST', `/api/v2/plans/${plan.seriesId}/pull-requests`, {
    as,
    body: { prNumber: number, repoName: repository.fullName },
  });
  expect(linked.status, JSON.stringify(linked.body)).toBe(200);

  const advisories = mkdtempSync(join(tmpdir(), 'advisories-'));
  onTestFinished(() => rmSync(advisories, { recursive: true }));
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '4.0.1' }] }];
  const affected = [{ package: { ecosystem: 'npm', name: 'zod' }, ranges }];
  const advisory = { id: 'GHSA-1', aliases: ['CVE-1'], summary: 'Reads too much.', affected };
  writeFileSync(join(advisories, 'a.json'), JSON.stringify(advisory));
  const importAt = (at: Date) => importAdvisories(db, advisories, { at, onProgress: () => undefined });
  expect(await importAt(new Date(clock.now().getTime() - 31 * 86_400_000))).toMatchObject({ changed: 1 });

  const review = () =>
    runPullRequestReview(
      { ...NO_MODELS, db, code: mirrors.code, log, announce: () => undefined, now: () => clock.now() },
      { organizationId: acme.id, pullRequestId: id },
      AbortSignal.timeout(60_000),
    );
  await review();
  const get = async (path: string) => (await service.request('GET', path, { as })).body;
  const { runs } = await get(`/api/v2/pull-requests/${id}/review-runs`);
  const { candidates, checks } = await get(`/api/v2/review-runs/${runs[0].id}`);
  const found = candidates.map((each: { check: string; file: string; title: string; fate: string }) =>
    [each.fate, each.check, each.file, each.title].join(' '),
  );
  expect(found.sort()).toEqual([
    'finding merge_skew src/cart.ts The target branch changed or removed format, which this change uses',
    'finding outside_plan db/migrations/0002_items.sql The plan doesn’t mention this migration',
    'finding removed_but_used src/rates.ts pastRate was removed but is still used in another repository',
    `finding shared_migration_number db/migrations/0002_items.sql #${other.number} also adds a migration with the number 0002`,
    'finding vulnerable_dependency package-lock.json zod 4.0.0 has a known vulnerability',
  ]);
  const vulnerable = candidates.find(({ check }: { check: string }) => check === 'vulnerable_dependency');
  expect([vulnerable.file, vulnerable.line, vulnerable.scenario]).toEqual([
    ...['package-lock.json', 4, 'GHSA-1 (CVE-1): Reads too much. Fixed in 4.0.1.'],
  ]);
  const failed = checks.filter(({ failure }: { failure: string | null }) => failure !== null);
  expect(failed.map((each: { name: string; failure: string }) => `${each.name}: ${each.failure}`)).toEqual([
    'vulnerable_dependency: The advisories are 31 days old. Ask an operator to import them again (countersign advisories import).',
  ]);
  // The page of the review shows more than the code host is told.
  const about = (name: string) => checks.find((check: { name: string }) => check.name === name);
  expect(about('new_dependencies')).toMatchObject({ note: 'New dependencies: zod.' });
  expect(about('untested_export')).not.toHaveProperty('places');
  expect(await get(`/api/v2/review-runs/${runs[0].id}/untested-exports`)).toEqual({
    places: [{ name: 'nextRate', path: 'src/rates.ts', line: 2 }],
  });

  // Without the lock file, it is gone: the check runs although no package was added.
  await importAt(clock.now());
  const push = async (lock: string | null) => {
    await repository.commit({ 'package-lock.json': lock }, { branch: 'items' });
    await repository.refresh();
    const follower = createPlainGitFollower({ code: mirrors.code, announce: () => undefined, log });
    await follower.run(db, clock.now());
    clock.advance(60_000);
  };
  await push(null);
  const { discussionId } = vulnerable;
  const statusNow = async () => {
    const { candidates: now } = await get(`/api/v2/review-runs/${runs[0].id}`);
    return now.find((each: { discussionId: string }) => each.discussionId === discussionId).discussionStatus;
  };
  expect(await statusNow()).toBe('open');
  await review();
  expect(await statusNow()).toBe('addressed');

  // A dismissal is about this advisory, not about one that is published later.
  const body = { reason: 'intended', scope: 'repository' };
  const dismissed = await service.request('POST', `/api/v2/discussions/${discussionId}/dismissal`, {
    as,
    body,
  });
  expect(dismissed.status, JSON.stringify(dismissed.body)).toBe(200);
  const again = async () => {
    await review();
    const [newest] = (await get(`/api/v2/pull-requests/${id}/review-runs`)).runs;
    const { candidates: now } = await get(`/api/v2/review-runs/${newest.id}`);
    const { fate, title } = now.find(({ check }: { check: string }) => check === 'vulnerable_dependency');
    return `${fate} ${title}`;
  };
  await push(LOCK);
  expect(await again()).toBe('known zod 4.0.0 has a known vulnerability');
  writeFileSync(join(advisories, 'b.json'), JSON.stringify({ ...advisory, id: 'GHSA-2', aliases: [] }));
  await importAt(clock.now());
  await push(`${LOCK}\n`);
  expect(await again()).toBe('finding zod 4.0.0 has 2 known vulnerabilities');
});
