/** Parses a text for a component, only once: a short one synchronously, a long one in a worker. */
import { startTransition, useEffect, useMemo, useState } from 'react';
import { isQuicklyParsed, parseTimeoutMs } from '../limits.ts';
import { type OutlineEntry, outlineOf } from '../outline.ts';
import type { Parsed } from '../tree.ts';
import { parseMarkdown } from './parse.ts';
import { askWorker } from './worker-task.ts';

/** The last text parsed in a worker: the outline and the view need the same one. */
const RECENT = 4;
const recent = new Map<string, Parsed>();

/** Undefined while it is being parsed. */
export function useMarkdown(content: string): Parsed | undefined {
  const atOnce = useMemo(
    () => recent.get(content) ?? (isQuicklyParsed(content) ? parseMarkdown(content) : undefined),
    [content],
  );
  const [later, setLater] = useState<{ content: string; parsed: Parsed }>();
  useEffect(() => {
    if (atOnce) return;
    const leaving = new AbortController();
    parseInWorker(content, leaving.signal).then((parsed) => {
      if (!leaving.signal.aborted) startTransition(() => setLater({ content, parsed }));
    });
    return () => leaving.abort();
  }, [content, atOnce]);
  return atOnce ?? (later?.content === content ? later.parsed : undefined);
}

/** The headings of a text, for a table of contents; empty while it is being parsed. */
export function useOutline(content: string): OutlineEntry[] {
  const parsed = useMarkdown(content);
  return useMemo(() => (parsed?.kind === 'tree' ? outlineOf(parsed.tree) : []), [parsed]);
}

interface Running {
  parsed: Promise<Parsed>;
  stop: AbortController;
  waiting: number;
}
const running = new Map<string, Running>();

/** Components that need the same text share one worker, which is terminated when the last one unmounts. */
function parseInWorker(content: string, leaving: AbortSignal): Promise<Parsed> {
  const task = running.get(content) ?? startParsing(content);
  task.waiting += 1;
  leaving.addEventListener('abort', () => {
    task.waiting -= 1;
    if (task.waiting === 0) task.stop.abort();
  });
  return task.parsed;
}

function startParsing(content: string): Running {
  const stop = new AbortController();
  const startWorker = () => new Worker(new URL('./parse-worker.ts', import.meta.url), { type: 'module' });
  const options = { timeoutMs: parseTimeoutMs(content), signal: stop.signal };
  const parsed = askWorker<Parsed>(startWorker, { source: content }, options).then((reply): Parsed => {
    running.delete(content);
    if (reply.kind !== 'answer')
      return { kind: 'refused', reason: reply.kind === 'slow' ? 'slow' : 'broken' };
    recent.set(content, reply.answer);
    if (recent.size > RECENT) recent.delete(recent.keys().next().value!);
    return reply.answer;
  });
  const task = { parsed, stop, waiting: 0 };
  running.set(content, task);
  return task;
}
