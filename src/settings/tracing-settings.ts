/** OpenTelemetry traces, by their standard names. */
import { parsePairs, SAMPLERS } from '../platform/core/telemetry/tracing-settings.ts';
import { InvalidSetting, oneOf, readLine, type Setting } from './setting.ts';

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    defaultNote: 'none: nothing is traced',
    takes: 'an HTTP or HTTPS URL',
    meaning:
      'The OpenTelemetry collector to which traces are sent, such as `http://localhost:4318`; `/v1/traces` is added. See [operations.md](operations.md#traces).',
    read: readCollector,
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    defaultNote: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    takes: 'an HTTP or HTTPS URL',
    meaning: 'The same for traces alone, with the whole path.',
    read: readCollector,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: '',
    takes: 'pairs such as `api-key=abc,tenant=one`, percent-encoded',
    meaning: 'Headers to send to the collector.',
    read: readPairs,
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    default: 'http/json',
    meaning: 'How traces are sent. JSON is sent with both: collectors take it at the same address.',
    ...oneOf(['http/json', 'http/protobuf']),
  },
  OTEL_TRACES_EXPORTER: {
    defaultNote: '`otlp` if an endpoint is set, else `none`',
    meaning: 'Whether traces are sent. `otlp` without an endpoint sends them to `http://localhost:4318`.',
    ...oneOf(['otlp', 'none']),
  },
  OTEL_SERVICE_NAME: {
    default: 'countersign',
    takes: 'a name',
    meaning: 'The name of the service in traces.',
    read: readLine,
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    default: '',
    takes: 'pairs such as `deployment.environment.name=production`, percent-encoded',
    meaning: 'Additional attributes of this process in traces.',
    read: readPairs,
  },
  OTEL_TRACES_SAMPLER: {
    default: 'parentbased_always_on',
    meaning:
      'Which traces are recorded. With `parentbased_`, the decision in a `traceparent` header counts first.',
    ...oneOf(SAMPLERS),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    default: '1',
    takes: 'a number from 0 to 1',
    meaning: 'The share of traces to record, for the samplers with `traceidratio`.',
    read: (text: string) => {
      const ratio = /^[0-9.]+$/.test(text) ? Number(text) : Number.NaN;
      if (!(ratio >= 0 && ratio <= 1)) throw new InvalidSetting('must be a number from 0 to 1');
      return ratio;
    },
  },
  OTEL_SDK_DISABLED: {
    default: 'false',
    meaning: '`true` turns tracing off, whatever else is set.',
    ...oneOf(['true', 'false']),
  },
} satisfies Record<string, Setting<unknown>>;

function readCollector(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new InvalidSetting('must be a URL such as http://localhost:4318, without a user name and password');
  }
  return url;
}

/** Never repeats the text, which may contain a key. */
function readPairs(text: string): Record<string, string> {
  const pairs = parsePairs(text);
  if (!pairs) throw new InvalidSetting('must be percent-encoded pairs such as a=b,c=d');
  return pairs;
}
