/** The service: addresses, limits, logs, repositories, searches and agents. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LOG_LEVELS } from '../platform/core/telemetry/log.ts';
import { InvalidSetting, integer, oneOf, readHosts, readList, readPath, type Setting } from './setting.ts';

const PROCESS_ROLES = ['web', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export const serviceSettings = {
  HOST: {
    default: '127.0.0.1',
    takes: 'an IP address or host name',
    meaning:
      'The address to listen on. `0.0.0.0` or `::` listens on all network interfaces; in that case, put a TLS proxy in front.',
    read: (text: string) => {
      if (!isIP(text) && !/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text)) {
        throw new InvalidSetting(
          'must be an IP address or host name without a port, such as 127.0.0.1 or ::1',
        );
      }
      return text;
    },
  },
  PORT: { default: '4000', meaning: 'The port to listen on; 0 picks a free port.', ...integer(0, 65_535) },
  BASE_URL: {
    defaultNote: '`http://HOST:PORT`, with `localhost` when `HOST` is `0.0.0.0` or `::`',
    takes: 'an HTTP or HTTPS URL',
    meaning:
      'The URL at which people and agents reach the service, used for links, cookies and the cross-origin check. With HTTPS, cookies get the `Secure` flag and the `__Host-` prefix.',
    read: readBaseUrl,
  },
  DATA_DIR: {
    default: './data',
    takes: 'a folder',
    meaning:
      'The folder for the embedded PostgreSQL and all other files. It is created if it does not exist; only one process can use it at a time.',
    read: readPath,
  },
  DATABASE_URL: {
    defaultNote: 'an embedded PostgreSQL 18 in DATA_DIR',
    takes: '`postgres://user:password@host:5432/dbname`',
    meaning:
      'Your own PostgreSQL server, version 15 or later. TLS options are the same as in libpq: `?sslmode=` `disable`, `allow`, `prefer` (the default), `require`, `verify-ca` or `verify-full`, and the files `sslrootcert`, `sslcert` and `sslkey`.',
    read: (text: string) => {
      if (!/^postgres(ql)?:\/\//.test(text))
        throw new InvalidSetting('must start with postgres:// or postgresql://');
      return text;
    },
  },
  DATABASE_POOL_SIZE: {
    default: '10',
    meaning: 'Maximum number of PostgreSQL connections per process.',
    ...integer(2, 500),
  },
  ROLES: {
    default: 'web,worker',
    takes: '`web`, `worker`, or both, separated by a comma',
    meaning: 'What this process does: `web` serves requests, `worker` runs background jobs.',
    read: readRoles,
  },
  BODY_LIMIT_BYTES: {
    default: '2097152',
    meaning:
      'Maximum size of a request body. Larger requests get a 413 response. At most 4 times as much is received at the same time from one code host, 16 times from one address, and 32 times per process; more gets a 503 response. See [Limits](operations.md#limits).',
    ...integer(1024, 64 * 1024 * 1024),
  },
  RATE_LIMIT: {
    default: 'on',
    meaning: 'Whether requests are rate limited.',
    ...oneOf(['on', 'off']),
  },
  RATE_LIMIT_PER_KEY: {
    default: '6000',
    meaning: 'Requests per minute for each API key or session, counted per process.',
    ...integer(1, 10_000_000),
  },
  RATE_LIMIT_PER_ADDRESS: {
    default: '300',
    meaning: 'Requests per minute without a valid credential for each network address, counted per process.',
    ...integer(1, 10_000_000),
  },
  TRUSTED_PROXIES: {
    default: '',
    takes: 'IP addresses or CIDR ranges, separated by commas',
    meaning:
      'Proxies whose `X-Forwarded-For` header is trusted. By default, the client address is the address of the connection.',
    read: readProxies,
  },
  LOG_LEVEL: { default: 'info', meaning: 'Minimum level to log.', ...oneOf(LOG_LEVELS) },
  SLOW_REQUEST_MS: {
    default: '1000',
    meaning:
      'Requests that take at least this many milliseconds are logged as `slow request`, with their operation and what the database took of it. 0 logs none. Requests that wait for changes on purpose are never slow.',
    ...integer(0, 3_600_000),
  },
  SLOW_QUERY_MS: {
    default: '500',
    meaning:
      'Database queries that take at least this many milliseconds are logged as `slow query`, with the request ID or the job and without their values. 0 logs none.',
    ...integer(0, 3_600_000),
  },
  SHUTDOWN_TIMEOUT_SECONDS: {
    default: '25',
    meaning: 'How long a shutdown waits for requests in progress.',
    ...integer(1, 3600),
  },
  METRICS_TOKEN: {
    defaultNote: 'none: `/metrics` is public',
    takes: 'at least 16 ASCII characters without spaces',
    meaning: 'When set, `/metrics` requires it as an `Authorization: Bearer` token.',
    read: (text: string) => {
      if (!/^[\x21-\x7e]{16,}$/.test(text)) {
        throw new InvalidSetting('must have at least 16 ASCII characters and no spaces');
      }
      return text;
    },
  },
  AGENT_VENDORS: {
    default: 'claude-code,codex,cursor,command-line',
    takes: 'names, separated by commas',
    meaning:
      'Agents that can submit plans: the accepted values of `agentVendor`. `command-line`, for plans that people post with `countersign plan post`, is always one of them.',
    read: readVendors,
  },
  ALLOW_PRIVATE_ADDRESSES: {
    default: 'false',
    meaning:
      'Whether webhooks can be sent to, repositories fetched from, and identity providers reached on this machine and private networks. Leave it off unless you trust all administrators with access to your network.',
    ...oneOf(['true', 'false']),
  },
  ALLOW_LOCAL_REPOSITORIES: {
    default: 'false',
    meaning:
      'Whether administrators can add repositories on this machine (`file://` URLs and paths) in the web app. `countersign repo add` always can.',
    ...oneOf(['true', 'false']),
  },
  SECRET_FILE: {
    defaultNote: '`secret.key` in DATA_DIR',
    takes: 'a file',
    meaning:
      'The file with the key that encrypts repository credentials and webhook secrets. It is created at the first start. All nodes need the same file. Backups contain it, sealed by a passphrase.',
    read: readPath,
  },
  REPOSITORY_REFRESH_SECONDS: {
    default: '300',
    meaning: 'Time between two fetches of a repository, plus or minus 10%.',
    ...integer(10, 7 * 24 * 3600),
  },
  INDEX_DISK_BYTES: {
    default: '50000000000',
    meaning:
      'Maximum disk space for the search indexes on this node. The least recently used ones are deleted first. Search results stay exact without an index.',
    ...integer(10_000_000, 1_000_000_000_000_000),
  },
  SEARCH_TIMEOUT_SECONDS: {
    default: '10',
    meaning:
      'Time limit for a code search, including time in the queue. A search that runs out of time returns what it has found so far and notes what is missing.',
    ...integer(1, 600),
  },
  SEARCH_MAX_RUNNING: {
    defaultNote: 'the number of processors, at least 4',
    meaning:
      'Maximum number of concurrent code searches on this node. A single organization can never use all of them.',
    ...integer(1, 1000),
  },
  SEARCH_MAX_RUNNING_PER_KEY: {
    defaultNote: 'half of SEARCH_MAX_RUNNING',
    meaning: 'Maximum number of concurrent code searches per API key or session on this node.',
    ...integer(1, 1000),
  },
  SEARCH_MAX_WAITING: {
    default: '1000',
    meaning: 'Maximum number of queued code searches on this node. Further searches get a 503 response.',
    ...integer(1, 100_000),
  },
  SEARCH_MAX_WAITING_PER_KEY: {
    default: '50',
    meaning:
      'Maximum number of queued code searches per API key or session. Further searches get a 429 response.',
    ...integer(1, 100_000),
  },
  MCP_ALLOWED_ORIGINS: {
    default: '',
    takes: 'origins such as `https://agents.example.com`, separated by commas',
    meaning:
      'Additional sites whose pages can call `/mcp` from a browser. The web app and pages on the same computer always can. Calls still need an API key or a sign-in.',
    read: readOrigins,
  },
  ALLOWED_HOSTS: {
    default: '',
    takes: 'host names, separated by commas',
    meaning:
      'Additional host names for the web app, `/docs` and `/metrics`. The host of `BASE_URL`, `localhost` and IP addresses are always allowed. Any other name gets a 421 response, which protects against DNS rebinding.',
    read: readHosts,
  },
  MAX_WAITS_PER_CREDENTIAL: {
    default: '100',
    meaning:
      'How many plans, pull requests and repositories one API key, session or agent can follow at once on a node: open pages, `wait_for_review` and subscriptions together. `/metrics` shows how many are open.',
    ...integer(1, 100_000),
  },
  OAUTH_CLIENT_METADATA_DOCUMENTS: {
    default: 'false',
    meaning:
      'Whether agents can sign in with the URL of a client metadata document instead of registering. The service fetches the document from the public internet; leave this off if it has no internet access.',
    ...oneOf(['true', 'false']),
  },
} satisfies Record<string, Setting<unknown>>;

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new InvalidSetting('must be a URL such as https://review.example.com');
  }
  if (url.search || url.hash || url.username || url.password || url.pathname !== '/') {
    throw new InvalidSetting('must consist of a scheme and a host only, without a path, query or user');
  }
  return url.origin;
}

function readRoles(text: string): ProcessRole[] {
  const roles = text
    .toLowerCase()
    .split(',')
    .map((role) => role.trim());
  const valid = roles.every((role): role is ProcessRole =>
    (PROCESS_ROLES as readonly string[]).includes(role),
  );
  if (!valid) throw new InvalidSetting(`must be ${PROCESS_ROLES.join(', ')}, or both, separated by a comma`);
  return [...new Set(roles as ProcessRole[])];
}

/** Says that no agent wrote a plan. */
const COMMAND_LINE = 'command-line';

function readVendors(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => /^[\w.-]{1,100}$/.test(name))) {
    throw new InvalidSetting('must be names of letters, digits, `.`, `_` and `-`, separated by commas');
  }
  return [...new Set([...names, COMMAND_LINE])];
}

function readOrigins(text: string): string[] {
  const entries = readList(text);
  const wrong = entries.filter((entry) => URL.parse(entry)?.origin !== entry);
  if (wrong.length > 0)
    throw new InvalidSetting(
      `must be origins such as https://agents.example.com; not valid: ${wrong.join(', ')}`,
    );
  return entries;
}

function readProxies(text: string): string[] {
  const entries = readList(text);
  const wrong = entries.filter((entry) => !isNetwork(entry));
  if (wrong.length > 0)
    throw new InvalidSetting(`must be IP addresses or CIDR ranges; not valid: ${wrong.join(', ')}`);
  return entries;
}

/** Whether it is an IP address or a CIDR range. */
function isNetwork(entry: string): boolean {
  const address = entry.split('/', 1)[0]!;
  if (!isIP(address) || address.includes('%')) return false;
  return address === entry || ipaddr.isValidCIDR(entry);
}
