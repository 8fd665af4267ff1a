/** Sends finished spans to a collector: OTLP over HTTP as JSON, in batches, from a queue with a limit. */
import type { Log } from '../telemetry/log.ts';
import { type Attributes, type FinishedSpan, untraced } from '../telemetry/tracing.ts';
import type { TracingSettings } from '../telemetry/tracing-settings.ts';
import { packageVersion } from '../text/package-version.ts';
import { sendRequest } from './send-request.ts';

/** The defaults of OpenTelemetry's own libraries. */
export const MAX_QUEUE = 2048;
const MAX_BATCH = 512;
const SEND_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;
/** Sending the last spans must not delay the exit for long. */
const CLOSE_WITHIN_MS = 2_000;
const MAX_REPLY_BYTES = 64 * 1024;
/** Statuses to retry, according to the protocol. */
const TRY_AGAIN = new Set([429, 502, 503, 504]);
const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
const FAILED = 2;

export interface TraceExporter {
  add(span: FinishedSpan): void;
  /** Sends what is queued. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createTraceExporter(
  { attributes, endpoint, headers }: TracingSettings,
  { log }: { log: Log },
): TraceExporter {
  let queue: FinishedSpan[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isFailing = false;

  const post = async (spans: FinishedSpan[], withinMs: number): Promise<number> => {
    const { status } = await untraced(() =>
      sendRequest({
        method: 'POST',
        url: endpoint,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(toRequest(spans, attributes)),
        // The operator chose the address.
        allowPrivateAddresses: true,
        signal: AbortSignal.timeout(withinMs),
        maxBytes: MAX_REPLY_BYTES,
      }),
    );
    return status;
  };
  const failed = (reason: string) => {
    if (!isFailing) log.warn({ reason, dropped }, 'can’t send traces; retrying');
    isFailing = true;
  };
  /** Whether to continue. */
  const sendBatch = async (withinMs: number): Promise<boolean> => {
    const batch = queue.slice(0, MAX_BATCH);
    const status = await post(batch, withinMs).catch((error: Error) => error);
    if (typeof status === 'number' && status < 300) {
      queue = queue.slice(batch.length);
      if (isFailing) log.info({ dropped }, 'sending traces works again');
      isFailing = false;
      return true;
    }
    failed(typeof status === 'number' ? `status ${status}` : status.message);
    if (typeof status !== 'number' || TRY_AGAIN.has(status)) return false;
    queue = queue.slice(batch.length);
    dropped += batch.length;
    return true;
  };
  const sendAll = async (withinMs: number): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    while (queue.length > 0 && (await sendBatch(withinMs)));
    if (queue.length > 0) schedule();
  };
  const send = (withinMs: number): Promise<void> => {
    sending ??= sendAll(withinMs).finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const schedule = () => {
    timer ??= setTimeout(() => void send(ANSWER_WITHIN_MS), SEND_EVERY_MS).unref();
  };

  return {
    add(span) {
      if (queue.length >= MAX_QUEUE) {
        dropped += 1;
        return;
      }
      queue.push(span);
      if (queue.length >= MAX_BATCH && !isFailing) void send(ANSWER_WITHIN_MS);
      else if (!sending) schedule();
    },
    flush: () => send(ANSWER_WITHIN_MS),
    async close() {
      await sending;
      await send(CLOSE_WITHIN_MS);
      clearTimeout(timer);
    },
  };
}

function toRequest(spans: FinishedSpan[], attributes: Attributes): object {
  const resource = { attributes: toAttributes(attributes) };
  const scope = { name: 'countersign', version: packageVersion() };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(toSpan) }] }] };
}

function toSpan(span: FinishedSpan): object {
  const { attributes, endMs, failure, kind, name, parentSpanId, spanId, startMs, traceId } = span;
  return {
    ...{ traceId, spanId, parentSpanId, name, kind: KINDS[kind] },
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: toAttributes({ ...attributes, 'error.type': failure }),
    status: failure === undefined ? {} : { code: FAILED, message: failure },
  };
}

/** As text, because the number is too large for JSON. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function toAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: toValue(value!) }));
}

function toValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
