/** The side of a search process that answers: takes questions, a bounded number at once, and cancels what is no longer wanted. */

import { MalformedTree } from '../git/index.ts';
import type { IndexProgress } from './build-index.ts';
import { MissingObject, TooManyFiles } from './commit-files.ts';
import type {
  FailureReason,
  FromProcess,
  RepositoryFolders,
  SearchRequestName,
  SearchRequests,
  ToProcess,
} from './messages.ts';

export type Answerers = {
  [Name in SearchRequestName]?: (
    folders: RepositoryFolders,
    asks: SearchRequests[Name]['asks'],
    signal: AbortSignal,
    onProgress: (progress: IndexProgress) => void,
  ) => Promise<SearchRequests[Name]['answers']>;
};

const MAX_WAITING = 1000;

/** `heavy` are those of which only so many run at once; the others wait, and no light question waits for them. */
export function serveRequests(
  answerers: Answerers,
  heavy: { names: SearchRequestName[]; maxAtOnce: number },
): void {
  const underWay = new Map<number, AbortController>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const send = (message: FromProcess) => {
    if (process.connected) process.send!(message);
  };

  async function answer(message: ToProcess & { kind: 'ask' }): Promise<void> {
    const { asks, folders, id, name } = message;
    if (waiting.length >= MAX_WAITING) {
      return send({ kind: 'failure', id, reason: 'busy', message: 'Too many searches are waiting.' });
    }
    const controller = new AbortController();
    underWay.set(id, controller);
    const isHeavy = heavy.names.includes(name);
    try {
      if (isHeavy && running >= heavy.maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
      if (isHeavy) running += 1;
      try {
        controller.signal.throwIfAborted();
        const answerer = answerers[name] as NonNullable<Answerers['readFile']>;
        const value = await answerer(folders, asks as never, controller.signal, (progress) =>
          send({ kind: 'progress', id, progress }),
        );
        send({ kind: 'answer', id, value });
      } finally {
        if (isHeavy) {
          running -= 1;
          waiting.shift()?.();
        }
      }
    } catch (error) {
      send({ kind: 'failure', id, reason: reasonOf(error, controller.signal), message: String(error) });
    } finally {
      underWay.delete(id);
    }
  }

  process.on('message', (message: ToProcess) => {
    if (message.kind === 'cancel') underWay.get(message.id)?.abort(new Error('It is no longer wanted.'));
    else void answer(message);
  });
  // Without the service there is nobody to answer.
  process.on('disconnect', () => process.exit(0));
}

function reasonOf(error: unknown, signal: AbortSignal): FailureReason {
  if (signal.aborted) return 'cancelled';
  if (error instanceof MissingObject || error instanceof MalformedTree) return 'missing';
  if (error instanceof TooManyFiles) return 'too_many_files';
  return 'broken';
}
