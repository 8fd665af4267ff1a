/** Parses large JSON bodies in a worker thread: two megabytes of nested lists take a hundred milliseconds, which others would wait for. */

import { Problem } from '../../platform/core/errors/errors.ts';
import type { Actor } from '../../platform/core/operations/actor.ts';
import { createFairQueue, NoTurn } from '../../platform/core/work/fair-queue.ts';
import { threadEntry, WorkThread } from '../../platform/core/work/work-thread.ts';
import type { ReadJson, ThreadAnswer, WantedJson } from './parse-json.ts';

/** One at a time; organizations take turns. How many bytes wait is limited where bodies are received. */
const TURNS = { maxRunning: 1, maxRunningPerCredential: 1, maxWaiting: 1000, maxWaitingPerCredential: 100 };
const MAX_WAIT_MS = 20_000;

export class JsonWork {
  readonly #thread = new WorkThread(
    threadEntry('json-work-thread', import.meta.url),
    'Parsing the request took too long.',
  );
  readonly #turns = createFairQueue(TURNS);

  /** Parses only the parts of the body that an operation reads. */
  wanted(bytes: Buffer, wanted: WantedJson, caller: Actor): Promise<ReadJson> {
    return this.#run('readWanted', [bytes, wanted], caller);
  }

  /** The whole message; undefined if it is not valid JSON. */
  async message(bytes: Buffer, caller: Actor): Promise<unknown> {
    return (await this.#run('readMessage', [bytes], caller)).value;
  }

  async #run(name: string, values: unknown[], caller: Actor): Promise<ReadJson> {
    const endTurn = await this.#turns
      .enter({ caller, signal: new AbortController().signal }, MAX_WAIT_MS)
      .catch((error: unknown) => {
        throw error instanceof NoTurn ? error.toProblem('large requests') : error;
      });
    try {
      const answer = (await this.#thread.run({ name, values })) as ThreadAnswer;
      if ('refused' in answer) throw new Problem(answer.refused, answer.detail);
      return answer;
    } finally {
      endTurn();
    }
  }
}
