/** A worker that handles one request at a time, each with a timeout; it is terminated when idle. */

/** The worker sends this once it has loaded what it needs: from then on, the timeout counts. */
export const LOADED = 'loaded';

const IDLE_MS = 10_000;
/** On a slow connection or a busy machine, loading takes much longer than the work. */
const LOADING_MS = 60_000;

interface Question<Answer> {
  content: unknown;
  answer(given: Answer | undefined): void;
}

export class ReusableWorker<Answer> {
  readonly #start: () => Worker;
  readonly #timeoutMs: number;
  readonly #waiting: Question<Answer>[] = [];
  #worker: Worker | undefined;
  #asked: Question<Answer> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => Worker, timeoutMs: number) {
    this.#start = start;
    this.#timeoutMs = timeoutMs;
  }

  /** Undefined on a timeout. */
  ask(content: unknown): Promise<Answer | undefined> {
    return new Promise((answer) => {
      this.#waiting.push({ content, answer });
      if (!this.#asked) this.#next();
    });
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#asked = this.#waiting.shift();
    if (!this.#asked) {
      this.#timer = setTimeout(() => this.#end(), IDLE_MS);
      return;
    }
    this.#worker ??= this.#begin();
    this.#worker.postMessage(this.#asked.content);
    this.#giveUpAfter(LOADING_MS);
  }

  #begin(): Worker {
    const worker = this.#start();
    worker.onmessage = ({ data }: MessageEvent<Answer | typeof LOADED>) => {
      if (data === LOADED) this.#giveUpAfter(this.#timeoutMs);
      else this.#settle(data);
    };
    worker.onerror = () => this.#giveUp();
    return worker;
  }

  #giveUpAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp(), milliseconds);
  }

  #giveUp(): void {
    this.#end();
    this.#settle(undefined);
  }

  #settle(given: Answer | undefined): void {
    this.#asked?.answer(given);
    this.#next();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
