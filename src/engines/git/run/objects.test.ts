/** Objects are read whole, in order and within limits, however git splits its output. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { makeRepository, runFixtureGit } from '../../../../test/helpers/git/git-fixtures.ts';
import { type BatchAnswer, createBatchParser } from './batch-parser.ts';
import { openObjects, readObjects } from './objects.ts';

const MEBIBYTE = 1024 * 1024;

describe('the parser of git’s output', () => {
  const answers = fc.array(
    fc.oneof(
      { arbitrary: fc.constantFrom('missing' as const, 'ambiguous' as const), weight: 1 },
      {
        arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
        weight: 4,
      },
      { arbitrary: fc.constantFrom(Buffer.from('\n'), Buffer.from('x missing\n')), weight: 1 },
    ),
    { maxLength: 8 },
  );

  it('gives the same results for any chunking', async () => {
    await fc.assert(
      fc.asyncProperty(
        answers,
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        fc.nat(40),
        async (wanted, cuts, most) => {
          const got: BatchAnswer[] = [];
          const parse = createBatchParser(
            () => most,
            (answer) => {
              const isWhole = typeof answer === 'object' && answer.content;
              got.push(isWhole ? { ...answer, content: Buffer.from(answer.content!) } : answer);
              return got.length % 2 ? Promise.resolve() : undefined;
            },
          );
          const stream = Buffer.concat(wanted.map(written));
          for (let at = 0, turn = 0; at < stream.length; turn += 1) {
            const end = at + cuts[turn % cuts.length]!;
            await parse(stream.subarray(at, end));
            at = end;
          }
          expect(got).toEqual(
            wanted.map((each) =>
              typeof each === 'string'
                ? each
                : { id: ID, type: 'blob', size: each.length, content: each.length <= most ? each : null },
            ),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});

const ID = 'a'.repeat(40);

function written(answer: Buffer | string): Buffer {
  if (typeof answer === 'string') return Buffer.from(`${ID} ${answer}\n`);
  return Buffer.concat([Buffer.from(`${ID} blob ${answer.length}\n`), answer, Buffer.from('\n')]);
}

describe('reading objects', async () => {
  const repository = await makeRepository({
    'small.txt': 'small\n',
    'empty.txt': '',
    'large.txt': Buffer.alloc(40 * MEBIBYTE, 'large text '),
  });
  afterAll(() => repository.remove());
  const ids = new Map<string, string>();
  for (const line of (await repository.git('ls-tree', '-r', 'main')).split('\n')) {
    ids.set(line.split('\t')[1]!, line.split(/[ \t]/)[2]!);
  }
  const idOf = (name: string) => ids.get(name)!;

  // Chunks that were not collected yet count too, so it may need another try.
  it('reports the size of an object that is too large, without holding it in memory', {
    retry: 2,
  }, async () => {
    const seen: [number, boolean][] = [];
    const before = process.memoryUsage();
    let most = 0;
    await readObjects(
      repository.folder,
      [idOf('large.txt'), idOf('small.txt')],
      { maxBytes: 16 * MEBIBYTE },
      (answer) => {
        if (typeof answer === 'object') seen.push([answer.size, answer.content === null]);
        most = Math.max(most, process.memoryUsage().arrayBuffers);
      },
    );
    expect(seen).toEqual([
      [40 * MEBIBYTE, true],
      [6, false],
    ]);
    // Buffers make this inexact; the whole object would be forty.
    expect(most - before.arrayBuffers).toBeLessThan(32 * MEBIBYTE);
  });

  it('answers many requests in order, including those for missing objects', async () => {
    const asked = Array.from({ length: 5000 }, (_, index) =>
      index % 3 === 0 ? 'f'.repeat(40) : idOf(index % 3 === 1 ? 'small.txt' : 'empty.txt'),
    );
    const got: (string | undefined)[] = [];
    await readObjects(repository.folder, asked, { maxBytes: 100 }, (answer, position) => {
      got[position] = typeof answer === 'string' ? answer : answer.content?.toString();
    });
    expect(got).toEqual(asked.map((_, index) => ['missing', 'small\n', ''][index % 3]));
  });

  it('rejects immediately with the reason when aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const reading = readObjects(
      repository.folder,
      Array.from({ length: 2000 }, () => idOf('small.txt')),
      { maxBytes: 100, signal: controller.signal },
      () => controller.abort(reason),
    );
    await expect(reading).rejects.toBe(reason);
  });

  it('propagates errors of the callback', async () => {
    const reading = readObjects(repository.folder, [idOf('small.txt')], { maxBytes: 100 }, () => {
      throw new Error('no room');
    });
    await expect(reading).rejects.toThrow('no room');
  });

  it('answers concurrent requests, each with its own limit, and restarts after a close', async () => {
    const objects = openObjects(repository.folder);
    try {
      const [small, none, cut, commit] = await Promise.all([
        objects.read(idOf('small.txt'), 100),
        objects.read('f'.repeat(40), 100),
        objects.read(idOf('small.txt'), 2),
        objects.read(`${(await repository.git('rev-parse', 'main')).slice(0, 8)}^{commit}`, 1000),
      ]);
      expect(small).toMatchObject({ type: 'blob', content: Buffer.from('small\n') });
      expect(none).toBe('missing');
      expect(cut).toMatchObject({ size: 6, content: null });
      expect(commit).toMatchObject({ type: 'commit', id: await repository.git('rev-parse', 'main') });
      objects.close();
      expect(await objects.read(idOf('small.txt'), 100)).toEqual(small);
    } finally {
      objects.close();
    }
  });

  it('reports a missing object, and keeps working', async () => {
    const blob = (
      await runFixtureGit(repository.folder, ['hash-object', '-w', '--stdin'], Buffer.from('loose\n'))
    )
      .toString()
      .trim();
    const got: string[] = [];
    const read = () =>
      readObjects(repository.folder, [blob, idOf('small.txt')], { maxBytes: 100 }, (answer) => {
        got.push(typeof answer === 'string' ? answer : answer.content!.toString());
      });
    await read();
    await rm(join(repository.folder, 'objects', blob.slice(0, 2), blob.slice(2)));
    await read();
    expect(got).toEqual(['loose\n', 'small\n', 'missing', 'small\n']);
  });
});
