/** The origin is asked for what nobody recorded yet: once for all who ask, rarely, and never so that older refs replace newer ones. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { startMirroredOrigins } from '../../../test/helpers/git/mirrored-origins.ts';
import { startTestMirrors } from '../../../test/helpers/git/mirrors.ts';
import { createOriginAsker } from './ask-origin.ts';

const { acme, caller, db, log, mirrors, never, add, hang, origin, refresh, refsOf, rowOf, serve } =
  await startMirroredOrigins();
const call = { caller, signal: never };

/** A repository that was fetched once, and its server. */
async function fetched() {
  const fixture = await origin();
  const server = await serve(fixture);
  const id = await add(server.repository);
  await refresh(id);
  const main = await fixture.git('rev-parse', 'main');
  const push = (branch: string) => fixture.commit({ [`${branch}.txt`]: 'x\n' }, { branch, from: main });
  const asked = () => server.requests.filter(({ path }) => path.includes('info/refs')).length;
  return { fixture, server, id, push, asked };
}
const letAskAgain = (id: string) =>
  sql`UPDATE repositories SET origin_asked_at = origin_asked_at - interval '1 minute' WHERE id = ${id}`.execute(
    db,
  );

describe('asking the origin', () => {
  it('records a branch that was just pushed, with one fetch for all who ask at the same time', async () => {
    const { asked, id, push } = await fetched();
    const commit = await push('feature');
    const before = asked();
    const answers = await Promise.all(Array.from({ length: 8 }, () => mirrors.code.askOrigin(id, call)));
    // A fetch asks for the refs twice: to list them, and to transfer them.
    expect(asked() - before).toBeLessThanOrEqual(2);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['asked', ...Array(7).fill('recent')]);
    expect(await refsOf(id)).toMatchObject({ 'branch feature': commit });
    expect(await mirrors.code.findCommit(id, commit.slice(0, 12), call)).toEqual({ kind: 'found', commit });
    // A refresh follows, which indexes it.
    expect((await rowOf(id)).refresh_asked_at).not.toBeNull();
  });

  it('asks again only after a few seconds, whichever node is asked', async () => {
    const { asked, id, push } = await fetched();
    const other = startTestMirrors({ db });
    await mirrors.code.askOrigin(id, call);
    const before = asked();
    await push('late');
    for (const node of [mirrors, other]) {
      const answer = await node.code.askOrigin(id, call);
      expect(answer).toEqual({ kind: 'recent', retryAfterMs: expect.any(Number) });
    }
    expect(asked()).toBe(before);
    expect(await refsOf(id)).not.toHaveProperty('branch late');
    await letAskAgain(id);
    expect(await other.code.askOrigin(id, call)).toEqual({ kind: 'asked' });
    expect(await refsOf(id)).toHaveProperty('branch late');
  });

  it('waits for another node that is asking', async () => {
    const { id, push } = await fetched();
    await push('feature');
    await db
      .updateTable('repositories')
      .set({ origin_asked_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .execute();
    let isAnswered = false;
    const answering = mirrors.code.askOrigin(id, call).finally(() => {
      isAnswered = true;
    });
    expect(await Promise.race([answering.then(() => 'answered'), rowOf(id).then(() => 'waiting')])).toBe(
      'waiting',
    );
    expect(isAnswered).toBe(false);
    await sql`UPDATE repositories SET refs_as_of = clock_timestamp() WHERE id = ${id}`.execute(db);
    expect(await answering).toMatchObject({ kind: 'recent' });
  });

  it('never replaces newer refs with older ones, and neither does a refresh', async () => {
    const { id, push } = await fetched();
    await push('feature');
    await sql`UPDATE repositories SET refs_as_of = clock_timestamp() + interval '1 hour' WHERE id = ${id}`.execute(
      db,
    );
    const before = await refsOf(id);
    await mirrors.code.askOrigin(id, call);
    expect(await refsOf(id)).toEqual(before);
    expect(await refresh(id)).toEqual({ kind: 'refreshed' });
    expect(await refsOf(id)).toEqual(before);
    await sql`UPDATE repositories SET refs_as_of = NULL WHERE id = ${id}`.execute(db);
    expect(await refresh(id)).toEqual({ kind: 'refreshed' });
    expect(await refsOf(id)).toHaveProperty('branch feature');
  });

  it('finds a commit by its id that no branch has', async () => {
    const { fixture, id, push } = await fetched();
    const commit = await push('gone');
    await fixture.git('branch', '-D', 'gone');
    expect(await mirrors.code.askOrigin(id, call, commit)).toEqual({ kind: 'asked' });
    expect(await mirrors.code.findCommit(id, commit, call)).toEqual({ kind: 'found', commit });
    expect(await refsOf(id)).not.toHaveProperty('branch gone');
    await letAskAgain(id);
    expect(await mirrors.code.askOrigin(id, call, 'f'.repeat(40))).toEqual({ kind: 'asked' });
    expect(await mirrors.code.findCommit(id, 'f'.repeat(40), call)).toEqual({ kind: 'none' });
  });

  it('says if the origin could not be reached, which keeps what is recorded', async () => {
    const { id, server } = await fetched();
    const before = await refsOf(id);
    await server.close();
    expect(await mirrors.code.askOrigin(id, call)).toEqual({ kind: 'failed' });
    const asked = (await rowOf(id)).origin_asked_at;
    // At once: those few seconds are not waited for.
    expect(await mirrors.code.askOrigin(id, call)).toEqual({ kind: 'failed' });
    expect((await rowOf(id)).origin_asked_at).toEqual(asked);
    expect(await refsOf(id)).toEqual(before);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', failures: 0, problem: null });
  });

  it('answers in time although the origin hangs, and lets callers of other people through', async () => {
    const { id, server } = await fetched();
    const quick = await fetched();
    const closing = new AbortController();
    const asker = createOriginAsker({
      ...{
        db,
        log,
        announce: () => undefined,
        onHere: () => undefined,
        closing: closing.signal,
        patienceMs: 1,
      },
      gitDirOf: (each) => mirrors.folderOf(each).gitDir,
      sync: (each, signal) => mirrors.sync(each, { signal }),
    });
    const hung = hang(server);
    await expect(asker.ask(id, call)).rejects.toMatchObject({
      code: 'repository_not_ready',
      headers: { 'retry-after': '5' },
    });
    await hung;
    const ben = { organizationId: acme.id, userId: 'ben', credentialId: 'another key' };
    expect(await mirrors.code.askOrigin(quick.id, { caller: ben, signal: never })).toEqual({ kind: 'asked' });
    closing.abort(new Error('The service is stopping.'));
  });
});
