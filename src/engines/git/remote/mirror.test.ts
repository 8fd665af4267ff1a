import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FixtureRepository,
  makeRepository,
  oddFiles,
  runFixtureGit,
} from '../../../../test/helpers/git/git-fixtures.ts';
import { type MirrorPlace, makeMirrorPlace } from '../../../../test/helpers/git/mirror-location.ts';
import { type GitServer, startGitServer } from '../../../../test/helpers/servers/git-server.ts';
import { chooseDefaultBranch } from '../run/default-branch.ts';
import type { MirrorProgress } from '../run/progress.ts';
import { listRefs } from '../run/refs.ts';
import { startGit } from '../run/run-git.ts';
import { cloneMirror, fetchMirror, maintainMirror } from './mirror.ts';

let place: MirrorPlace;
let origin: FixtureRepository;
let server: GitServer | undefined;
beforeEach(async () => {
  place = await makeMirrorPlace();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await origin.remove();
  await place.remove();
});

async function serve(): Promise<string> {
  server = await startGitServer({ folder: origin.parent });
  return `${server.url}/${origin.name}`;
}

async function addressBy(way: 'path' | 'http'): Promise<string> {
  return way === 'path' ? origin.folder : await serve();
}

async function expectSame(): Promise<void> {
  const sorted = (output: string) => output.split('\n').sort();
  const format = '--format=%(objectname) %(refname)';
  const mirrored = (await runFixtureGit(place.gitDir, ['for-each-ref', format])).toString().trimEnd();
  expect(sorted(mirrored)).toEqual(
    sorted(await origin.git('for-each-ref', format, 'refs/heads', 'refs/tags')),
  );
  await runFixtureGit(place.gitDir, ['fsck', '--full', '--strict']);
}

describe.each(['path', 'http'] as const)('a mirror by %s', (way) => {
  it.each(['sha1', 'sha256'] as const)(
    'has every branch, tag and object of a %s origin',
    async (objectFormat) => {
      origin = await makeRepository(oddFiles(objectFormat), { objectFormat });
      await origin.commit({ b: 'b' }, { branch: 'other' });
      await origin.git('tag', '-a', '-m', 'annotated', 'v1');
      await origin.git('update-ref', 'refs/pull/1/head', 'HEAD');
      await cloneMirror(await place.options(await addressBy(way)));
      await expectSame();
      expect(await listRefs(place.gitDir)).toMatchObject({ objectFormat, defaultBranch: 'main' });
      expect(readdirSync(place.folder)).toEqual(['mirror.git']);
      expect(await readFile(join(place.gitDir, 'config'), 'utf8')).not.toMatch(/remote|url/);
    },
  );

  it('follows new, moved and deleted branches and tags, and force-pushes', async () => {
    origin = await makeRepository({ a: '1' });
    await origin.commit({ b: 'b' }, { branch: 'gone' });
    await origin.commit({ c: 'c' }, { branch: 'folder' });
    await origin.git('tag', 'moved');
    const address = await addressBy(way);
    await cloneMirror(await place.options(address));
    const replaced = await origin.git('rev-parse', 'main');
    await origin.commit({ a: 'forced' }, { from: null });
    await origin.git('branch', '-D', 'gone', 'folder');
    // A branch that was a file becomes a folder.
    await origin.commit({ d: 'd' }, { branch: 'folder/inside' });
    await origin.git('tag', '-f', 'moved', 'folder/inside');
    await fetchMirror(await place.options(address));
    await expectSame();
    const kept = await runFixtureGit(place.gitDir, ['cat-file', '-t', replaced]);
    expect(kept.toString().trim(), 'a commit removed by a force-push can still be read').toBe('commit');
  });

  it('follows a renamed default branch', async () => {
    origin = await makeRepository({ a: '1' }, { branch: 'master' });
    const address = await addressBy(way);
    await cloneMirror(await place.options(address));
    await origin.git('branch', 'größe', 'master');
    await origin.git('symbolic-ref', 'HEAD', 'refs/heads/größe');
    await fetchMirror(await place.options(address));
    expect(await listRefs(place.gitDir)).toMatchObject({ defaultBranch: 'größe' });
    await origin.git('branch', '-D', 'master');
    await fetchMirror(await place.options(address));
    expect((await listRefs(place.gitDir)).refs.map(({ name }) => name)).toEqual(['größe']);
  });

  it.each(['sha1', 'sha256'] as const)(
    'of an empty %s origin receives the first commit',
    async (objectFormat) => {
      origin = await makeRepository({}, { objectFormat, branch: 'trunk' });
      const address = await addressBy(way);
      await cloneMirror(await place.options(address));
      expect(await listRefs(place.gitDir)).toMatchObject({ refs: [], defaultBranch: null });
      await fetchMirror(await place.options(address));
      await origin.commit({ a: 'first' });
      await fetchMirror(await place.options(address));
      await expectSame();
      expect(await listRefs(place.gitDir)).toMatchObject({ objectFormat, defaultBranch: 'trunk' });
    },
  );

  it('has a default branch when the HEAD of the origin is unborn or detached', async () => {
    origin = await makeRepository({ a: '1' }, { branch: 'trunk' });
    await origin.git('symbolic-ref', 'HEAD', 'refs/heads/nowhere');
    const address = await addressBy(way);
    await cloneMirror(await place.options(address));
    expect(await listRefs(place.gitDir)).toMatchObject({ defaultBranch: 'trunk' });
    await origin.commit({ a: '2' }, { branch: 'next' });
    await writeFile(join(origin.folder, 'HEAD'), `${await origin.git('rev-parse', 'next')}\n`);
    await fetchMirror(await place.options(address));
    expect(await listRefs(place.gitDir)).toMatchObject({ defaultBranch: 'next' });
  });

  it('is updated by a clone when it already exists', async () => {
    origin = await makeRepository({ a: '1' });
    const address = await addressBy(way);
    await cloneMirror(await place.options(address));
    await origin.commit({ a: '2' });
    await cloneMirror(await place.options(address));
    await expectSame();
  });
});

describe('leftovers of a killed git', () => {
  it('are removed before the next job: unfinished clones, connections, locks and half-written packs', async () => {
    origin = await makeRepository({ a: '1' });
    await mkdir(join(place.folder, 'mirror.git.unfinished-abc/objects'), { recursive: true });
    await mkdir(join(place.folder, 'connection-abc'));
    await writeFile(join(place.folder, 'connection-abc/password'), 'https://me:secret@host');
    await cloneMirror(await place.options(origin.folder));
    expect(readdirSync(place.folder)).toEqual(['mirror.git']);
    const stale = ['packed-refs.lock', 'HEAD.lock', 'refs/heads/main.lock', 'objects/pack/tmp_pack_abc'];
    for (const name of stale) await writeFile(join(place.gitDir, name), '');
    await origin.commit({ a: '2' });
    await fetchMirror(await place.options(origin.folder));
    await expectSame();
    expect(stale.filter((name) => existsSync(join(place.gitDir, name)))).toEqual([]);
  });

  it('are no mirror when a clone is interrupted, and a complete one the next time', async () => {
    origin = await makeRepository({ a: '1' });
    const address = await serve();
    const controller = new AbortController();
    server!.intercept((request, response) => {
      if (request.method !== 'POST') return false;
      response.on('close', () => {});
      controller.abort();
      return true;
    });
    const options = { ...(await place.options(address)), signal: controller.signal };
    await expect(cloneMirror(options)).rejects.toMatchObject({ reason: 'aborted' });
    expect(existsSync(place.gitDir)).toBe(false);
    server!.intercept(null);
    await cloneMirror(await place.options(address));
    await expectSame();
  });

  it('are the unchanged mirror when a fetch is interrupted', async () => {
    origin = await makeRepository({ a: '1' });
    const address = await serve();
    await cloneMirror(await place.options(address));
    const before = await listRefs(place.gitDir);
    await origin.commit({ a: '2' });
    const controller = new AbortController();
    server!.intercept((request) => {
      if (request.method === 'POST') controller.abort();
      return false;
    });
    const options = { ...(await place.options(address)), signal: controller.signal };
    await expect(fetchMirror(options)).rejects.toMatchObject({ reason: 'aborted' });
    expect(await listRefs(place.gitDir)).toEqual(before);
    server!.intercept(null);
    await fetchMirror(await place.options(address));
    await expectSame();
  });
});

describe('a local origin', () => {
  it('is cloned with hard links', async () => {
    origin = await makeRepository({ 'large.bin': Buffer.alloc(1_000_000, 'abc') });
    await origin.git('repack', '-a', '-d', '-q');
    await cloneMirror(await place.options(`file://${origin.folder}`));
    const packs = join(place.gitDir, 'objects/pack');
    const [pack] = (await readdir(packs)).filter((name) => name.endsWith('.pack'));
    expect(statSync(join(packs, pack!)).nlink).toBe(2);
  });

  it('can lack objects, in the first clone and in later commits', async () => {
    origin = await makeRepository({ kept: 'kept', lost: 'lost' });
    await loseFile('lost');
    await cloneMirror(await place.options(origin.folder));
    const from = await origin.git('rev-parse', 'main');
    const next = await origin.commit({ another: 'also lost' }, { branch: 'next', from });
    await loseFile('another', 'next');
    await fetchMirror(await place.options(origin.folder));
    const { refs } = await listRefs(place.gitDir);
    expect(refs.find(({ name }) => name === 'next')).toMatchObject({ commit: next });
    const kept = await runFixtureGit(place.gitDir, ['cat-file', 'blob', `${next}:kept`]);
    expect(kept.toString()).toBe('kept');
    await origin.git('branch', '-D', 'next');
    await fetchMirror(await place.options(origin.folder));
    expect((await listRefs(place.gitDir)).refs.map(({ name }) => name)).toEqual(['main']);
  });

  /** Unpacks the origin into loose objects, and removes the one of a path. */
  async function loseFile(path: string, branch = 'main'): Promise<void> {
    const id = await origin.git('rev-parse', `${branch}:${path}`);
    const packs = join(origin.folder, 'objects/pack');
    for (const name of (await readdir(packs)).filter((entry) => entry.endsWith('.pack'))) {
      const aside = join(origin.parent, name);
      await rename(join(packs, name), aside);
      await rm(join(packs, name.replace(/pack$/, 'idx')), { force: true });
      await runFixtureGit(origin.folder, ['unpack-objects', '-q'], await readFile(aside));
    }
    await rm(join(origin.folder, 'objects', id.slice(0, 2), id.slice(2)));
  }
});

describe('progress', () => {
  it('is reported from connecting to resolving, with objects and bytes', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`${index}.txt`, `${'line\n'.repeat(2000)}${index}\n`]),
    );
    origin = await makeRepository(files);
    await origin.commit({
      'last.bin': Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251)),
    });
    await origin.git('repack', '-a', '-d', '-q', '-f');
    const reported: MirrorProgress[] = [];
    const options = await place.options(await serve());
    await cloneMirror({ ...options, onProgress: (progress) => reported.push(progress) });
    expect([...new Set(reported.map(({ phase }) => phase))]).toEqual(
      expect.arrayContaining(['connecting', 'counting', 'receiving', 'resolving']),
    );
    const last = reported.findLast(({ phase }) => phase === 'receiving')!;
    expect(last).toMatchObject({ percent: 100, bytes: expect.any(Number) });
    expect(last.objects).toBe(last.totalObjects);
  });
});

describe('maintainMirror', () => {
  it('combines many packs during a read', async () => {
    origin = await makeRepository();
    await origin.git('config', 'fastimport.unpackLimit', '1');
    for (let count = 0; count <= 51; count++) await origin.commit({ a: `${count}` });
    const ids = (
      await origin.git('rev-parse', ...Array.from({ length: 52 }, (_, back) => `main~${back}:a`))
    ).split('\n');
    await cloneMirror(await place.options(origin.folder));
    const reader = startGit(['cat-file', '--batch-check'], { gitDir: place.gitDir });
    const answer = async (id: string) => {
      const arrived = new Promise<Buffer>((done) => reader.stdout.once('data', done));
      reader.stdin.write(`${id}\n`);
      return (await arrived).toString();
    };
    expect(await answer(ids[0]!)).toMatch(/ blob 2\n$/);
    const packs = () =>
      readdirSync(join(place.gitDir, 'objects/pack')).filter((name) => name.endsWith('.pack'));
    expect(packs().length).toBeGreaterThan(50);
    await maintainMirror(place.gitDir);
    expect(packs().length).toBeLessThan(10);
    expect(readdirSync(join(place.gitDir, 'objects/info/commit-graphs'))).toContain('commit-graph-chain');
    for (const id of ids) expect(await answer(id)).toMatch(/ blob \d\n$/);
    const ended = new Promise((done) => reader.once('close', done));
    reader.stdin.end();
    await ended;
    await expectSame();
  });
});

describe('two jobs on one mirror', () => {
  it('run one after the other', async () => {
    origin = await makeRepository({ a: '1' });
    const address = await serve();
    const running = new Set<string>();
    let most = 0;
    server!.intercept((request, response) => {
      const id = `${request.socket.remotePort}`;
      running.add(id);
      most = Math.max(most, running.size);
      response.on('close', () => running.delete(id));
      return false;
    });
    await Promise.all([1, 2, 3].map(async () => cloneMirror(await place.options(address))));
    expect(most).toBe(1);
    await expectSame();
  });
});

describe('of a clone that someone works in', () => {
  const defaultBranch = async () => (await listRefs(place.gitDir)).defaultBranch;

  it('keeps the default branch whatever is checked out', async () => {
    origin = await makeRepository({ a: '1' }, { branch: 'trunk' });
    const clone = join(dirname(place.gitDir), 'clone');
    await runFixtureGit(origin.folder, ['clone', '--quiet', origin.folder, clone]);
    const git = (...args: string[]) => runFixtureGit(join(clone, '.git'), args);
    await git('branch', 'main');
    await git('symbolic-ref', 'HEAD', 'refs/heads/main');
    const options = await place.options(clone);
    await cloneMirror(options);
    expect(await defaultBranch(), 'the one of its own origin').toBe('trunk');
    await git('symbolic-ref', '--delete', 'refs/remotes/origin/HEAD');
    await git('branch', 'next');
    await git('symbolic-ref', 'HEAD', 'refs/heads/next');
    await fetchMirror(await place.options(clone));
    expect(await defaultBranch(), 'the one it had').toBe('trunk');
    await rm(place.gitDir, { recursive: true });
    await cloneMirror(await place.options(clone));
    expect(await defaultBranch(), 'the one with a usual name').toBe('main');
    await git('branch', '-D', 'main', 'trunk');
    await fetchMirror(await place.options(clone));
    expect(await defaultBranch(), 'the one that is checked out').toBe('next');
  });
});

describe('chooseDefaultBranch', () => {
  const branches = ['a', 'main', 'master', 'z'].map((name) => ({ ref: `refs/heads/${name}`, commit: name }));
  const choose = (ref: string | null, commit: string | null, present: string | null) =>
    chooseDefaultBranch(branches, { remote: { ref, commit }, present });

  it('is the origin’s, else a branch at its commit, else the current one, else main, master or the first', () => {
    expect(choose('refs/heads/z', 'a', null)).toBe('refs/heads/z');
    expect(choose(null, 'z', 'refs/heads/a')).toBe('refs/heads/z');
    expect(choose('refs/heads/none', null, 'refs/heads/a')).toBe('refs/heads/a');
    expect(choose(null, null, null)).toBe('refs/heads/main');
    expect(
      chooseDefaultBranch(branches.slice(2), { remote: { ref: null, commit: null }, present: null }),
    ).toBe('refs/heads/master');
    expect(
      chooseDefaultBranch([], { remote: { ref: null, commit: null }, present: 'refs/heads/a' }),
    ).toBeNull();
  });
});
