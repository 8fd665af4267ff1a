/** Work shared by concurrent callers. */
import { describe, expect, it } from 'vitest';
import { createSharedWork } from './shared-work.ts';

const never = new AbortController().signal;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs that the test ends. */
function controlled() {
  const runs: { key: string; tell(progress: number): void; signal: AbortSignal; end(error?: Error): void }[] =
    [];
  const shared = createSharedWork<number>((key, tell, signal) => {
    const { promise, reject, resolve } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => reject(new Error('killed')));
    runs.push({ key, tell, signal, end: (error) => (error ? reject(error) : resolve()) });
    return promise;
  });
  return { runs, shared };
}

describe('shared work', () => {
  it('runs once for all callers before its start, and once more for later ones', async () => {
    const { runs, shared } = controlled();
    const early = [shared.run('a', { signal: never }), shared.run('a', { signal: never })];
    await turn();
    const late = [shared.run('a', { signal: never }), shared.run('a', { signal: never })];
    await turn();
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    await Promise.all(early);
    await turn();
    expect(runs).toHaveLength(2);
    runs[1]!.end();
    await Promise.all(late);
  });

  it('with different keys runs concurrently', async () => {
    const { runs, shared } = controlled();
    const both = [shared.run('a', { signal: never }), shared.run('b', { signal: never })];
    await turn();
    expect(runs.map(({ key }) => key)).toEqual(['a', 'b']);
    for (const run of runs) run.end();
    await Promise.all(both);
  });

  it('reports progress to all callers', async () => {
    const { runs, shared } = controlled();
    const told: number[][] = [[], []];
    const asked = told.map((seen) =>
      shared.run('a', { onProgress: (step) => void seen.push(step), signal: never }),
    );
    await turn();
    runs[0]!.tell(1);
    runs[0]!.tell(2);
    runs[0]!.end();
    await Promise.all(asked);
    expect(told).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('fails for all callers, and the next call starts a new run', async () => {
    const { runs, shared } = controlled();
    const asked = [shared.run('a', { signal: never }), shared.run('a', { signal: never })];
    await turn();
    runs[0]!.end(new Error('no luck'));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = shared.run('a', { signal: never });
    await turn();
    runs[1]!.end();
    await again;
  });

  it('is cancelled when the last caller leaves, and not before', async () => {
    const { runs, shared } = controlled();
    const [one, two] = [new AbortController(), new AbortController()];
    const asked = [shared.run('a', { signal: one.signal }), shared.run('a', { signal: two.signal })];
    await turn();
    one.abort(new Error('one'));
    await expect(asked[0]).rejects.toThrow('one');
    expect(runs[0]!.signal.aborted).toBe(false);
    two.abort(new Error('two'));
    await expect(asked[1]).rejects.toThrow('two');
    expect(runs[0]!.signal.aborted).toBe(true);
  });

  it('continues without callers when one asked for that, until it is stopped', async () => {
    const { runs, shared } = controlled();
    const [reader, job] = [new AbortController(), new AbortController()];
    const asked = [
      shared.run('a', { signal: reader.signal, continueAlone: true }),
      shared.run('a', { signal: job.signal }),
    ];
    await turn();
    reader.abort(new Error('reader'));
    job.abort(new Error('job'));
    await expect(asked[0]).rejects.toThrow('reader');
    await expect(asked[1]).rejects.toThrow('job');
    expect(runs[0]!.signal.aborted).toBe(false);
    await shared.stop('a', new Error('gone'));
    expect(runs[0]!.signal.aborted).toBe(true);
  });

  it('that is cancelled does not affect the run of a later caller', async () => {
    const { runs, shared } = controlled();
    const leaving = new AbortController();
    const first = shared.run('a', { signal: leaving.signal });
    await turn();
    leaving.abort(new Error('left'));
    const second = shared.run('a', { signal: never });
    await expect(first).rejects.toThrow('left');
    await turn();
    runs[1]!.end();
    await second;
  });

  it('is ended by a stop, which rejects all callers with its reason', async () => {
    const { runs, shared } = controlled();
    const asked = shared.run('a', { signal: never });
    await turn();
    const later = shared.run('a', { signal: never });
    await shared.stop('a', new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    await expect(later).rejects.toThrow('gone');
    expect(runs).toHaveLength(1);
  });
});
