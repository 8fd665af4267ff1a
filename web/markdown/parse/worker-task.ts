/** Runs one request in a new worker with a timeout; the worker is terminated afterward. */

export type WorkerAnswer<Answer> = { kind: 'answer'; answer: Answer } | { kind: 'slow' | 'failed' };

export function askWorker<Answer>(
  start: () => Worker,
  question: unknown,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<WorkerAnswer<Answer>> {
  return new Promise((resolve) => {
    const worker = start();
    const end = (answer: WorkerAnswer<Answer>) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end({ kind: 'slow' }), timeoutMs);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => end({ kind: 'answer', answer: data });
    worker.onerror = () => end({ kind: 'failed' });
    signal.addEventListener('abort', () => end({ kind: 'failed' }), { once: true });
    worker.postMessage(question);
  });
}
