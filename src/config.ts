/** Every setting, where it comes from and what it may be: the only reader of the environment. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import ipaddr from 'ipaddr.js';
import { LOG_LEVELS } from './platform/core/log.ts';
import { errorCode, StartFailure } from './platform/core/start-failure.ts';

export const PROCESS_ROLES = ['web', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export interface Config {
  host: string;
  port: number;
  /** Without a slash at the end. */
  baseUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  roles: ProcessRole[];
  bodyLimitBytes: number;
  rateLimit: { perKey: number; perAddress: number } | undefined;
  trustedProxies: string[];
  logLevel: string;
  shutdownTimeoutMs: number;
  metricsToken: string | undefined;
  agentVendors: string[];
  allowPrivateAddresses: boolean;
  allowLocalRepositories: boolean;
  secretFile: string;
  repositoryRefreshSeconds: number;
  indexDiskBytes: number;
  searchTimeoutMs: number;
  searchLimits: {
    maxRunning: number;
    maxRunningPerCredential: number;
    maxWaiting: number;
    maxWaitingPerCredential: number;
  };
  mcpAllowedOrigins: string[];
  allowedHosts: string[];
  maxWaitsPerCredential: number;
  oauthClientMetadataDocuments: boolean;
}

interface Setting<T> {
  /** As it would be written in the environment; undefined when there is none. */
  default?: string;
  /** What the default is when it depends on something else. */
  defaultNote?: string;
  takes: string;
  meaning: string;
  read(text: string): T;
}

/** A sentence about a setting that follows its name, such as "must be a whole number". */
class Unreadable extends Error {}

function wholeNumber(least: number, most: number): Pick<Setting<number>, 'takes' | 'read'> {
  const range = `${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
  return {
    takes: `a whole number, ${range}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= least && value <= most)) throw new Unreadable(`must be a whole number from ${range}`);
      return value;
    },
  };
}

function oneOf<const T extends string>(values: readonly T[]): Pick<Setting<T>, 'takes' | 'read'> {
  return {
    takes: values.map((value) => `\`${value}\``).join(', '),
    read(text) {
      const value = values.find((candidate) => candidate === text.toLowerCase());
      if (value === undefined) throw new Unreadable(`must be one of ${values.join(', ')}`);
      return value;
    },
  };
}

export const SETTINGS = {
  HOST: {
    default: '127.0.0.1',
    takes: 'an address or host name',
    meaning:
      'The address to listen on. `0.0.0.0` or `::` listens on every network; put a TLS proxy in front then.',
    read: (text: string) => {
      if (!isIP(text) && !/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i.test(text)) {
        throw new Unreadable('must be an address or host name alone, such as 127.0.0.1 or ::1');
      }
      return text;
    },
  },
  PORT: { default: '4000', meaning: 'The port to listen on; 0 picks a free one.', ...wholeNumber(0, 65_535) },
  BASE_URL: {
    defaultNote: '`http://HOST:PORT`, with `localhost` for every network',
    takes: 'an http or https address',
    meaning:
      'The address under which people and agents reach the service; links, cookies and the cross-origin check use it. With https, cookies are `Secure` and `__Host-`.',
    read: readBaseUrl,
  },
  DATA_DIR: {
    default: './data',
    takes: 'a folder',
    meaning:
      'Where the embedded PostgreSQL and all other files live. It is created when missing; one service at a time uses it.',
    read: (text: string) => {
      if (text.includes('\0')) throw new Unreadable('must not contain the NUL character');
      return resolve(text);
    },
  },
  DATABASE_URL: {
    defaultNote: 'an embedded PostgreSQL 18 in DATA_DIR',
    takes: '`postgres://user:password@host:5432/name`',
    meaning:
      'A PostgreSQL of your own, 15 or newer. TLS as libpq has it: `?sslmode=` `disable`, `allow`, `prefer` (the default), `require`, `verify-ca` or `verify-full`, with `sslrootcert`, `sslcert` and `sslkey` naming files.',
    read: (text: string) => {
      if (!/^postgres(ql)?:\/\//.test(text))
        throw new Unreadable('must begin with postgres:// or postgresql://');
      return text;
    },
  },
  DATABASE_POOL_SIZE: {
    default: '20',
    meaning: 'Connections to PostgreSQL that one process opens at most.',
    ...wholeNumber(2, 500),
  },
  ROLES: {
    default: 'web,worker',
    takes: '`web`, `worker`, or both with a comma',
    meaning:
      'What this process does: `web` answers requests, `worker` does the work that is due at set times.',
    read: readRoles,
  },
  BODY_LIMIT_BYTES: {
    default: '2097152',
    meaning: 'The largest request body; beyond it the reply is 413.',
    ...wholeNumber(1024, 64 * 1024 * 1024),
  },
  RATE_LIMIT: {
    default: 'on',
    meaning: 'Whether requests are limited at all.',
    ...oneOf(['on', 'off']),
  },
  RATE_LIMIT_PER_KEY: {
    default: '6000',
    meaning: 'Requests a minute for each API key or session, counted by each process.',
    ...wholeNumber(1, 10_000_000),
  },
  RATE_LIMIT_PER_ADDRESS: {
    default: '300',
    meaning:
      'Requests a minute for each network address without a valid credential, counted by each process.',
    ...wholeNumber(1, 10_000_000),
  },
  TRUSTED_PROXIES: {
    default: '',
    takes: 'addresses or CIDR ranges with commas',
    meaning:
      'The proxies whose `X-Forwarded-For` is believed. Without them the address of the connection counts.',
    read: readProxies,
  },
  LOG_LEVEL: { default: 'info', meaning: 'The least level that is logged.', ...oneOf(LOG_LEVELS) },
  SHUTDOWN_TIMEOUT_SECONDS: {
    default: '25',
    meaning: 'How long a stop waits for requests that are under way.',
    ...wholeNumber(1, 3600),
  },
  METRICS_TOKEN: {
    defaultNote: '`/metrics` is open',
    takes: 'at least 16 ASCII characters without spaces',
    meaning: 'When set, `/metrics` asks for it as `Authorization: Bearer`.',
    read: (text: string) => {
      if (!/^[\x21-\x7e]{16,}$/.test(text)) {
        throw new Unreadable('must have at least 16 characters, all of them ASCII and none a space');
      }
      return text;
    },
  },
  AGENT_VENDORS: {
    default: 'claude-code,codex,cursor',
    takes: 'names with commas',
    meaning: 'The agent clients that may post plans: what `agentVendor` takes.',
    read: readVendors,
  },
  ALLOW_PRIVATE_ADDRESSES: {
    default: 'false',
    meaning:
      'Whether webhooks may go to this machine and to private networks, and repositories may be fetched from there. Leave it off where people whom you do not trust with your network are administrators.',
    ...oneOf(['true', 'false']),
  },
  ALLOW_LOCAL_REPOSITORIES: {
    default: 'false',
    meaning:
      'Whether administrators may add repositories that lie on this machine (`file://` and paths) in the web app. `countersign repo add` may always.',
    ...oneOf(['true', 'false']),
  },
  SECRET_FILE: {
    defaultNote: '`secret.key` in DATA_DIR',
    takes: 'a file',
    meaning:
      "The secret that repositories' credentials are encrypted with. It is made at the first start. Every node needs the same one; keep a copy apart from the database's backups.",
    read: (text: string) => {
      if (text.includes('\0')) throw new Unreadable('must not contain the NUL character');
      return resolve(text);
    },
  },
  REPOSITORY_REFRESH_SECONDS: {
    default: '300',
    meaning: 'How long after a refresh a repository is fetched again, give or take a tenth.',
    ...wholeNumber(10, 7 * 24 * 3600),
  },
  INDEX_DISK_BYTES: {
    default: '50000000000',
    meaning:
      'How much disk the search indexes of this node may take; those not used for longest go first. Search stays exact without them.',
    ...wholeNumber(10_000_000, 1_000_000_000_000_000),
  },
  SEARCH_TIMEOUT_SECONDS: {
    default: '10',
    meaning:
      'How long a code search may take, waiting for its turn included; what was found by then is returned, with a note of what is missing.',
    ...wholeNumber(1, 600),
  },
  SEARCH_MAX_RUNNING: {
    defaultNote: 'the number of processors, at least 4',
    meaning:
      'Code searches that run at once on this node. One organization never takes all of them, so that others need not wait for it.',
    ...wholeNumber(1, 1000),
  },
  SEARCH_MAX_RUNNING_PER_KEY: {
    defaultNote: 'half of SEARCH_MAX_RUNNING',
    meaning: 'Code searches of one API key or session that run at once on this node.',
    ...wholeNumber(1, 1000),
  },
  SEARCH_MAX_WAITING: {
    default: '1000',
    meaning: 'Code searches that wait for their turn on this node; beyond it the reply is 503.',
    ...wholeNumber(1, 100_000),
  },
  SEARCH_MAX_WAITING_PER_KEY: {
    default: '50',
    meaning: 'Code searches of one API key or session that wait for their turn; beyond it the reply is 429.',
    ...wholeNumber(1, 100_000),
  },
  MCP_ALLOWED_ORIGINS: {
    default: '',
    takes: 'origins such as `https://agents.example.com`, with commas',
    meaning:
      'The sites whose pages may call `/mcp` from a browser, besides our own and those on the same computer. They still need a key or a sign-in.',
    read: readOrigins,
  },
  ALLOWED_HOSTS: {
    default: '',
    takes: 'host names with commas',
    meaning:
      'Other host names under which browsers may open the web app, `/docs` and `/metrics`. The host of `BASE_URL`, `localhost` and IP addresses are always allowed; every other name gets 421, which protects against DNS rebinding.',
    read: readHosts,
  },
  MAX_WAITS_PER_CREDENTIAL: {
    default: '100',
    meaning:
      'How many plans one API key, session or agent can follow at once on a node: open pages, `wait_for_plan_review` and subscriptions together. `/metrics` shows how many are open.',
    ...wholeNumber(1, 100_000),
  },
  OAUTH_CLIENT_METADATA_DOCUMENTS: {
    default: 'false',
    meaning:
      'Whether agents may name the address of a document about themselves instead of registering when they are signed in. The service then fetches it from the public internet; without access to it, leave this off.',
    ...oneOf(['true', 'false']),
  },
} satisfies Record<string, Setting<unknown>>;

export type Environment = Record<string, string | undefined>;

/** The process environment over an optional `.env` in the working folder. */
export function readEnvironment(folder: string = process.cwd()): Environment {
  return { ...readEnvFile(resolve(folder, '.env')), ...process.env };
}

function readEnvFile(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8').replace(/^\u{feff}/u, ''));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new StartFailure('configuration', `${file} cannot be read: ${(error as Error).message}.`, error);
  }
}

/** Reads every setting, and reports all problems at once. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  type Value<Name extends keyof typeof SETTINGS> = ReturnType<(typeof SETTINGS)[Name]['read']>;
  function read<Name extends keyof typeof SETTINGS>(name: Name): Value<Name> | undefined {
    const setting = SETTINGS[name] as Setting<Value<Name>>;
    const text = environment[name]?.trim() || setting.default;
    if (text === undefined) return undefined;
    try {
      return setting.read(text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push(`${name} ${error.message}`);
      return undefined;
    }
  }

  const host = read('HOST');
  const port = read('PORT');
  const rateLimit = read('RATE_LIMIT');
  const perKey = read('RATE_LIMIT_PER_KEY');
  const perAddress = read('RATE_LIMIT_PER_ADDRESS');
  const dataDir = read('DATA_DIR');
  const searchMaxRunning = read('SEARCH_MAX_RUNNING') ?? Math.max(4, availableParallelism());
  const config = {
    host,
    port,
    baseUrl: environment.BASE_URL?.trim() ? read('BASE_URL') : baseUrlOf(host, port, problems),
    dataDir,
    databaseUrl: read('DATABASE_URL'),
    databasePoolSize: read('DATABASE_POOL_SIZE'),
    roles: read('ROLES'),
    bodyLimitBytes: read('BODY_LIMIT_BYTES'),
    rateLimit: rateLimit === 'off' ? undefined : { perKey, perAddress },
    trustedProxies: read('TRUSTED_PROXIES'),
    logLevel: read('LOG_LEVEL'),
    shutdownTimeoutMs: (read('SHUTDOWN_TIMEOUT_SECONDS') ?? 0) * 1000,
    metricsToken: read('METRICS_TOKEN'),
    agentVendors: read('AGENT_VENDORS'),
    allowPrivateAddresses: read('ALLOW_PRIVATE_ADDRESSES') === 'true',
    allowLocalRepositories: read('ALLOW_LOCAL_REPOSITORIES') === 'true',
    secretFile: read('SECRET_FILE') ?? join(dataDir ?? '', 'secret.key'),
    repositoryRefreshSeconds: read('REPOSITORY_REFRESH_SECONDS'),
    indexDiskBytes: read('INDEX_DISK_BYTES'),
    searchTimeoutMs: (read('SEARCH_TIMEOUT_SECONDS') ?? 0) * 1000,
    searchLimits: {
      maxRunning: searchMaxRunning,
      maxRunningPerCredential:
        read('SEARCH_MAX_RUNNING_PER_KEY') ?? Math.max(1, Math.floor(searchMaxRunning / 2)),
      maxWaiting: read('SEARCH_MAX_WAITING'),
      maxWaitingPerCredential: read('SEARCH_MAX_WAITING_PER_KEY'),
    },
    mcpAllowedOrigins: read('MCP_ALLOWED_ORIGINS'),
    allowedHosts: read('ALLOWED_HOSTS'),
    maxWaitsPerCredential: read('MAX_WAITS_PER_CREDENTIAL'),
    oauthClientMetadataDocuments: read('OAUTH_CLIENT_METADATA_DOCUMENTS') === 'true',
  };
  if (problems.length > 0) {
    const lines = problems.map((problem) => `  - ${problem}`).join('\n');
    throw new StartFailure(
      'configuration',
      `The configuration has problems:\n${lines}\nSee docs/configuration.md.`,
    );
  }
  return config as Config;
}

/** The address that follows from HOST and PORT, written as browsers write it: without the port 80. */
function baseUrlOf(
  host: string | undefined,
  port: number | undefined,
  problems: string[],
): string | undefined {
  if (host === undefined || port === undefined) return undefined;
  const everywhere = host === '0.0.0.0' || host === '::';
  const url = `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
  if (URL.canParse(url)) return new URL(url).origin;
  problems.push('BASE_URL is needed here, because no address can be made from HOST');
  return undefined;
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Unreadable('must be an address such as https://review.example.com');
  }
  if (url.search || url.hash || url.username || url.password || url.pathname !== '/') {
    throw new Unreadable('must be a host alone, without a path, query or user');
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
  if (!valid) throw new Unreadable(`must be ${PROCESS_ROLES.join(', ')}, or both with a comma`);
  return [...new Set(roles as ProcessRole[])];
}

function readVendors(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => /^[\w.-]{1,100}$/.test(name))) {
    throw new Unreadable('must hold names of letters, digits, `.`, `_` and `-`, with commas between them');
  }
  return [...new Set(names)];
}

function readList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function readOrigins(text: string): string[] {
  const entries = readList(text);
  const wrong = entries.filter((entry) => URL.parse(entry)?.origin !== entry);
  if (wrong.length > 0)
    throw new Unreadable(`must hold origins such as https://agents.example.com; ${wrong.join(', ')} is none`);
  return entries;
}

function readHosts(text: string): string[] {
  const entries = readList(text).map((entry) => entry.toLowerCase());
  const wrong = entries.filter((entry) => URL.parse(`http://${entry}`)?.hostname !== entry);
  if (wrong.length > 0)
    throw new Unreadable(`must hold host names without a port; ${wrong.join(', ')} is none`);
  return entries;
}

function readProxies(text: string): string[] {
  const entries = readList(text);
  const wrong = entries.filter((entry) => !isNetwork(entry));
  if (wrong.length > 0)
    throw new Unreadable(`must hold addresses or CIDR ranges; ${wrong.join(', ')} is neither`);
  return entries;
}

/** An address, or a CIDR range. */
function isNetwork(entry: string): boolean {
  const address = entry.split('/', 1)[0]!;
  if (!isIP(address) || address.includes('%')) return false;
  return address === entry || ipaddr.isValidCIDR(entry);
}
