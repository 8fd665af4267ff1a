/** Renders the reference pages in docs/ from the tables in the code, so that they always match. */

import type { PROBLEMS } from '../src/platform/core/errors/errors.ts';
import type { EXIT_CODES } from '../src/platform/core/errors/start-failure.ts';
import { keyAcceptingEndpoints, type Operation } from '../src/platform/core/operations/operation.ts';
import type { SETTINGS } from '../src/settings/index.ts';

type Settings = Record<string, { default?: string; defaultNote?: string; takes: string; meaning: string }>;

/** The sections of the settings; a setting that is missing here is listed last, under "Other". */
const SECTIONS: { title: string; names: (keyof typeof SETTINGS)[] }[] = [
  { title: 'Address', names: ['HOST', 'PORT', 'BASE_URL', 'TRUSTED_PROXIES'] },
  { title: 'Data', names: ['DATA_DIR', 'DATABASE_URL', 'DATABASE_POOL_SIZE'] },
  {
    title: 'Limits',
    names: ['BODY_LIMIT_BYTES', 'RATE_LIMIT', 'RATE_LIMIT_PER_KEY', 'RATE_LIMIT_PER_ADDRESS'],
  },
  { title: 'Outgoing connections', names: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'] },
  {
    title: 'Traces',
    names: [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_TRACES_EXPORTER',
      'OTEL_SERVICE_NAME',
      'OTEL_RESOURCE_ATTRIBUTES',
      'OTEL_TRACES_SAMPLER',
      'OTEL_TRACES_SAMPLER_ARG',
      'OTEL_SDK_DISABLED',
    ],
  },
  {
    title: 'Backups',
    names: ['BACKUP_DIR', 'BACKUP_EVERY_HOURS', 'BACKUP_KEEP', 'BACKUP_PASSPHRASE', 'BACKUP_PASSPHRASE_FILE'],
  },
  {
    title: 'Running',
    names: [
      'ROLES',
      'LOG_LEVEL',
      'SLOW_REQUEST_MS',
      'SLOW_QUERY_MS',
      'SHUTDOWN_TIMEOUT_SECONDS',
      'METRICS_TOKEN',
    ],
  },
];

const ACCESS_NAMES = { key: 'API key', session: 'session', oauth: 'OAuth', mcp: 'MCP' };

export function renderErrors(problems: typeof PROBLEMS): string {
  return page(
    'Errors',
    'src/platform/core/errors/errors.ts',
    'Every error is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)), sent as `application/problem+json`:',
    codeBlock(
      'json',
      JSON.stringify(
        {
          type: 'https://review.example.com/docs/errors#invalid_request',
          title: problems.invalid_request.title,
          status: problems.invalid_request.status,
          detail: 'One thing is wrong with the request: `name` is required.',
          code: 'invalid_request',
          requestId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab',
          errors: [{ path: 'name', message: 'is required' }],
        },
        null,
        2,
      ),
    ),
    'Write code against `code`: its meaning never changes. `detail` is for people and may change. `errors` lists everything that is wrong with a request; `candidates` lists the matching names if a repository name is ambiguous, or similar names if a repository was not found. Both are absent if they would be empty. Look up `requestId` in the log of the service. A running service shows this list at `/docs/errors`, where each `type` points.',
    table(
      ['Code', 'Status', 'Meaning', 'What to do next'],
      Object.entries(problems).map(([code, { status, title, next }]) => [
        `<a id="${code}"></a>\`${code}\``,
        String(status),
        `${title}.`,
        next,
      ]),
    ),
  );
}

export function renderConfiguration(settings: Settings): string {
  const placed = new Set<string>(SECTIONS.flatMap(({ names }) => names));
  const other = { title: 'Other', names: Object.keys(settings).filter((name) => !placed.has(name)) };
  const sections = [...SECTIONS, other].filter(({ names }) => names.length > 0);
  return page(
    'Configuration',
    'src/settings',
    `Countersign runs without any settings: it listens on \`${settings.HOST!.default}:${settings.PORT!.default}\` and keeps everything, including its own PostgreSQL, in \`${settings.DATA_DIR!.default}\`. Settings come from the environment or from a \`.env\` file in the working directory; the environment takes precedence. An empty value counts as unset. All settings are checked at startup, and all problems are reported together.`,
    'Behind a TLS proxy on the same machine, with a PostgreSQL of your own:',
    codeBlock(
      'sh',
      [
        '# .env',
        'BASE_URL=https://review.example.com',
        'TRUSTED_PROXIES=127.0.0.1',
        'DATA_DIR=/var/lib/countersign',
        'DATABASE_URL=postgres://countersign:secret@db.example.com:5432/countersign?sslmode=verify-full',
      ].join('\n'),
    ),
    ...sections.flatMap(({ title, names }) => [
      `## ${title}`,
      table(
        ['Setting', 'Takes', 'Default', 'Meaning'],
        names.map((name) => [
          `\`${name}\``,
          settings[name]!.takes,
          defaultOf(settings[name]!),
          settings[name]!.meaning,
        ]),
      ),
    ]),
  );
}

export function renderApi(operations: readonly Operation[]): string {
  return page(
    'API',
    'src/operations.ts',
    'Every operation. Role is the lowest role that may call it. A running service shows parameters, replies and errors at `/docs`, generated from the OpenAPI document at `/api/v2/openapi.json`. Errors are described in [errors.md](errors.md).',
    table(
      ['Method', 'Path', 'Accepts', 'Role', 'What it does'],
      operations.map(({ http, accepts, role, summary }) => [
        http.method,
        `\`${http.path}\``,
        accepts.map((access) => ACCESS_NAMES[access]).join(', ') || 'anyone',
        role ?? 'none',
        summary,
      ]),
    ),
    '## Endpoints that accept an API key',
    'Send the key in the `x-api-key` header. Every other endpoint refuses a valid key with 403 `key_not_accepted`.',
    keyAcceptingEndpoints(operations)
      .map((endpoint) => `- \`${endpoint}\``)
      .join('\n'),
    '## Versions',
    '`/api/v2` only gains fields and endpoints; existing ones keep their meaning. Before a field is removed, replies have `Deprecation` and `Sunset` headers for at least six months. More endpoints may accept API keys over time.',
  );
}

export function renderExitCodes(exitCodes: typeof EXIT_CODES): string {
  return page(
    'Exit codes',
    'src/platform/core/errors/start-failure.ts',
    'The `countersign` command exits with 0 on success. Otherwise its last line says what to do, and the exit code says what kind of problem it was:',
    table(
      ['Code', 'Name', 'Meaning'],
      Object.entries(exitCodes).map(([name, { code, meaning }]) => [String(code), `\`${name}\``, meaning]),
    ),
  );
}

function defaultOf(setting: Settings[string]): string {
  if (setting.default) return `\`${setting.default}\``;
  return setting.defaultNote ?? 'none';
}

function page(title: string, source: string, ...blocks: string[]): string {
  const note = `<!-- Generated from ${source} by \`npm run generate\`: change it there. -->`;
  return `${[`# ${title}`, note, ...blocks.filter(Boolean)].join('\n\n')}\n`;
}

function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
