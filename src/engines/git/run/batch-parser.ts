/** Parses the output of `git cat-file --batch`: a header for each requested object, then its content. */

export interface GitObject {
  /** The full id, whatever name was requested. */
  id: string;
  type: string;
  size: number;
  /** Null when the object exceeds the requested size limit. Valid only until the next object; copy it to keep it. */
  content: Buffer | null;
}

export type BatchAnswer = GitObject | 'missing' | 'ambiguous';

const LINE_FEED = 10;

/** `take` receives the replies in request order; parsing pauses until the promise it returns settles. */
export function createBatchParser(most: () => number, take: (answer: BatchAnswer) => Promise<void> | void) {
  let header = '';
  let current: { id: string; type: string; size: number } | undefined;
  let body: Buffer | null = null;
  let received = 0;

  async function finish(content: Buffer | null): Promise<void> {
    const { id, type, size } = current!;
    current = undefined;
    body = null;
    const waiting = take({ id, type, size, content });
    if (waiting) await waiting;
  }

  return async function parse(chunk: Buffer): Promise<void> {
    let at = 0;
    while (at < chunk.length) {
      if (!current) {
        const end = chunk.indexOf(LINE_FEED, at);
        if (end === -1) {
          header += chunk.toString('latin1', at);
          return;
        }
        const line = header + chunk.toString('latin1', at, end);
        header = '';
        at = end + 1;
        const parts = line.split(' ');
        const last = parts.at(-1)!;
        if (last === 'missing' || last === 'ambiguous') {
          const waiting = take(last);
          if (waiting) await waiting;
          continue;
        }
        current = { id: parts[0]!, type: parts[1]!, size: Number(parts[2]) };
        received = 0;
      }
      // The content is followed by a line feed that isn't part of it.
      const { size } = current;
      const rest = size + 1 - received;
      const here = Math.min(rest, chunk.length - at);
      const kept = size <= most();
      if (received === 0 && here === rest) {
        const content = kept ? chunk.subarray(at, at + size) : null;
        at += here;
        await finish(content);
        continue;
      }
      if (kept) {
        body ??= Buffer.allocUnsafe(size);
        chunk.copy(body, received, at, at + Math.min(here, size - received));
      }
      received += here;
      at += here;
      if (received === size + 1) await finish(kept ? body : null);
    }
  };
}
