/** A shard returns what was written to it, and any damage to its files is detected. */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openShard, type Shard } from './read-shard.ts';
import { BLOB_KINDS } from './shard-format.ts';
import { openShardSet } from './shard-set.ts';
import { TrigramCollector } from './trigrams.ts';
import { ShardWriter } from './write-shard.ts';

const folder = mkdtempSync(join(tmpdir(), 'countersign-shard-'));
const collector = new TrigramCollector();
afterAll(() => rmSync(folder, { recursive: true }));

type Content = Buffer | 'binary' | 'tooLarge';

const contents = fc.array(
  fc.oneof(
    fc
      .array(fc.constantFrom(97, 65, 98, 66, 10, 13, 0xc3, 0xa9, 255), { maxLength: 30 })
      .map((bytes): Content => Buffer.from(bytes)),
    fc.uint8Array({ maxLength: 50 }).map((bytes): Content => Buffer.from(bytes.filter((byte) => byte > 0))),
    fc.constantFrom<Content>('binary', 'tooLarge'),
  ),
  { maxLength: 40 },
);

describe('a shard', () => {
  it.each([20, 32])('returns every blob and its trigrams, with ids of %i bytes', (idBytes) => {
    fc.assert(
      fc.property(contents, (blobs) => {
        const { name } = write(blobs, idBytes);
        const shard = openShard(folder, name, idBytes)!;
        try {
          expect(shard.blobCount).toBe(blobs.length);
          expect(Array.from(shard.kinds, (kind) => kind)).toEqual(
            blobs.map((blob) => (Buffer.isBuffer(blob) ? BLOB_KINDS.text : BLOB_KINDS[blob])),
          );
          blobs.forEach((blob, index) => {
            expect(shard.ids.subarray(index * idBytes, (index + 1) * idBytes)).toEqual(idOf(index, idBytes));
            if (Buffer.isBuffer(blob)) expect(shard.readText(index)).toEqual(blob);
          });
          expect(listsOf(shard, blobs)).toEqual(trigramsOf(blobs));
          expect(shard.checkText()).toBe(true);
        } finally {
          shard.close();
          remove(name);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is detected as damaged when a bit of any byte of its index flips', () => {
    const { name } = write([Buffer.from('abc'), 'binary'], 20);
    const file = join(folder, `${name}.index`);
    const sound = readFileSync(file);
    const accepted: number[] = [];
    for (let at = 0; at < sound.length; at += 1) {
      const flipped = Buffer.from(sound);
      flipped[at]! ^= 1 << (at % 8);
      writeFileSync(file, flipped);
      const shard = openShard(folder, name, 20);
      if (shard) accepted.push(at);
      shard?.close();
    }
    expect(accepted).toEqual([]);
    remove(name);
  });

  it('is detected as damaged when either file is truncated, extended or missing', () => {
    for (const ending of ['index', 'text']) {
      const { name } = write([Buffer.from('abc\nabd'), Buffer.from('xyz\n')], 20);
      const file = join(folder, `${name}.${ending}`);
      const sound = readFileSync(file);
      for (let length = sound.length - 1; length >= 0; length -= 1) {
        truncateSync(file, length);
        expect(openShard(folder, name, 20)).toBeUndefined();
      }
      writeFileSync(file, Buffer.concat([sound, Buffer.from('\n')]));
      expect(openShard(folder, name, 20)).toBeUndefined();
      rmSync(file);
      expect(openShard(folder, name, 20)).toBeUndefined();
      remove(name);
    }
  });

  it('is not opened for ids of another length', () => {
    const { name } = write([Buffer.from('abc')], 20);
    expect(openShard(folder, name, 32)).toBeUndefined();
    remove(name);
  });

  it('detects a changed text when it is verified', () => {
    const { name } = write([Buffer.from('abc\nabd')], 20);
    const shard = openShard(folder, name, 20)!;
    const file = openSync(join(folder, `${name}.text`), 'r+');
    writeSync(file, 'x', 2);
    closeSync(file);
    expect(shard.checkText()).toBe(false);
    truncateSync(join(folder, `${name}.text`), 1);
    expect(() => shard.readText(0)).toThrow(/shorter/);
    shard.close();
    remove(name);
  });

  it('can be read by a holder after it was closed and its files were deleted', () => {
    const { name } = write([Buffer.from('abc')], 20);
    const set = openShardSet(folder, 20);
    const release = set.keepOpen();
    remove(name);
    const next = openShardSet(folder, 20, set);
    expect(next.shards).toEqual([]);
    expect(set.shards[0]!.readText(0).toString()).toBe('abc');
    release();
    expect(() => set.shards[0]!.readText(0)).toThrow(/EBADF/);
  });
});

describe('a writer', () => {
  it('that fails leaves nothing behind, and the next shard has only its own blobs', () => {
    const gone = mkdtempSync(join(folder, 'gone-'));
    const writer = new ShardWriter(gone, 20, collector);
    writer.addText(idOf(0, 20), Buffer.from('lost'));
    rmSync(gone, { recursive: true });
    expect(() => writer.finish()).toThrow(/ENOENT/);

    const abandoned = new ShardWriter(folder, 20, collector);
    abandoned.addText(idOf(0, 20), Buffer.from('lost'));
    abandoned.abandon();
    expect(readdirSync(folder)).toEqual([]);

    const { name } = write([Buffer.from('kept')], 20);
    const shard = openShard(folder, name, 20)!;
    expect(listsOf(shard, [Buffer.from('kept lost')])).toEqual(trigramsOf([Buffer.from('kept')]));
    shard.close();
    remove(name);
  });
});

describe('all shards of a folder', () => {
  it('find each blob by its id, and no others', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 6 }), (sizes) => {
        const names: string[] = [];
        let first = 0;
        for (const size of sizes) {
          const blobs = Array.from({ length: size }, (_, index) => Buffer.from(`blob ${first + index}`));
          names.push(write(blobs, 20, first).name);
          first += size;
        }
        const set = openShardSet(folder, 20);
        for (let blob = 0; blob < first + 5; blob += 1) {
          const found = set.find(idOf(blob, 20), 0);
          if (blob >= first) {
            expect(found).toBe(-1);
            continue;
          }
          const { local, shard } = set.shardOf(found);
          expect(shard.readText(local).toString()).toBe(`blob ${blob}`);
        }
        set.close();
        names.forEach(remove);
      }),
      { numRuns: 15 },
    );
  });
});

function write(blobs: Content[], idBytes: number, first = 0): { name: string } {
  const before = new Set(readdirSync(folder));
  const writer = new ShardWriter(folder, idBytes, collector);
  blobs.forEach((blob, index) => {
    if (Buffer.isBuffer(blob)) writer.addText(idOf(first + index, idBytes), blob);
    else writer.addOther(idOf(first + index, idBytes), blob);
  });
  writer.finish();
  const made = readdirSync(folder).find((file) => file.endsWith('.index') && !before.has(file))!;
  return { name: made.slice(0, -'.index'.length) };
}

function remove(name: string): void {
  for (const ending of ['index', 'text']) rmSync(join(folder, `${name}.${ending}`), { force: true });
}

/** Ids that collide in the table: their first bytes are similar. */
function idOf(blob: number, idBytes: number): Buffer {
  const id = Buffer.alloc(idBytes, blob);
  id.writeUInt32LE(blob % 3, 0);
  return id;
}

/** The postings of every trigram that the blobs could have. */
function listsOf(shard: Shard, blobs: Content[]): Record<string, number[]> {
  const lists: Record<string, number[]> = {};
  for (const trigram of Object.keys(trigramsOf(blobs))) {
    const value = Buffer.from(trigram, 'latin1').readUIntBE(0, 3);
    const blobsWith = [...shard.list(value)];
    expect(shard.listBytes(value) > 0).toBe(blobsWith.length > 0);
    if (blobsWith.length > 0) lists[trigram] = blobsWith;
  }
  return lists;
}

function trigramsOf(blobs: Content[]): Record<string, number[]> {
  const lists: Record<string, number[]> = {};
  blobs.forEach((blob, index) => {
    if (!Buffer.isBuffer(blob)) return;
    const text = blob.toString('latin1').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    const trigrams = new Set(
      text.split('\n').flatMap((line) => Array.from(line, (_, at) => line.slice(at, at + 3))),
    );
    for (const trigram of trigrams) {
      if (trigram.length === 3) lists[trigram] = [...(lists[trigram] ?? []), index];
    }
  });
  return lists;
}
