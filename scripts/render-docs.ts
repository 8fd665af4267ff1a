/** The reference pages in docs/, written from the tables in the code so that they cannot say anything else. */
import type { SETTINGS } from '../src/config.ts';
import type { PROBLEMS } from '../src/platform/core/errors.ts';
import { keyAcceptingEndpoints, type Operation } from '../src/platform/core/operation.ts';
import type { EXIT_CODES } from '../src/platform/core/start-failure.ts';

type Settings = Record<string, { default?: string; defaultNote?: string; takes: string; meaning: string }>;

/** Which settings stand together; one that is missing here comes last, under "Other". */
const SECTIONS: { title: string; names: (keyof typeof SETTINGS)[] }[] = [
  { title: 'Address', names: ['HOST', 'PORT', 'BASE_URL', 'TRUSTED_PROXIES'] },
  { title: 'Data', names: ['DATA_DIR', 'DATABASE_URL', 'DATABASE_POOL_SIZE'] },
  {
    title: 'Limits',
    names: ['BODY_LIMIT_BYTES', 'RATE_LIMIT', 'RATE_LIMIT_PER_KEY', 'RATE_LIMIT_PER_ADDRESS'],
  },
  { title: 'Running', names: ['ROLES', 'LOG_LEVEL', 'SHUTDOWN_TIMEOUT_SECONDS', 'METRICS_TOKEN'] },
];

const ACCESS_NAMES = { key: 'API key', session: 'session', oauth: 'OAuth', mcp: 'MCP' };

export function renderErrors(problems: typeof PROBLEMS): string {
  return page(
    'Errors',
    'src/platform/core/errors.ts',
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
    'Program against `code`: it never changes its meaning. `detail` is for people and may change. `errors` lists everything that is wrong with a request, `candidates` the names to choose from when one was ambiguous, or similar names when a repository was not found; both are there only when they say something. The log of the service has the request under `requestId`. A running service shows this list under `/docs/errors`, where each `type` leads.',
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
    'src/config.ts',
    `Countersign runs without any settings: it listens on \`${settings.HOST!.default}:${settings.PORT!.default}\` and keeps everything, its own PostgreSQL too, in \`${settings.DATA_DIR!.default}\`. Settings come from the environment, or from a file \`.env\` in the folder where it is started; where both name one, the environment counts. An empty value is the same as none. At start every setting is checked, and all problems are listed at once.`,
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
    'Every operation. Role is the lowest role that may call it. A running service shows parameters, replies and errors at `/docs`, made from the OpenAPI document at `/api/v2/openapi.json`. Errors are described in [errors.md](errors.md).',
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
    'Send the key in the `x-api-key` header. Every other endpoint answers a valid key with 403 `key_not_accepted`.',
    keyAcceptingEndpoints(operations)
      .map((endpoint) => `- \`${endpoint}\``)
      .join('\n'),
    '## Versions',
    '`/api/v2` only gains fields and endpoints; existing ones keep their meaning. A field to be removed sends `Deprecation` and `Sunset` headers for at least six months. More endpoints may accept API keys over time.',
  );
}

export function renderExitCodes(exitCodes: typeof EXIT_CODES): string {
  return page(
    'Exit codes',
    'src/platform/core/start-failure.ts',
    'The `countersign` command ends with 0 when all went well. Otherwise its last words say what to do, and the code says which kind of trouble it was:',
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
