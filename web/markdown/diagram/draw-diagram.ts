/**
 * Draws diagrams one at a time in a sandboxed frame, which is created for the first and removed after the last. If one
 * takes too long, it is abandoned together with its frame.
 */
import type { DrawAnswer, DrawRequest } from './draw-messages.ts';

const FRAME = '/mermaid-frame.html';
/** Includes loading the frame's scripts. */
const START_TIMEOUT_MS = 20_000;
/** Includes loading the scripts for the diagram's type over a slow network. */
const DRAW_TIMEOUT_MS = 10_000;
const IDLE_MS = 30_000;
/** After this many timeouts, diagrams are drawn only on request. */
const MAX_GIVEN_UP = 2;
const MAX_SOURCE_LENGTH = 20_000;
const MAX_IMAGE_LENGTH = 3_000_000;
const MAX_SIDE_LENGTH = 20_000;

export type Drawing =
  | { kind: 'drawn'; svg: string; width: number; height: number }
  | { kind: 'failed'; why: 'wrong' | 'slow' | 'large' | 'unavailable'; message?: string };

interface Waiting {
  question: DrawRequest;
  answer(drawing: Drawing): void;
}

const waiting: Waiting[] = [];
let isBusy = false;
let givenUp = 0;
let frame: Frame | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

export function drawDiagram(question: DrawRequest, signal: AbortSignal): Promise<Drawing> {
  if (question.source.length > MAX_SOURCE_LENGTH) return Promise.resolve({ kind: 'failed', why: 'large' });
  return new Promise((answer) => {
    const one = { question, answer };
    waiting.push(one);
    signal.addEventListener('abort', () => {
      const index = waiting.indexOf(one);
      if (index !== -1) waiting.splice(index, 1);
    });
    void drawWaiting();
  });
}

/** The reader asked for a diagram that was abandoned: try again. */
export function tryAgain(): void {
  givenUp = 0;
}

async function drawWaiting(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  clearTimeout(idle);
  for (let one = waiting.shift(); one; one = waiting.shift()) one.answer(await drawOne(one.question));
  isBusy = false;
  idle = setTimeout(removeFrame, IDLE_MS);
}

async function drawOne(question: DrawRequest): Promise<Drawing> {
  if (givenUp >= MAX_GIVEN_UP) return { kind: 'failed', why: 'slow' };
  frame ??= new Frame();
  if (!(await frame.isReady)) {
    removeFrame();
    return { kind: 'failed', why: 'unavailable' };
  }
  const answer = await frame.ask(question);
  if (!answer) {
    givenUp += 1;
    removeFrame();
    return { kind: 'failed', why: 'slow' };
  }
  if (answer.kind === 'drawn' && isAcceptable(answer)) return answer;
  if (answer.kind === 'failed' && typeof answer.message === 'string')
    return { kind: 'failed', why: 'wrong', message: answer.message };
  return { kind: 'failed', why: 'large' };
}

/** The frame is untrusted: all it can return is an image of limited size. */
function isAcceptable({ svg, width, height }: Extract<DrawAnswer, { kind: 'drawn' }>): boolean {
  const isSide = (side: unknown) => typeof side === 'number' && side > 0 && side < MAX_SIDE_LENGTH;
  return typeof svg === 'string' && svg.length < MAX_IMAGE_LENGTH && isSide(width) && isSide(height);
}

function removeFrame(): void {
  frame?.remove();
  frame = undefined;
}

class Frame {
  readonly isReady: Promise<boolean>;
  readonly #element = document.createElement('iframe');

  constructor() {
    this.#element.setAttribute('sandbox', 'allow-scripts');
    this.#element.src = FRAME;
    this.#element.title = 'Draws diagrams';
    this.#element.tabIndex = -1;
    this.#element.ariaHidden = 'true';
    // Inside the viewport, because browsers throttle frames outside it.
    this.#element.className = 'pointer-events-none fixed bottom-0 left-0 -z-10 size-px opacity-0';
    this.isReady = this.#next(START_TIMEOUT_MS).then((message) => message?.kind === 'ready');
    document.body.append(this.#element);
  }

  ask(question: DrawRequest): Promise<DrawAnswer | undefined> {
    const answer = this.#next(DRAW_TIMEOUT_MS);
    // A sandboxed frame has no origin to name here; it is trusted to be ours because we created it.
    this.#element.contentWindow?.postMessage(question, '*');
    return answer;
  }

  remove(): void {
    this.#element.remove();
  }

  /** The next message from this frame only; undefined if none arrives in time. */
  #next(timeoutMs: number): Promise<DrawAnswer | undefined> {
    return new Promise((resolve) => {
      const done = new AbortController();
      const settle = (message: DrawAnswer | undefined) => {
        clearTimeout(timer);
        done.abort();
        resolve(message);
      };
      const timer = setTimeout(() => settle(undefined), timeoutMs);
      const listen = ({ data, source }: MessageEvent<DrawAnswer>) => {
        if (source === this.#element.contentWindow && typeof data?.kind === 'string') settle(data);
      };
      addEventListener('message', listen, { signal: done.signal });
    });
  }
}
