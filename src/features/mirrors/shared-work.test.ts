/** Work that several ask for at once. */
import { describe, expect, it } from 'vitest';
import { createSharedWork } from './shared-work.ts';

const never = new AbortController().signal;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs that end when the test says so. */
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
  it('runs once for all who ask before it begins, and once more for those who come later', async () => {
    const { runs, shared } = controlled();
    const early = [shared.ask('a', { signal: never }), shared.ask('a', { signal: never })];
    await turn();
    const late = [shared.ask('a', { signal: never }), shared.ask('a', { signal: never })];
    await turn();
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    await Promise.all(early);
    await turn();
    expect(runs).toHaveLength(2);
    runs[1]!.end();
    await Promise.all(late);
  });

  it('on different things goes on side by side', async () => {
    const { runs, shared } = controlled();
    const both = [shared.ask('a', { signal: never }), shared.ask('b', { signal: never })];
    await turn();
    expect(runs.map(({ key }) => key)).toEqual(['a', 'b']);
    for (const run of runs) run.end();
    await Promise.all(both);
  });

  it('tells its progress to all who wait for it', async () => {
    const { runs, shared } = controlled();
    const told: number[][] = [[], []];
    const asked = told.map((seen) =>
      shared.ask('a', { onProgress: (step) => void seen.push(step), signal: never }),
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

  it('fails for all who wait for it, and the next run is a new one', async () => {
    const { runs, shared } = controlled();
    const asked = [shared.ask('a', { signal: never }), shared.ask('a', { signal: never })];
    await turn();
    runs[0]!.end(new Error('no luck'));
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = shared.ask('a', { signal: never });
    await turn();
    runs[1]!.end();
    await again;
  });

  it('is broken off when the last one leaves, and not before', async () => {
    const { runs, shared } = controlled();
    const [one, two] = [new AbortController(), new AbortController()];
    const asked = [shared.ask('a', { signal: one.signal }), shared.ask('a', { signal: two.signal })];
    await turn();
    one.abort(new Error('one'));
    await expect(asked[0]).rejects.toThrow('one');
    expect(runs[0]!.signal.aborted).toBe(false);
    two.abort(new Error('two'));
    await expect(asked[1]).rejects.toThrow('two');
    expect(runs[0]!.signal.aborted).toBe(true);
  });

  it('goes on without anybody when one who left wanted that, until it is stopped', async () => {
    const { runs, shared } = controlled();
    const [reader, job] = [new AbortController(), new AbortController()];
    const asked = [
      shared.ask('a', { signal: reader.signal, goesOn: true }),
      shared.ask('a', { signal: job.signal }),
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

  it('can be joined while it is under way, which begins nothing', async () => {
    const { runs, shared } = controlled();
    await shared.join('a', never);
    expect(runs).toHaveLength(0);
    const asked = shared.ask('a', { signal: never });
    await turn();
    let joined = false;
    const joining = shared.join('a', never).then(() => {
      joined = true;
    });
    await turn();
    expect(joined).toBe(false);
    runs[0]!.end();
    await Promise.all([asked, joining]);
    await turn();
    expect(runs).toHaveLength(1);
  });

  it('that is broken off does not spoil a run that somebody else asks for', async () => {
    const { runs, shared } = controlled();
    const leaving = new AbortController();
    const first = shared.ask('a', { signal: leaving.signal });
    await turn();
    leaving.abort(new Error('left'));
    const second = shared.ask('a', { signal: never });
    await expect(first).rejects.toThrow('left');
    await turn();
    runs[1]!.end();
    await second;
  });

  it('is ended by a stop, with its reason for all who wait', async () => {
    const { runs, shared } = controlled();
    const asked = shared.ask('a', { signal: never });
    await turn();
    const later = shared.ask('a', { signal: never });
    await shared.stop('a', new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    await expect(later).rejects.toThrow('gone');
    expect(runs).toHaveLength(1);
  });
});
