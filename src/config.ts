/** All settings together. The only file that reads the environment. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { EnvironmentSingleSignOn } from './engines/identity-provider/contract.ts';
import { errorCode, StartFailure } from './platform/core/errors/start-failure.ts';
import type { OutgoingNetwork } from './platform/core/network/outgoing-network.ts';
import type { MailServer } from './platform/core/ports/mail-server.ts';
import type { ConfiguredModels } from './platform/core/ports/model-endpoint.ts';
import { type Retention, type SessionLife, sessionLifeOf } from './platform/core/ports/retention.ts';
import { type TracingSettings, tracingOf } from './platform/core/telemetry/tracing-settings.ts';
import { InvalidSetting, modelsOf, type ProcessRole, SETTINGS, type Setting } from './settings/index.ts';

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
  const reader = createReader(environment);
  const { isSet, problems, read } = reader;
  const host = read('HOST');
  const port = read('PORT');
  const rateLimit = read('RATE_LIMIT');
  const perKey = read('RATE_LIMIT_PER_KEY');
  const perAddress = read('RATE_LIMIT_PER_ADDRESS');
  const dataDir = read('DATA_DIR');
  const backupFolder = read('BACKUP_DIR');
  const backupHours = read('BACKUP_EVERY_HOURS') ?? 0;
  const keptBackups = read('BACKUP_KEEP');
  const config = {
    host,
    port,
    baseUrl: isSet('BASE_URL') ? read('BASE_URL') : baseUrlOf(host, port, problems),
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
    searchLimits: readSearchLimits(reader),
    mcpAllowedOrigins: read('MCP_ALLOWED_ORIGINS'),
    allowedHosts: read('ALLOWED_HOSTS'),
    maxWaitsPerCredential: read('MAX_WAITS_PER_CREDENTIAL'),
    oauthClientMetadataDocuments: read('OAUTH_CLIENT_METADATA_DOCUMENTS') === 'true',
    models: readModels(reader),
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
    singleSignOn: readSingleSignOn(reader),
    mail: readMail(reader),
    network: {
      proxies: { https: read('HTTPS_PROXY'), http: read('HTTP_PROXY'), exceptions: read('NO_PROXY') },
      authorities: read('NODE_EXTRA_CA_CERTS'),
    },
    tracing: readTracing(reader),
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

/** Reads single settings, and collects their problems. */
function createReader(environment: Environment) {
  const problems: string[] = [];
  type Value<Name extends keyof typeof SETTINGS> = ReturnType<(typeof SETTINGS)[Name]['read']>;
  function read<Name extends keyof typeof SETTINGS>(name: Name): Value<Name> | undefined {
    const setting = SETTINGS[name] as Setting<Value<Name>>;
    // As in curl, the lower-case name of a proxy setting takes precedence.
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

  return { read, problems, isSet: (name: string) => Boolean(environment[name]?.trim()) };
}

type Reader = ReturnType<typeof createReader>;

function readTracing({ isSet, read }: Reader): TracingSettings | undefined {
  read('OTEL_EXPORTER_OTLP_PROTOCOL');
  return tracingOf({
    isDisabled: read('OTEL_SDK_DISABLED') === 'true',
    exporter: read('OTEL_TRACES_EXPORTER'),
    endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    tracesEndpoint: read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: isSet('OTEL_SERVICE_NAME') ? read('OTEL_SERVICE_NAME') : undefined,
    attributes: read('OTEL_RESOURCE_ATTRIBUTES'),
    sampler: read('OTEL_TRACES_SAMPLER'),
    ratio: read('OTEL_TRACES_SAMPLER_ARG'),
  });
}

function readMail({ isSet, problems, read }: Reader): MailServer | undefined {
  const server = read('SMTP_URL');
  const from = read('MAIL_FROM');
  if (!isSet('SMTP_URL')) return undefined;
  if (!isSet('MAIL_FROM')) problems.push('MAIL_FROM is required with SMTP_URL');
  return server && from ? { ...server, from } : undefined;
}

function readSingleSignOn({ isSet, problems, read }: Reader): Partial<EnvironmentSingleSignOn> | undefined {
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
  if (!isSet('SSO_ISSUER')) return undefined;
  if (!clientId || !clientSecret) {
    problems.push('SSO_CLIENT_ID and SSO_CLIENT_SECRET are required with SSO_ISSUER');
  }
  return settings;
}

function readModels({ problems, read }: Reader) {
  return modelsOf(
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
  );
}

function readSearchLimits({ read }: Reader) {
  const maxRunning = read('SEARCH_MAX_RUNNING') ?? Math.max(4, availableParallelism());
  return {
    maxRunning,
    maxRunningPerCredential: read('SEARCH_MAX_RUNNING_PER_KEY') ?? Math.max(1, Math.floor(maxRunning / 2)),
    maxWaiting: read('SEARCH_MAX_WAITING'),
    maxWaitingPerCredential: read('SEARCH_MAX_WAITING_PER_KEY'),
  };
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
