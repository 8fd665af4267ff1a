/**
 * Many agents can wait for one plan, and they wake up together: the same question is then asked once for all. A question
 * is only ever joined before it is asked, so that an answer is never older than its question.
 */
import type { Db } from '../../platform/db/index.ts';

const waiting = new WeakMap<Db, Map<string, Promise<unknown>>>();

/** `key` names the question; whoever asks the same in this turn of the event loop gets the same answer. */
export function lookOnce<Answer>(db: Db, key: string, look: () => Promise<Answer>): Promise<Answer> {
  const looks = waiting.get(db) ?? new Map<string, Promise<unknown>>();
  waiting.set(db, looks);
  let answer = looks.get(key) as Promise<Answer> | undefined;
  if (!answer) {
    answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      looks.delete(key);
      return look();
    });
    looks.set(key, answer);
  }
  return answer;
}
