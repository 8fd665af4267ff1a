/** OpenTelemetry spans: what took how long, and as part of what. Costs nothing unless an exporter is configured. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface SpanContext {
  traceId: string;
  spanId: string;
  /** Otherwise neither it nor its children are recorded. */
  isSampled: boolean;
}

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
export type Attributes = Record<string, string | number | boolean | undefined>;

export interface FinishedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: SpanKind;
  /** Milliseconds since 1970, with fractions. */
  startMs: number;
  endMs: number;
  attributes: Attributes;
  /** Without private details. */
  failure: string | undefined;
}

export interface Span {
  context: SpanContext;
  name: string;
  attributes: Attributes;
  end(failure?: string): void;
}

export interface Tracing {
  record(span: FinishedSpan): void;
  /** The share of traces to record, from 0 to 1. */
  ratio: number;
  /** Whether to follow the caller's decision, if there is one. */
  followsParent: boolean;
}

let tracing: Tracing | undefined;
const current = new AsyncLocalStorage<SpanContext>();

/** Called once at startup; undefined turns it off. */
export function configureTracing(configured: Tracing | undefined): void {
  tracing = configured;
}

const now = () => performance.timeOrigin + performance.now();

/** Undefined when tracing is off. The parent defaults to what is running now. */
export function startSpan(
  name: string,
  kind: SpanKind,
  attributes: Attributes = {},
  parent: SpanContext | undefined = current.getStore(),
): Span | undefined {
  if (!tracing) return undefined;
  const { record } = tracing;
  const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
  const isSampled = decide(tracing, traceId, parent, current.getStore());
  const context = { traceId, spanId: randomBytes(8).toString('hex'), isSampled };
  const startMs = now();
  const span: Span = {
    context,
    name,
    attributes,
    end(failure) {
      if (!isSampled) return;
      const { attributes, name } = span;
      record({
        ...{ traceId, spanId: context.spanId, parentSpanId: parent?.spanId, name, kind },
        ...{ startMs, endMs: now(), attributes, failure },
      });
    },
  };
  return span;
}

/** Decided once per trace in this process; children follow. */
function decide(
  { followsParent, ratio }: Tracing,
  traceId: string,
  parent: SpanContext | undefined,
  running: SpanContext | undefined,
): boolean {
  if (parent && (followsParent || parent === running)) return parent.isSampled;
  // Every node makes the same decision for a trace.
  return Number.parseInt(traceId.slice(-13), 16) / 16 ** 13 < ratio;
}

/** Everything that runs in here becomes a child of the span. */
export function below<Result>(span: Span | undefined, run: () => Result): Result {
  return span ? current.run(span.context, run) : run();
}

/** Nothing that runs in here is recorded. */
export function untraced<Result>(run: () => Result): Result {
  return current.run({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), isSampled: false }, run);
}

/** A span around some work; it fails when the work does. */
export async function inSpan<Result>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  run: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!tracing) return run(undefined);
  const span = startSpan(name, kind, attributes);
  try {
    const result = await below(span, () => run(span));
    span?.end();
    return result;
  } catch (error) {
    span?.end(failureOf(error));
    throw error;
  }
}

/** Never the message, which may quote what others sent. */
export function failureOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
}

/** Records a query that just ended as a child of the current span; without one, it is left out. */
export function recordQuery(text: string, durationMs: number, failure: string | undefined): void {
  if (!tracing) return;
  const parent = current.getStore();
  if (!parent?.isSampled) return;
  const endMs = now();
  const operation = /^\s*\(?\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'query';
  tracing.record({
    ...{ traceId: parent.traceId, spanId: randomBytes(8).toString('hex'), parentSpanId: parent.spanId },
    ...{ name: operation, kind: 'client', startMs: endMs - durationMs, endMs, failure },
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text },
  });
}

/** The header of W3C Trace Context; undefined if there is none or it is not valid. */
export function parseTraceparent(header: unknown): SpanContext | undefined {
  if (typeof header !== 'string') return undefined;
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header);
  if (!parts) return undefined;
  const [, version, traceId, spanId, flags, rest] = parts;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}
