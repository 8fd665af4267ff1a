/** Counts and traces the queries of each request and job, and logs slow ones: their text and never their values. */
import type { Log } from '../core/telemetry/log.ts';
import { failureOf, recordQuery } from '../core/telemetry/tracing.ts';
import { currentWork } from '../core/work/work.ts';

const MAX_TEXT = 2000;

export interface FinishedQuery {
  /** With placeholders. */
  text: string;
  ms: number;
  /** Undefined if it succeeded. */
  error?: unknown;
}

/** `slowMs` of 0: nothing is slow. */
export function watchQueries({ log, slowMs }: { log: Log; slowMs: number }): (query: FinishedQuery) => void {
  return ({ error, ms, text }) => {
    recordQuery(text, ms, error === undefined ? undefined : failureOf(error));
    const work = currentWork();
    if (work) {
      work.queries += 1;
      work.queryMs += ms;
    }
    if (slowMs === 0 || ms < slowMs) return;
    const { job, requestId } = work ?? {};
    const query = text.replaceAll(/\s+/g, ' ').slice(0, MAX_TEXT);
    log.warn({ requestId, job, ms: Math.round(ms * 10) / 10, query }, 'slow query');
  };
}
