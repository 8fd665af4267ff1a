/** The export of labels: where people agreed or disagreed with judgements of discussions. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase, urlOf } from '../../../test/helpers/database/database.ts';
import { runInProcess } from '../../../test/helpers/processes/command-in-process.ts';
import { makeDiscussion } from '../../../test/helpers/rows/discussions.ts';
import { makePullRequest, makeRepositoryRow } from '../../../test/helpers/rows/pull-requests.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { findDiscussion, setStatus } from '../../features/discussions/index.ts';
import { BY_SERVICE, withPullRequestAs } from '../../features/pull-requests/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-labels-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const connection = await createTestDatabase();
const service = await startTestService({ connection });
const { acme, clock, db, globex } = service;

type Organization = typeof acme;

/** Returns the discussion, after it was judged addressed at the commit and a person had a word. */
async function judgedDiscussion(
  organization: Organization,
  commit: string | null,
  status: 'open' | 'resolved',
) {
  const { id: repositoryId } = await makeRepositoryRow(service, organization.id);
  const { id: pullRequestId } = await makePullRequest(service, { id: repositoryId });
  const id = await makeDiscussion(db, { organizationId: organization.id, repositoryId, pullRequestId });
  const by = { ...BY_SERVICE, organizationId: organization.id };
  if (commit) {
    await withPullRequestAs(
      { db, announce: () => undefined },
      by,
      pullRequestId,
      clock.now(),
      async (change) => {
        const service = { userId: null, accountId: null, name: null, reason: 'The line is gone.' };
        await setStatus(change, await findDiscussion(change, id), 'judged_addressed', { ...service, commit });
      },
    );
  }
  const { status: code } = await service.request('PATCH', `/api/v2/discussions/${id}`, {
    as: withSession(organization.member),
    body: { status },
  });
  expect(code).toBe(200);
  return id;
}

const run = (...words: string[]) =>
  runInProcess(words, { env: { DATABASE_URL: urlOf(connection), DATA_DIR: folder } });

it('exports each label once, with code only when asked, and records that', async () => {
  const confirmed = await judgedDiscussion(acme, 'a1'.repeat(20), 'resolved');
  const reopened = await judgedDiscussion(acme, 'b2'.repeat(20), 'open');
  const overridden = await judgedDiscussion(acme, null, 'resolved');
  await judgedDiscussion(globex, 'c3'.repeat(20), 'resolved');
  const read = (file: string): Record<string, unknown>[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  const [plain, full] = [join(folder, 'plain.jsonl'), join(folder, 'full.jsonl')];
  const { code, stdout } = await run('discussions', 'labels', plain, '--organization', 'Acme');
  expect([code, stdout]).toEqual([0, `${plain}: 3 labels.\n`]);
  expect(read(plain).map(({ how, id, judgedCommit, label }) => [id, label, how, judgedCommit])).toEqual([
    [confirmed, 'addressed', 'confirmed', 'a1'.repeat(20)],
    [reopened, 'not_addressed', 'reopened', 'b2'.repeat(20)],
    [overridden, 'addressed', 'overridden', null],
  ]);
  expect(read(plain)[0]).not.toHaveProperty('commentedCode');
  expect(statSync(plain).mode & 0o777).toBe(0o600);
  await run('discussions', 'labels', full, '--with-code', '--organization', 'Acme');
  expect(read(full)[0]).toMatchObject({ commentedCode: expect.any(String), comments: [expect.any(String)] });
  const again = await run('discussions', 'labels', full, '--organization', 'Acme');
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('already exists')]);
  const audited = await db
    .selectFrom('audit_events')
    .select(['action', 'detail'])
    .where('action', '=', 'discussion_labels.exported')
    .orderBy('created_at')
    .execute();
  expect(audited.map(({ detail }) => detail)).toEqual([{ withCode: false }, { withCode: true }]);
});
