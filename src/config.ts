/** Every setting with its default and allowed values. The only file that reads the environment. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import ipaddr from 'ipaddr.js';
import { LOG_LEVELS } from './platform/core/log.ts';
import type { MailServer } from './platform/core/mail-server.ts';
import {
  type ConfiguredModels,
  DEFAULT_BUDGETS,
  MAX_BUDGET,
  MODEL_FORMATS,
  type ModelEndpoint,
  type ModelFormat,
} from './platform/core/model-endpoint.ts';
import type { OutgoingNetwork } from './platform/core/outgoing-network.ts';
import { type ProxyException, parseException, parseProxy } from './platform/core/proxy-rules.ts';
import { type Retention, type SessionLife, sessionLifeOf } from './platform/core/retention.ts';
import { MIN_PASSPHRASE_CHARACTERS } from './platform/core/secret-box.ts';
import { urlProblem } from './platform/core/server-url.ts';
import {
  type EnvironmentSingleSignOn,
  GIVEN_ROLES,
  type RoleRule,
} from './platform/core/single-sign-on-settings.ts';
import { errorCode, StartFailure } from './platform/core/start-failure.ts';
import { parsePairs, SAMPLERS, type TracingSettings, tracingOf } from './platform/core/tracing-settings.ts';

export const PROCESS_ROLES = ['web', 'worker'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export interface Config {
  host: string;
  port: number;
  /** Without a trailing slash. */
  baseUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  roles: ProcessRole[];
  bodyLimitBytes: number;
  rateLimit: { perKey: number; perAddress: number } | undefined;
  trustedProxies: string[];
  logLevel: string;
  /** 0: none is logged. */
  slowRequestMs: number;
  /** 0: none is logged. */
  slowQueryMs: number;
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
  /** For organizations that configured none of their own. */
  models: ConfiguredModels | undefined;
  /** Undefined when no backups are scheduled. */
  scheduledBackups: { folder: string; everyMs: number; keep: number } | undefined;
  sessionLife: SessionLife;
  retention: Retention;
  backupPassphrase: { text: string | undefined; file: string | undefined };
  singleSignOn: EnvironmentSingleSignOn | undefined;
  /** Undefined when no mail is sent. */
  mail: MailServer | undefined;
  network: OutgoingNetwork;
  /** Undefined when nothing is traced. */
  tracing: TracingSettings | undefined;
}

interface Setting<T> {
  /** As written in the environment; undefined when there is no default. */
  default?: string;
  /** Describes a default that depends on something else. */
  defaultNote?: string;
  takes: string;
  meaning: string;
  read(text: string): T;
}

/** A setting that cannot be read; the message follows its name, such as "must be an integer". */
class InvalidSetting extends Error {}

function integer(min: number, max: number): Pick<Setting<number>, 'takes' | 'read'> {
  const range = `${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  return {
    takes: `an integer, ${range}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) throw new InvalidSetting(`must be an integer from ${range}`);
      return value;
    },
  };
}

function oneOf<const T extends string>(values: readonly T[]): Pick<Setting<T>, 'takes' | 'read'> {
  return {
    takes: values.map((value) => `\`${value}\``).join(', '),
    read(text) {
      const value = values.find((candidate) => candidate === text.toLowerCase());
      if (value === undefined) throw new InvalidSetting(`must be one of ${values.join(', ')}`);
      return value;
    },
  };
}

export const SETTINGS = {
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
    default: '20',
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
    meaning: 'Maximum size of a request body. Larger requests get a 413 response.',
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
    meaning: 'What else to say about this process in traces.',
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
    default: 'claude-code,codex,cursor',
    takes: 'names, separated by commas',
    meaning: 'Agents that can submit plans: the accepted values of `agentVendor`.',
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
  HTTPS_PROXY: {
    defaultNote: 'none: directly',
    takes: '`http://user:password@proxy.example.com:3128`',
    meaning:
      'The proxy for outgoing requests to `https://` addresses: git, code hosts, webhooks, models, single sign-on and client metadata documents. SSH and SMTP connections are made directly. See [operations.md](operations.md#company-networks).',
    read: readProxyUrl,
  },
  HTTP_PROXY: {
    defaultNote: 'none: directly',
    takes: '`http://user:password@proxy.example.com:3128`',
    meaning: 'The same for `http://` addresses.',
    read: readProxyUrl,
  },
  NO_PROXY: {
    default: '',
    takes: 'host names, IP addresses or CIDR ranges, separated by commas; `*` for all',
    meaning:
      'What is reached without the proxy. A name includes everything below it; `name:port` only that port. This machine (`localhost`, `127.0.0.1`) is always reached directly.',
    read: readNoProxy,
  },
  NODE_EXTRA_CA_CERTS: {
    defaultNote: 'none',
    takes: 'a file with certificates (PEM)',
    meaning:
      'Certificate authorities to trust in addition to the public ones, for everything that the service connects to with TLS: git, code hosts, webhooks, models, mail, single sign-on, the proxy, and a database with `sslmode=verify-full`.',
    read: readAuthorities,
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
  MODEL_URL: {
    defaultNote: 'none: no model is used',
    takes: 'an HTTP or HTTPS URL',
    meaning:
      'The server of the language model that reviews use, such as `https://api.openai.com/v1`, `https://api.anthropic.com/v1` or `http://localhost:11434/v1`: what comes before `/chat/completions` or `/messages`. It can be on this machine or a private network. Code of all organizations that have not set up their own model is sent there. See [models.md](models.md).',
    read: readModelUrl,
  },
  MODEL_NAME: {
    defaultNote: 'none; required with MODEL_URL',
    takes: 'a name',
    meaning: 'The model, as its server calls it.',
    read: readModelName,
  },
  MODEL_FORMAT: {
    default: 'openai',
    meaning:
      'What the server speaks: the chat completions API of OpenAI, which most servers have, or the messages API of Anthropic.',
    ...oneOf(MODEL_FORMATS),
  },
  MODEL_API_KEY: {
    defaultNote: 'none',
    takes: 'a key',
    meaning: 'The key for the server of the model.',
    read: readModelKey,
  },
  SECOND_MODEL_NAME: {
    defaultNote: 'none: the same model',
    takes: 'a name',
    meaning:
      'Another model for the second look, which tries to refute what the first one found. It is on the server of MODEL_URL unless SECOND_MODEL_URL is set.',
    read: readModelName,
  },
  SECOND_MODEL_URL: {
    defaultNote: 'MODEL_URL',
    takes: 'an HTTP or HTTPS URL',
    meaning: 'The server of the second model. With it, format and key of the first one are not used.',
    read: readModelUrl,
  },
  SECOND_MODEL_FORMAT: {
    default: 'openai',
    meaning: 'The same as MODEL_FORMAT, for SECOND_MODEL_URL.',
    ...oneOf(MODEL_FORMATS),
  },
  SECOND_MODEL_API_KEY: {
    defaultNote: 'none',
    takes: 'a key',
    meaning: 'The key for SECOND_MODEL_URL.',
    read: readModelKey,
  },
  MODEL_TOKENS_PER_RUN: {
    default: String(DEFAULT_BUDGETS.run),
    meaning: 'Maximum number of tokens for one review, questions and answers together.',
    ...integer(1000, MAX_BUDGET),
  },
  MODEL_TOKENS_PER_PULL_REQUEST: {
    default: String(DEFAULT_BUDGETS.pullRequest),
    meaning: 'Maximum number of tokens for all reviews of one pull request.',
    ...integer(1000, MAX_BUDGET),
  },
  MODEL_TOKENS_PER_MONTH: {
    default: String(DEFAULT_BUDGETS.month),
    meaning: 'Maximum number of tokens per organization and calendar month (UTC).',
    ...integer(1000, MAX_BUDGET),
  },
  SESSION_IDLE_DAYS: {
    default: '14',
    meaning: 'How many days a session in the browser lasts without use.',
    ...integer(1, 365),
  },
  SESSION_MAX_DAYS: {
    default: '90',
    meaning: 'How many days a session in the browser lasts at most.',
    ...integer(1, 3650),
  },
  EVENT_RETENTION_DAYS: {
    default: '0',
    meaning:
      'How many days the activity of plans and pull requests is kept, with the inbox items it caused; 0 keeps it forever. Texts, versions and reviews are kept.',
    ...integer(0, 36_500),
  },
  PLANNER_SESSION_RETENTION_DAYS: {
    default: '0',
    meaning:
      'How many days the reports of agents about their planning sessions are kept; 0 keeps them forever.',
    ...integer(0, 36_500),
  },
  AUDIT_RETENTION_DAYS: {
    default: '0',
    meaning: 'How many days the audit log is kept; 0 keeps it forever.',
    ...integer(0, 36_500),
  },
  WEBHOOK_DELIVERY_RETENTION_DAYS: {
    default: '30',
    meaning: 'How many days deliveries of webhooks are kept; 0 keeps them forever.',
    ...integer(0, 36_500),
  },
  MAIL_RETENTION_DAYS: {
    default: '30',
    meaning: 'How many days records of sent mails are kept; 0 keeps them forever.',
    ...integer(0, 36_500),
  },
  BACKUP_DIR: {
    defaultNote: 'none: no scheduled backups',
    takes: 'a folder',
    meaning:
      'The folder for scheduled backups. Set it on one worker, or to a folder that all workers share: one of them makes each backup. See [operations.md](operations.md#backups).',
    read: readPath,
  },
  BACKUP_EVERY_HOURS: {
    default: '24',
    meaning: 'Time between two scheduled backups.',
    ...integer(1, 24 * 31),
  },
  BACKUP_KEEP: {
    default: '7',
    meaning: 'How many scheduled backups to keep. Older ones are deleted after a new one is complete.',
    ...integer(1, 10_000),
  },
  BACKUP_PASSPHRASE: {
    defaultNote: 'none',
    takes: `at least ${MIN_PASSPHRASE_CHARACTERS} characters`,
    meaning:
      'The passphrase that seals the secret file in backups. Without it, `countersign backup` asks for one, and scheduled backups leave the secret file out.',
    read: (text: string) => {
      if ([...text].length < MIN_PASSPHRASE_CHARACTERS)
        throw new InvalidSetting(`must have at least ${MIN_PASSPHRASE_CHARACTERS} characters`);
      return text;
    },
  },
  BACKUP_PASSPHRASE_FILE: {
    defaultNote: 'none',
    takes: 'a file',
    meaning: 'A file with the passphrase, in place of `BACKUP_PASSPHRASE`.',
    read: readPath,
  },
  SMTP_URL: {
    defaultNote: 'none: no mail is sent',
    takes: 'an SMTP URL',
    meaning:
      'The mail server for notifications, such as `smtps://user:password@mail.example.com` or `smtp://mail.example.com:587`. `smtps` uses TLS from the start (port 465), `smtp` STARTTLS if the server offers it (port 587); with a user, TLS is required. Percent-encode special characters. Set it on web and worker processes alike. See [notifications.md](notifications.md).',
    read: readSmtpUrl,
  },
  MAIL_FROM: {
    defaultNote: 'required with SMTP_URL',
    takes: 'an address',
    meaning:
      'The sender of notifications, such as `countersign@example.com` or `Countersign <countersign@example.com>`.',
    read: readSender,
  },
  SSO_ISSUER: {
    defaultNote: 'none: single sign-on is set up in the web app',
    takes: 'a URL',
    meaning:
      'The issuer of your OpenID Connect provider, exactly as it publishes it. With it, all single sign-on settings come from these variables and the page shows them read-only. See [single-sign-on.md](single-sign-on.md). It may be on a private network.',
    read: (text: string) => {
      const url = URL.parse(text);
      if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
        throw new InvalidSetting('must be an HTTP or HTTPS URL without a query');
      }
      return text;
    },
  },
  SSO_CLIENT_ID: {
    defaultNote: 'required with SSO_ISSUER',
    takes: 'ASCII characters without spaces',
    meaning: 'The client ID (application ID) that the provider gave you.',
    read: readClientValue,
  },
  SSO_CLIENT_SECRET: {
    defaultNote: 'required with SSO_ISSUER',
    takes: 'ASCII characters without spaces',
    meaning: 'The client secret that the provider gave you. It is stored encrypted.',
    read: readClientValue,
  },
  SSO_ORGANIZATION: {
    defaultNote: 'the first organization',
    takes: 'the name or ID of an organization',
    meaning: 'The organization that these settings are for.',
    read: readLine,
  },
  SSO_NAME: {
    default: 'single sign-on',
    takes: 'at most 200 characters',
    meaning: 'The name of the provider on the sign-in button, such as `Okta`.',
    read: readLine,
  },
  SSO_ALLOWED_DOMAINS: {
    default: '',
    takes: 'domains, separated by commas',
    meaning: 'Email domains that can sign in. Empty allows every address that the provider verified.',
    read: readHosts,
  },
  SSO_NEW_MEMBERS: {
    default: 'first_sign_in',
    meaning: 'Whether people become members when they first sign in, or need an invitation.',
    ...oneOf(['first_sign_in', 'invitation']),
  },
  SSO_DEFAULT_ROLE: {
    default: 'member',
    meaning: 'The role of new members, and of people in no mapped group. `none` refuses them.',
    ...oneOf([...GIVEN_ROLES, 'none']),
  },
  SSO_ROLE_CLAIM: {
    default: 'groups',
    takes: 'the name of a claim',
    meaning: 'The claim with the groups. Use dots for a nested claim, such as `realm_access.roles`.',
    read: readClientValue,
  },
  SSO_ROLES: {
    default: '',
    takes: 'pairs such as `engineering=member,platform=admin`',
    meaning:
      'Which group gets which role (`viewer`, `member` or `admin`). The highest one counts, at every sign-in.',
    read: readRoleRules,
  },
  SSO_PASSWORD_SIGN_IN: {
    default: 'on',
    meaning:
      'Whether people can sign in with a password as well. Before you turn it off, sign in with single sign-on once. `countersign sso off` is the way back in.',
    ...oneOf(['on', 'off']),
  },
  SSO_RECHECK_MINUTES: {
    default: '10',
    meaning: 'How often the provider is asked whether a person may still use the service.',
    ...integer(5, 1440),
  },
  SSO_SIGN_IN_HOURS: {
    default: '24',
    meaning: 'Where the provider gives no refresh token to ask with: how long access lasts after a sign-in.',
    ...integer(1, 720),
  },
} satisfies Record<string, Setting<unknown>>;

export type Environment = Record<string, string | undefined>;

/** The process environment, which takes precedence over an optional `.env` file in the working directory. */
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

/** Reads every setting and reports all problems at once. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  type Value<Name extends keyof typeof SETTINGS> = ReturnType<(typeof SETTINGS)[Name]['read']>;
  function read<Name extends keyof typeof SETTINGS>(name: Name): Value<Name> | undefined {
    const setting = SETTINGS[name] as Setting<Value<Name>>;
    // As in curl, the lower-case name of a proxy setting comes first.
    const lower = name.endsWith('_PROXY') ? environment[name.toLowerCase()]?.trim() : undefined;
    const text = lower || environment[name]?.trim() || setting.default;
    if (text === undefined) return undefined;
    try {
      return setting.read(text);
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error;
      problems.push(`${name} ${error.message}`);
      return undefined;
    }
  }

  function readTracing(): TracingSettings | undefined {
    read('OTEL_EXPORTER_OTLP_PROTOCOL');
    return tracingOf({
      isDisabled: read('OTEL_SDK_DISABLED') === 'true',
      exporter: read('OTEL_TRACES_EXPORTER'),
      endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
      tracesEndpoint: read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
      headers: read('OTEL_EXPORTER_OTLP_HEADERS'),
      serviceName: environment.OTEL_SERVICE_NAME?.trim() ? read('OTEL_SERVICE_NAME') : undefined,
      attributes: read('OTEL_RESOURCE_ATTRIBUTES'),
      sampler: read('OTEL_TRACES_SAMPLER'),
      ratio: read('OTEL_TRACES_SAMPLER_ARG'),
    });
  }

  function readMail(): MailServer | undefined {
    const server = read('SMTP_URL');
    const from = read('MAIL_FROM');
    if (!environment.SMTP_URL?.trim()) return undefined;
    if (!environment.MAIL_FROM?.trim()) problems.push('MAIL_FROM is required with SMTP_URL');
    return server && from ? { ...server, from } : undefined;
  }

  function readSingleSignOn(): Partial<EnvironmentSingleSignOn> | undefined {
    const issuer = read('SSO_ISSUER');
    const clientId = read('SSO_CLIENT_ID');
    const clientSecret = read('SSO_CLIENT_SECRET');
    const defaultRole = read('SSO_DEFAULT_ROLE');
    const settings = {
      issuer,
      clientId,
      clientSecret,
      organization: read('SSO_ORGANIZATION'),
      name: read('SSO_NAME'),
      allowedDomains: read('SSO_ALLOWED_DOMAINS'),
      newMembers: read('SSO_NEW_MEMBERS'),
      defaultRole: defaultRole === 'none' ? null : defaultRole,
      roleClaim: read('SSO_ROLE_CLAIM'),
      roleRules: read('SSO_ROLES'),
      passwordSignIn: read('SSO_PASSWORD_SIGN_IN') === 'on',
      recheckMinutes: read('SSO_RECHECK_MINUTES'),
      signInHours: read('SSO_SIGN_IN_HOURS'),
    };
    if (!environment.SSO_ISSUER?.trim()) return undefined;
    if (!clientId || !clientSecret) {
      problems.push('SSO_CLIENT_ID and SSO_CLIENT_SECRET are required with SSO_ISSUER');
    }
    return settings;
  }

  const host = read('HOST');
  const port = read('PORT');
  const rateLimit = read('RATE_LIMIT');
  const perKey = read('RATE_LIMIT_PER_KEY');
  const perAddress = read('RATE_LIMIT_PER_ADDRESS');
  const dataDir = read('DATA_DIR');
  const backupFolder = read('BACKUP_DIR');
  const backupHours = read('BACKUP_EVERY_HOURS') ?? 0;
  const keptBackups = read('BACKUP_KEEP');
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
    slowRequestMs: read('SLOW_REQUEST_MS'),
    slowQueryMs: read('SLOW_QUERY_MS'),
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
    models: modelsOf(
      {
        first: {
          url: read('MODEL_URL'),
          name: read('MODEL_NAME'),
          format: read('MODEL_FORMAT'),
          key: read('MODEL_API_KEY'),
        },
        second: {
          url: read('SECOND_MODEL_URL'),
          name: read('SECOND_MODEL_NAME'),
          format: read('SECOND_MODEL_FORMAT'),
          key: read('SECOND_MODEL_API_KEY'),
        },
        run: read('MODEL_TOKENS_PER_RUN') ?? 0,
        pullRequest: read('MODEL_TOKENS_PER_PULL_REQUEST') ?? 0,
        month: read('MODEL_TOKENS_PER_MONTH') ?? 0,
      },
      problems,
    ),
    sessionLife: sessionLifeOf({ idle: read('SESSION_IDLE_DAYS') ?? 0, max: read('SESSION_MAX_DAYS') ?? 0 }),
    retention: {
      events: read('EVENT_RETENTION_DAYS'),
      plannerSessions: read('PLANNER_SESSION_RETENTION_DAYS'),
      auditEvents: read('AUDIT_RETENTION_DAYS'),
      webhookDeliveries: read('WEBHOOK_DELIVERY_RETENTION_DAYS'),
      mails: read('MAIL_RETENTION_DAYS'),
    },
    scheduledBackups: backupFolder && {
      folder: backupFolder,
      everyMs: backupHours * 3_600_000,
      keep: keptBackups,
    },
    backupPassphrase: { text: read('BACKUP_PASSPHRASE'), file: read('BACKUP_PASSPHRASE_FILE') },
    singleSignOn: readSingleSignOn(),
    mail: readMail(),
    network: {
      proxies: { https: read('HTTPS_PROXY'), http: read('HTTP_PROXY'), exceptions: read('NO_PROXY') },
      authorities: read('NODE_EXTRA_CA_CERTS'),
    },
    tracing: readTracing(),
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

/** The URL derived from HOST and PORT, in the form browsers use: without port 80. */
function baseUrlOf(
  host: string | undefined,
  port: number | undefined,
  problems: string[],
): string | undefined {
  if (host === undefined || port === undefined) return undefined;
  const allInterfaces = host === '0.0.0.0' || host === '::';
  const url = `http://${allInterfaces ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
  if (URL.canParse(url)) return new URL(url).origin;
  problems.push('BASE_URL is required, because HOST is not valid in a URL');
  return undefined;
}

interface ModelSettings {
  url: string | undefined;
  name: string | undefined;
  format: ModelFormat | undefined;
  key: string | undefined;
}

function modelsOf(
  settings: { first: ModelSettings; second: ModelSettings; run: number; pullRequest: number; month: number },
  problems: string[],
): ConfiguredModels | undefined {
  const { first, month, pullRequest, run, second } = settings;
  if ((first.url === undefined) !== (first.name === undefined)) {
    problems.push('MODEL_URL and MODEL_NAME must be set together');
  }
  if (second.name === undefined && second.url !== undefined) {
    problems.push('SECOND_MODEL_NAME is required with SECOND_MODEL_URL');
  }
  if (first.url === undefined && second.name !== undefined) {
    problems.push('MODEL_URL is required with SECOND_MODEL_NAME');
  }
  // The operator chose the address, so it may be on this machine.
  const endpoint = ({ format = 'openai', key, name, url }: ModelSettings): ModelEndpoint => ({
    ...{ format, url: url ?? '', model: name ?? '', key: key ?? null },
    allowPrivateAddresses: true,
  });
  if (first.url === undefined) return undefined;
  const server = second.url === undefined ? first : second;
  return {
    finding: endpoint(first),
    secondLook: second.name === undefined ? null : endpoint({ ...server, name: second.name }),
    budgets: { run, pullRequest, month },
  };
}

function readModelUrl(text: string): string {
  const problem = urlProblem(text, true);
  if (problem) throw new InvalidSetting(problem);
  return text.replace(/\/+$/, '');
}

function readModelName(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) {
    throw new InvalidSetting('must have at most 200 ASCII characters and no spaces');
  }
  return text;
}

function readModelKey(text: string): string {
  if (!/^[\x21-\x7e]{1,4000}$/.test(text)) {
    throw new InvalidSetting('must have at most 4,000 ASCII characters and no spaces');
  }
  return text;
}

function readClientValue(text: string): string {
  if (!/^[\x21-\x7e]{1,2000}$/.test(text)) {
    throw new InvalidSetting('must have at most 2,000 ASCII characters and no spaces');
  }
  return text;
}

/** A name on one line. */
function readLine(text: string): string {
  if (/\p{Cc}/u.test(text) || [...text].length > 200) {
    throw new InvalidSetting('must have at most 200 characters and no control characters');
  }
  return text;
}

/** Groups may contain colons, slashes and spaces, but neither `=` nor a comma. */
function readRoleRules(text: string): RoleRule[] {
  return text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [value, name, ...more] = pair.split('=').map((part) => part.trim());
      const role = GIVEN_ROLES.find((each) => each === name);
      if (!value || !role || more.length > 0) {
        throw new InvalidSetting(`must be pairs such as engineering=member, with ${GIVEN_ROLES.join(', ')}`);
      }
      return { value, role };
    });
}

/** Never repeats the text, which may contain a password. */
function readSmtpUrl(text: string): Omit<MailServer, 'from'> {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') {
    throw new InvalidSetting('must be a URL such as smtps://user:password@mail.example.com');
  }
  if (url.search || url.hash || (url.pathname !== '' && url.pathname !== '/')) {
    throw new InvalidSetting('must not have a path, query or fragment');
  }
  const secure = url.protocol === 'smtps:';
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      credentials:
        url.username === ''
          ? undefined
          : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    };
  } catch {
    throw new InvalidSetting('must have a percent-encoded user and password');
  }
}

function readSender(text: string): string {
  if (!/^(?:[^\p{Cc}<>,;:"@]{1,100} )?(?:<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/u.test(text)) {
    throw new InvalidSetting('must be an address such as Countersign <countersign@example.com>');
  }
  return text;
}

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

function readPath(text: string): string {
  if (text.includes('\0')) throw new InvalidSetting('must not contain the NUL character');
  return resolve(text);
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

function readVendors(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => /^[\w.-]{1,100}$/.test(name))) {
    throw new InvalidSetting('must be names of letters, digits, `.`, `_` and `-`, separated by commas');
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
    throw new InvalidSetting(
      `must be origins such as https://agents.example.com; not valid: ${wrong.join(', ')}`,
    );
  return entries;
}

function readHosts(text: string): string[] {
  const entries = readList(text).map((entry) => entry.toLowerCase());
  const wrong = entries.filter((entry) => URL.parse(`http://${entry}`)?.hostname !== entry);
  if (wrong.length > 0)
    throw new InvalidSetting(`must be host names without a port; not valid: ${wrong.join(', ')}`);
  return entries;
}

function readProxies(text: string): string[] {
  const entries = readList(text);
  const wrong = entries.filter((entry) => !isNetwork(entry));
  if (wrong.length > 0)
    throw new InvalidSetting(`must be IP addresses or CIDR ranges; not valid: ${wrong.join(', ')}`);
  return entries;
}

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

/** Never repeats the text, which may contain a password. */
function readProxyUrl(text: string): URL {
  const url = parseProxy(text);
  if (!url) {
    throw new InvalidSetting(
      'must be a URL such as http://user:password@proxy.example.com:3128, starting with http:// or https://, with a percent-encoded user and password',
    );
  }
  return url;
}

function readNoProxy(text: string): ProxyException[] {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  const parsed = entries.map(parseException);
  const wrong = entries.filter((_entry, index) => parsed[index] === undefined);
  if (wrong.length > 0)
    throw new InvalidSetting(
      `must be host names, IP addresses or CIDR ranges; not valid: ${wrong.join(', ')}`,
    );
  return parsed as ProxyException[];
}

function readAuthorities(file: string): { file: string; certificates: string[] } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidSetting(`must be a file that can be read: ${(error as Error).message}`);
  }
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!certificates) throw new InvalidSetting(`must contain certificates in PEM format: ${file}`);
  return { file: resolve(file), certificates };
}

/** Whether it is an IP address or a CIDR range. */
function isNetwork(entry: string): boolean {
  const address = entry.split('/', 1)[0]!;
  if (!isIP(address) || address.includes('%')) return false;
  return address === entry || ipaddr.isValidCIDR(entry);
}
