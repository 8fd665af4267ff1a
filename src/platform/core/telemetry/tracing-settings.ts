/** The settings of OpenTelemetry, as its specification defines them. */
import type { Attributes } from './tracing.ts';

export interface TracingSettings {
  /** The whole address, with the path. */
  endpoint: URL;
  headers: Record<string, string>;
  /** Describe this process. */
  attributes: Attributes;
  ratio: number;
  followsParent: boolean;
}

export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;
export type Sampler = (typeof SAMPLERS)[number];

const DEFAULT_ENDPOINT = 'http://localhost:4318';
const TRACES_PATH = 'v1/traces';

/** Pairs such as `a=b,c=d`, percent-encoded; undefined if they are not. */
export function parsePairs(text: string): Record<string, string> | undefined {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => /^([^=\s]+)\s*=\s*(.*)$/.exec(pair));
  try {
    return Object.fromEntries(pairs.map((pair) => [pair![1], decodeURIComponent(pair![2]!)]));
  } catch {
    return undefined;
  }
}

/** Undefined: nothing is traced, which is the default. */
export function tracingOf(given: {
  isDisabled: boolean;
  exporter: 'otlp' | 'none' | undefined;
  endpoint: URL | undefined;
  tracesEndpoint: URL | undefined;
  headers: Record<string, string> | undefined;
  serviceName: string | undefined;
  attributes: Record<string, string> | undefined;
  sampler: Sampler | undefined;
  ratio: number | undefined;
}): TracingSettings | undefined {
  const { endpoint, exporter, isDisabled, tracesEndpoint } = given;
  const isWanted = exporter === 'otlp' || endpoint !== undefined || tracesEndpoint !== undefined;
  if (isDisabled || exporter === 'none' || !isWanted) return undefined;
  const { attributes, headers = {}, ratio = 1, sampler = 'parentbased_always_on', serviceName } = given;
  return {
    endpoint: tracesEndpoint ?? new URL(TRACES_PATH, withSlash(endpoint ?? new URL(DEFAULT_ENDPOINT))),
    headers,
    attributes: {
      'service.name': 'countersign',
      ...attributes,
      ...(serviceName && { 'service.name': serviceName }),
    },
    ratio: sampler.endsWith('always_on') ? 1 : sampler.endsWith('always_off') ? 0 : ratio,
    followsParent: sampler.startsWith('parentbased'),
  };
}

function withSlash(url: URL): URL {
  return url.pathname.endsWith('/') ? url : new URL(`${url.pathname}/`, url);
}
