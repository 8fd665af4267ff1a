/** Reads trees and commits in batches: one write requests all of them, and git answers without pausing in between. */
import type { ChildProcess } from 'node:child_process';
import { KEEPS_LITTLE, startGit } from '../../git/index.ts';
import { MissingObject } from './commit-files.ts';

const IDLE_MS = 30_000;
const MAX_OBJECT_BYTES = 256 * 1024 * 1024;
const LINE_FEED = 10;

type ObjectType = 'tree' | 'commit';

export interface ObjectBatches {
  /** The contents of objects by full id, in order. Rejects with `MissingObject` when one is missing or of another type. */
  read(ids: string[], type: ObjectType): Promise<Buffer[]>;
  close(): void;
}

interface Batch extends PromiseWithResolvers<Buffer[]> {
  ids: string[];
  type: ObjectType;
  contents: Buffer[];
  missing: string | undefined;
}

/** Whether this git (2.36 or newer) supports buffered requests; older versions answer one at a time. */
let takesMany = true;

/** Starts git on the first request, stops it when idle, and restarts it when needed. */
export function openObjectBatches(gitDir: string): ObjectBatches {
  let child: ChildProcess | undefined;
  let batches: Batch[] = [];
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const asMany = takesMany;
    const options = asMany ? ['--batch-command', '--buffer'] : ['--batch'];
    const process = startGit(['cat-file', ...options], { gitDir, configuration: KEEPS_LITTLE });
    const mine: Batch[] = [];
    batches = mine;
    let failure = '';
    const take = createBatchTaker(mine, () => {
      if (mine.length === 0) idle = setTimeout(close, IDLE_MS).unref();
    });
    process.stdout.on('data', (chunk: Buffer) => {
      if (!take(chunk)) process.kill('SIGKILL');
    });
    process.stderr.on('data', (chunk: Buffer) => {
      failure = (failure + chunk.toString()).slice(0, 500);
    });
    process.on('error', () => undefined);
    process.on('close', () => {
      if (child === process) child = undefined;
      if (asMany && failure.includes('batch-command')) {
        takesMany = false;
        if (mine.length > 0) requestAgain(mine);
        return;
      }
      for (const batch of mine.splice(0))
        batch.reject(new Error(`git cat-file exited: ${failure.trim() || 'no error message'}`));
    });
    return process;
  }

  function requestAgain(unanswered: Batch[]): void {
    child ??= start();
    for (const batch of unanswered) ask(child, batch);
  }

  function ask(process: ChildProcess, batch: Batch): void {
    batches.push(batch);
    const { ids } = batch;
    process.stdin!.write(takesMany ? `contents ${ids.join('\ncontents ')}\nflush\n` : `${ids.join('\n')}\n`);
  }

  function close(): void {
    clearTimeout(idle);
    child?.stdin?.end();
    child = undefined;
  }

  return {
    async read(ids, type) {
      if (ids.length === 0) return [];
      clearTimeout(idle);
      child ??= start();
      const batch: Batch = {
        ids,
        type,
        contents: [],
        missing: undefined,
        ...Promise.withResolvers<Buffer[]>(),
      };
      ask(child, batch);
      return batch.promise;
    },
    close,
  };
}

/** Parses git's output in chunks of any size; false when the rest isn't worth reading. */
function createBatchTaker(batches: Batch[], onBatch: () => void): (chunk: Buffer) => boolean {
  let held: Buffer[] = [];
  let heldBytes = 0;
  /** With fewer bytes than this, the next object is incomplete. */
  let needed = 1;
  const settle = () => {
    const { contents, ids, missing, reject, resolve, type } = batches[0]!;
    if (contents.length < ids.length) return;
    batches.shift();
    if (missing) reject(new MissingObject(`The repository lacks the ${type} ${missing}.`));
    else resolve(contents);
    onBatch();
  };
  return (chunk) => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < needed) return true;
    const bytes = held.length === 1 ? chunk : Buffer.concat(held, heldBytes);
    let at = 0;
    needed = 1;
    while (at < bytes.length && batches.length > 0) {
      const lineEnd = bytes.indexOf(LINE_FEED, at);
      if (lineEnd === -1) break;
      const batch = batches[0]!;
      const [, type, size] = bytes.toString('latin1', at, lineEnd).split(' ') as [string, string, string?];
      if (size === undefined) {
        batch.missing ??= batch.ids[batch.contents.length]!;
        batch.contents.push(NOTHING);
        at = lineEnd + 1;
      } else {
        if (Number(size) > MAX_OBJECT_BYTES) return false;
        // The content is followed by a line feed that isn't part of it.
        const end = lineEnd + 1 + Number(size);
        if (end + 1 > bytes.length) {
          needed = end + 1 - at;
          break;
        }
        if (type !== batch.type) batch.missing ??= batch.ids[batch.contents.length]!;
        batch.contents.push(bytes.subarray(lineEnd + 1, end));
        at = end + 1;
      }
      settle();
    }
    held = at < bytes.length ? [bytes.subarray(at)] : [];
    heldBytes = bytes.length - at;
    needed = Math.max(needed, heldBytes + 1);
    return true;
  };
}

const NOTHING = Buffer.alloc(0);
