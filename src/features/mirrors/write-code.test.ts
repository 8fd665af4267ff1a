/** Making commits and pushing them with real git: each kind of commit, and everything that can come of a push. */
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../test/helpers/database/database.ts';
import { makeRepository } from '../../../test/helpers/git/git-fixtures.ts';
import { startTestMirrors } from '../../../test/helpers/git/mirrors.ts';
import { makeOrganization } from '../../../test/helpers/service/factories.ts';
import { testSecrets } from '../../../test/helpers/service/secrets.ts';
import type { CodeChange } from '../../platform/core/ports/code-writer.ts';
import { openDatabase } from '../../platform/db/index.ts';
import { createRepository } from '../repositories/index.ts';

const database = await openDatabase(await createTestDatabase(), {
  poolSize: 5,
  onConnectionLost: () => undefined,
});
const acme = await makeOrganization(database.db, 'Acme', new Date());
const node = startTestMirrors({ db: database.db });
const call = {
  caller: { organizationId: acme.id, userId: acme.id, credentialId: 'a session' },
  signal: AbortSignal.timeout(120_000),
};
const origin = await makeRepository({
  'a.txt': 'one\ntwo\nthree\n',
  'run.sh': { executable: '#!/bin/sh\n' },
  '.gitattributes': '* merge=ours filter=hostile\n',
});
afterAll(async () => {
  await origin.remove();
  await database.close();
});
const root = await origin.git('rev-parse', 'main');
const ada = { name: 'Ada <script> Lovelace\n', email: 'ada@example.com' };
const bob = { name: 'Bob', email: 'bob@example.com' };
const first = await origin.commit(
  { 'b.txt': 'b\n' },
  { branch: 'topic', from: root, message: 'First é', author: bob },
);
const head = await origin.commit({ 'a.txt': 'ONE\ntwo\nthree\n' }, { branch: 'topic', message: 'Second' });
const base = await origin.commit({ 'c.txt': 'c\n' });
const conflicting = await origin.commit({ 'a.txt': 'uno\ntwo\nthree\n' }, { branch: 'other', from: root });
const repositoryId = await createRepository(
  database.db,
  testSecrets,
  {
    name: 'acme/code',
    url: origin.folder,
    credential: null,
    visibility: 'organization',
    memberIds: [],
    addedByOperator: true,
  },
  {
    organizationId: acme.id,
    kind: 'operator',
    userId: null,
    address: null,
    requestId: null,
    at: new Date(),
  },
);
await node.refresh(repositoryId, { onlyWhenDue: false, signal: call.signal });

const at = new Date('2026-03-01T12:00:00Z');
const write = (
  change: CodeChange,
  to: { branch?: string; expected?: string | null; onMade?(): Promise<boolean> } = {},
) =>
  node.code.writeBranch(
    repositoryId,
    { branch: 'made', expected: null, ...to, change, author: ada, committer: bob, at },
    call,
  );
/** Pushed to a branch of its own, which is gone afterwards. */
async function made(change: CodeChange): Promise<{ commit: string; text(): Promise<string> }> {
  const outcome = await write(change);
  if (outcome.kind !== 'pushed') throw new Error(`It was not pushed: ${JSON.stringify(outcome)}`);
  const { commit, tree } = outcome.made;
  expect(await origin.git('rev-parse', 'made', 'made^{tree}')).toBe(`${commit}\n${tree}`);
  const text = () => origin.git('log', '-1', '--format=%P|%an|%ae|%cn|%ct|%B', commit);
  const moved = await node.code.moveBranch(
    repositoryId,
    { branch: 'made', expected: commit, to: null },
    call,
  );
  expect(moved).toEqual({ kind: 'pushed' });
  await origin.git('update-ref', `refs/heads/kept-${commit}`, commit);
  return { commit, text };
}
const filesOf = async (commit: string) =>
  (await origin.git('ls-tree', '-r', commit)).split('\n').map((line) => line.replace(/ blob \w{40}\t/, ' '));

describe('making commits', () => {
  it('merges and squashes with the names of people, whatever they contain, and the same again', async () => {
    const message = 'Merge it\r\n\r\nAll of it  \n\n';
    const merge = await made({ kind: 'merge', base, head, message });
    expect(await merge.text()).toBe(
      `${base} ${head}|Ada script Lovelace|ada@example.com|Bob|${at.getTime() / 1000}|Merge it\n\nAll of it`,
    );
    expect((await made({ kind: 'merge', base, head, message })).commit).toBe(merge.commit);
    const squash = await made({ kind: 'squash', base, head, message: 'Squash' });
    expect(await squash.text()).toMatch(new RegExp(`^${base}\\|.*\\|Squash$`));
    expect(await filesOf(squash.commit)).toEqual(await filesOf(merge.commit));
    expect(await origin.git('show', `${squash.commit}:a.txt`)).toBe('ONE\ntwo\nthree');
  });

  it('rebases each commit with its own author and message, and keeps those that are in place', async () => {
    const { commit, text } = await made({ kind: 'rebase', base, head });
    expect(await text()).toMatch(/\|Fixture\|fixture@example.com\|Bob\|\d+\|Second$/);
    expect(await origin.git('log', '--format=%an %s', `${base}..${commit}`)).toBe(
      'Fixture Second\nBob First é',
    );
    expect((await made({ kind: 'rebase', base: root, head })).commit).toBe(head);
    const picked = await made({ kind: 'rebase', base: first, head: base });
    // One of two is there already.
    expect(
      await origin.git(
        'log',
        '--format=%s',
        `${picked.commit}..${(await made({ kind: 'rebase', base: picked.commit, head })).commit}`,
      ),
    ).toBe('Second');
    const merge = await origin.commit({ 'd.txt': 'd\n' }, { branch: 'with-merge', from: head });
    const both = await origin.git('commit-tree', '-p', merge, '-p', base, '-m', 'both', `${merge}^{tree}`);
    await origin.git('update-ref', 'refs/heads/with-merge', both);
    expect(await write({ kind: 'rebase', base, head: both })).toEqual({ kind: 'has_merges' });
  });

  it('changes, adds and deletes files, and reverts', async () => {
    const edited = await made({
      kind: 'files',
      on: head,
      message: 'Apply\n\nCo-authored-by: Bob <bob@example.com>',
      files: [
        { path: 'run.sh', content: '#!/bin/sh\necho\n' },
        { path: 'a folder/größe.txt', content: Buffer.from('new\n') },
        { path: 'b.txt', content: null },
      ],
    });
    expect(await filesOf(edited.commit)).toEqual([
      '100644 .gitattributes',
      String.raw`100644 "a folder/gr\303\266\303\237e.txt"`,
      '100644 a.txt',
      '100755 run.sh',
    ]);
    const merge = await made({ kind: 'merge', base, head, message: 'Merge' });
    const later = await made({
      kind: 'files',
      on: merge.commit,
      files: [{ path: 'z', content: 'z\n' }],
      message: 'z',
    });
    const undone = await made({
      kind: 'revert',
      on: later.commit,
      before: base,
      after: merge.commit,
      message: 'Revert',
    });
    expect(await origin.git('diff', '--name-only', base, undone.commit)).toBe('z');
    const nothing = { kind: 'files', on: head, files: [{ path: 'b.txt', content: 'b\n' }], message: 'same' };
    expect(await write(nothing as CodeChange)).toEqual({ kind: 'unchanged' });
    expect(
      (await write({ kind: 'files', on: head, files: [{ path: '.git/config', content: 'x' }], message: 'x' }))
        .kind,
    ).toBe('failed');
  });

  it('names what conflicts, and leaves nothing behind', async () => {
    for (const kind of ['merge', 'squash', 'rebase'] as const) {
      const outcome = await write({ kind, base: conflicting, head, message: 'x' } as CodeChange);
      expect(outcome).toEqual({ kind: 'conflicts', paths: ['a.txt'] });
    }
    expect(await write({ kind: 'merge', base: head, head: first, message: 'x' })).toEqual({
      kind: 'unchanged',
    });
    const own = new RegExp(`^countersign-write-${process.pid}-`);
    expect((await readdir(tmpdir())).filter((name) => own.test(name))).toEqual([]);
  });
});

describe('pushing', () => {
  const change: CodeChange = { kind: 'merge', base, head, message: 'Merge' };

  it('moves a branch from the expected commit, or not at all', async () => {
    await origin.git('update-ref', 'refs/heads/target', base);
    const declined = await write(change, { branch: 'target', expected: base, onMade: async () => false });
    expect(declined).toEqual({ kind: 'declined' });
    // Somebody pushes between making the commit and pushing it.
    const lost = await write(change, {
      branch: 'target',
      expected: base,
      onMade: async () => {
        await origin.git('update-ref', 'refs/heads/target', head);
        return true;
      },
    });
    expect(lost).toMatchObject({ kind: 'lease_lost', made: { kind: 'made' } });
    expect(await node.code.askBranch(repositoryId, 'target', call)).toBe(head);
    expect(await node.code.askBranch(repositoryId, 'arget', call)).toBe(null);
    await origin.git('update-ref', 'refs/heads/target', base);
    const results = await Promise.all([
      write(change, { branch: 'target', expected: base }),
      write({ ...change, message: 'Another' }, { branch: 'target', expected: base }),
    ]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(['lease_lost', 'pushed']);
  });

  it("passes on a server's refusal without what could mislead, and says that nothing was reached", async () => {
    const hook = join(origin.folder, 'hooks', 'pre-receive');
    const lines = ['Only on \\033[31mTuesdays.', '! [rejected] x -> y (stale info)'];
    await writeFile(hook, `#!/bin/sh\nprintf '${lines.join('\\n')}\\n'\nexit 1\n`);
    await chmod(hook, 0o755);
    expect(await write(change)).toMatchObject({
      kind: 'rejected',
      message: 'Only on [31mTuesdays.\n! [rejected] x -> y (stale info)',
    });
    await writeFile(hook, '#!/bin/sh\nkill -9 $PPID\n');
    expect((await write(change)).kind).toBe('unknown');
    await writeFile(hook, '#!/bin/sh\nexit 0\n');
    await database.db
      .updateTable('repositories')
      .set({ url: `${origin.folder}-gone` })
      .execute();
    const removed = { branch: 'x', expected: base, to: null };
    expect(await node.code.moveBranch(repositoryId, removed, call)).toMatchObject({ kind: 'unreachable' });
  });
});
