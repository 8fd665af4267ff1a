/** Reading code fetches what this node lacks, and nothing of a repository that was replaced. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startMirroredOrigins } from '../../../test/helpers/git/mirrored-origins.ts';
import { startTestMirrors } from '../../../test/helpers/git/mirrors.ts';
import { ProcessFailure } from '../../engines/processes/index.ts';
import { createCodeReader } from './create-code-reader.ts';

const { caller, dataDir, db, mirrors, never, add, holdLock, origin, refresh, serve } =
  await startMirroredOrigins();

describe('reading', () => {
  it('on a node without a mirror creates it, even if the reader stops waiting', async () => {
    const fixture = await origin();
    const id = await add(fixture.folder);
    await refresh(id, startTestMirrors({ db }));
    const lock = await holdLock(id);
    const leaving = new AbortController();
    const reading = mirrors.code.findCommit(id, await fixture.git('rev-parse', 'main'), {
      caller,
      signal: leaving.signal,
    });
    await vi.waitFor(() => expect(existsSync(join(dataDir, 'repositories', id))).toBe(true), {
      timeout: 30_000,
    });
    leaving.abort(new Error('left'));
    await expect(reading).rejects.toThrow('left');
    await lock.kill();
    await vi.waitFor(() => expect(existsSync(mirrors.folderOf(id).gitDir)).toBe(true), { timeout: 30_000 });
  });

  it('finds every commit that another node recorded, and fetches for no others', async () => {
    const fixture = await origin();
    const server = await serve(fixture);
    const id = await add(server.repository);
    await refresh(id);
    const other = startTestMirrors({ db });
    expect(await other.code.findCommit(id, 'fffffffff', { caller, signal: never })).toEqual({ kind: 'none' });
    const before = server.requests.length;
    expect(await other.code.findCommit(id, 'eeeeeeeee', { caller, signal: never })).toEqual({ kind: 'none' });
    expect(server.requests.length).toBe(before);
    const commit = await fixture.commit({ 'new.txt': 'new\n' });
    await refresh(id);
    expect(await other.code.findCommit(id, commit, { caller, signal: never })).toEqual({
      kind: 'found',
      commit,
    });
  });

  it('resolves digits to a commit, even if a branch of the mirror has that name', async () => {
    const fixture = await origin();
    await fixture.git('branch', 'deadbeef');
    const id = await add(fixture.folder);
    await mirrors.sync(id, { signal: never });
    expect(await mirrors.code.findCommit(id, 'deadbeef', { caller, signal: never })).toEqual({
      kind: 'none',
    });
  });

  it('says so if the repository is removed while its code is read', async () => {
    const fixture = await origin();
    const id = await add(fixture.folder);
    await refresh(id);
    const [from, to] = [await fixture.git('rev-parse', 'main'), await fixture.commit({ 'b.txt': 'b\n' })];
    await refresh(id);
    const search = {
      load: mirrors.code.load,
      // As the request ends whose files are deleted: whatever git made of it.
      async request(): Promise<never> {
        await db.deleteFrom('repositories').where('id', '=', id).execute();
        throw new ProcessFailure('timeout', 'It took too long.');
      },
      async *searchEach() {},
    };
    const reader = createCodeReader({ mirrors, search, facts: search, reviews: { request: search.request } });
    await expect(
      reader.compare('mergeBase', id, { from, to }, { caller, signal: never }),
    ).rejects.toMatchObject({ code: 'not_found', message: 'The repository was removed.' });
  });

  it('says why a review failed whose process died each time', async () => {
    const fixture = await origin();
    const id = await add(fixture.folder);
    await refresh(id);
    const reviews = { request: () => Promise.reject(new ProcessFailure('ended', 'It ended: SIGKILL.')) };
    const search = { load: mirrors.code.load, request: reviews.request, async *searchEach() {} };
    const reader = createCodeReader({ mirrors, search, facts: search, reviews });
    const commit = await fixture.git('rev-parse', 'main');
    await expect(
      reader.confirmUses(id, { commit, uses: [] }, { caller, signal: never }),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ended unexpectedly, several times in a row'),
    });
  });

  it('shows nothing of the old repository once the URL has changed', async () => {
    const [first, second] = [await origin({ 'old.txt': 'old\n' }), await origin({ 'new.txt': 'new\n' })];
    const id = await add(first.folder);
    await refresh(id);
    const [old, present] = [await first.git('rev-parse', 'main'), await second.git('rev-parse', 'main')];
    expect(await mirrors.code.findCommit(id, old, { caller, signal: never })).toEqual({
      kind: 'found',
      commit: old,
    });
    await db.updateTable('repositories').set({ url: second.folder }).where('id', '=', id).execute();
    // A starting node finds a mirror of the old one, without any notification.
    const started = startTestMirrors({ db, settings: { dataDir } });
    expect(
      await started.code.changedFiles(
        id,
        { from: old, to: old, paths: ['old.txt'] },
        { caller, signal: never },
      ),
    ).toBeNull();
    mirrors.noticeChange(id);
    expect(await mirrors.code.findCommit(id, old, { caller, signal: never })).toEqual({ kind: 'none' });
    expect(await started.code.findCommit(id, present, { caller, signal: never })).toEqual({
      kind: 'found',
      commit: present,
    });
  });
});
