/** Every setting is read as documented, all problems are reported at once, and no value makes it crash. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { cleanUp, temporaryFolder } from '../test/helpers/processes/real-processes.ts';
import { anyCharacter } from '../test/helpers/text/any-character.ts';
import { readConfig, readEnvironment } from './config.ts';
import { StartFailure } from './platform/core/errors/start-failure.ts';
import { SETTINGS } from './settings/index.ts';

afterEach(() => vi.unstubAllEnvs());
afterAll(cleanUp);

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(StartFailure);
    expect((error as StartFailure).kind).toBe('configuration');
    const lines = (error as Error).message.split('\n');
    expect(lines[0]).toBe('The configuration has problems:');
    expect(lines.at(-1)).toBe('See docs/configuration.md.');
    return lines.slice(1, -1).map((line) => line.replace(/^ {2}- /, ''));
  }
  return [];
}

it('has defaults for everything', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 4000,
    baseUrl: 'http://127.0.0.1:4000',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databasePoolSize: 10,
    roles: ['web', 'worker'],
    bodyLimitBytes: 2 * 1024 * 1024,
    rateLimit: { perKey: 6000, perAddress: 300 },
    trustedProxies: [],
    logLevel: 'info',
    slowRequestMs: 1000,
    slowQueryMs: 500,
    shutdownTimeoutMs: 25_000,
    metricsToken: undefined,
    agentVendors: ['claude-code', 'codex', 'cursor', 'command-line'],
    allowPrivateAddresses: false,
    allowLocalRepositories: false,
    secretFile: resolve('data/secret.key'),
    repositoryRefreshSeconds: 300,
    indexDiskBytes: 50_000_000_000,
    searchTimeoutMs: 10_000,
    searchLimits: {
      maxRunning: expect.any(Number),
      maxRunningPerCredential: expect.any(Number),
      maxWaiting: 1000,
      maxWaitingPerCredential: 50,
    },
    mcpAllowedOrigins: [],
    allowedHosts: [],
    maxWaitsPerCredential: 100,
    oauthClientMetadataDocuments: false,
    sessionLife: { idleMs: 14 * 86_400_000, maxDurationMs: 90 * 86_400_000 },
    retention: { events: 0, plannerSessions: 0, auditEvents: 0, webhookDeliveries: 30, mails: 30 },
    scheduledBackups: undefined,
    tracing: undefined,
    network: { proxies: { https: undefined, http: undefined, exceptions: [] }, authorities: undefined },
    backupPassphrase: { text: undefined, file: undefined },
  });
});

it('treats an empty or blank value as unset', () => {
  const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ' ']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

describe('each setting', () => {
  it.each([
    ['BACKUP_DIR', '/backups', { scheduledBackups: { folder: '/backups', everyMs: 86_400_000, keep: 7 } }],
    ['SESSION_MAX_DAYS', '7', { sessionLife: { idleMs: 14 * 86_400_000, maxDurationMs: 7 * 86_400_000 } }],
    ['HOST', '::1', { host: '::1', baseUrl: 'http://[::1]:4000' }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0', baseUrl: 'http://localhost:4000' }],
    ['HOST', '::', { host: '::', baseUrl: 'http://localhost:4000' }],
    ['HOST', 'review.local', { host: 'review.local', baseUrl: 'http://review.local:4000' }],
    ['PORT', ' 8080 ', { port: 8080, baseUrl: 'http://127.0.0.1:8080' }],
    ['PORT', '80', { port: 80, baseUrl: 'http://127.0.0.1' }],
    ['PORT', '0', { port: 0, baseUrl: 'http://127.0.0.1:0' }],
    ['BASE_URL', 'https://review.example.com/', { baseUrl: 'https://review.example.com' }],
    ['BASE_URL', 'HTTPS://Review.Example.com:443', { baseUrl: 'https://review.example.com' }],
    [
      'DATA_DIR',
      '/var/lib/countersign',
      { dataDir: '/var/lib/countersign', secretFile: '/var/lib/countersign/secret.key' },
    ],
    ['DATABASE_URL', 'postgresql://h/d', { databaseUrl: 'postgresql://h/d' }],
    ['DATABASE_POOL_SIZE', '2', { databasePoolSize: 2 }],
    ['ROLES', 'Worker', { roles: ['worker'] }],
    ['ROLES', 'web, worker,web', { roles: ['web', 'worker'] }],
    ['BODY_LIMIT_BYTES', '1024', { bodyLimitBytes: 1024 }],
    ['RATE_LIMIT', 'OFF', { rateLimit: undefined }],
    ['RATE_LIMIT_PER_KEY', '1', { rateLimit: { perKey: 1, perAddress: 300 } }],
    ['RATE_LIMIT_PER_ADDRESS', '2', { rateLimit: { perKey: 6000, perAddress: 2 } }],
    [
      'MCP_ALLOWED_ORIGINS',
      'https://a.example, http://b.example:8080',
      { mcpAllowedOrigins: ['https://a.example', 'http://b.example:8080'] },
    ],
    ['TRUSTED_PROXIES', '10.0.0.0/8, ::1,', { trustedProxies: ['10.0.0.0/8', '::1'] }],
    ['LOG_LEVEL', 'Debug', { logLevel: 'debug' }],
    ['SHUTDOWN_TIMEOUT_SECONDS', '1', { shutdownTimeoutMs: 1000 }],
    ['METRICS_TOKEN', '0123456789abcdef', { metricsToken: '0123456789abcdef' }],
    ['ALLOW_LOCAL_REPOSITORIES', 'TRUE', { allowLocalRepositories: true }],
    ['SECRET_FILE', '/run/secrets/countersign', { secretFile: '/run/secrets/countersign' }],
    ['REPOSITORY_REFRESH_SECONDS', '60', { repositoryRefreshSeconds: 60 }],
    ['INDEX_DISK_BYTES', '10000000', { indexDiskBytes: 10_000_000 }],
    ['SEARCH_TIMEOUT_SECONDS', '3', { searchTimeoutMs: 3000 }],
    ['OAUTH_CLIENT_METADATA_DOCUMENTS', 'true', { oauthClientMetadataDocuments: true }],
  ])('%s=%s', (name, text, expected) => {
    expect(readConfig({ [name]: text })).toEqual({ ...readConfig({}), ...expected });
  });

  it.each([
    ['HOST', 'a b'],
    ['HOST', '[::1]'],
    ['HOST', 'http://x'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['PORT', '0x50'],
    ['BASE_URL', 'review.example.com'],
    ['BASE_URL', 'ftp://x'],
    ['BASE_URL', 'https://x/review'],
    ['BASE_URL', 'https://user:pass@x'],
    ['BASE_URL', 'https://x?y'],
    ['DATA_DIR', 'a\0b'],
    ['SECRET_FILE', 'a\0b'],
    ['ALLOW_LOCAL_REPOSITORIES', 'maybe'],
    ['REPOSITORY_REFRESH_SECONDS', '9'],
    ['INDEX_DISK_BYTES', '50 GB'],
    ['SEARCH_TIMEOUT_SECONDS', '0'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_POOL_SIZE', '1'],
    ['ROLES', 'web,'],
    ['ROLES', 'boss'],
    ['BODY_LIMIT_BYTES', '1023'],
    ['BODY_LIMIT_BYTES', '1 MB'],
    ['RATE_LIMIT', 'maybe'],
    ['RATE_LIMIT_PER_KEY', '0'],
    ['RATE_LIMIT_PER_ADDRESS', '9'.repeat(400)],
    ['MCP_ALLOWED_ORIGINS', 'a.example'],
    ['MCP_ALLOWED_ORIGINS', 'https://a.example/'],
    ['MCP_ALLOWED_ORIGINS', '*'],
    ['TRUSTED_PROXIES', '10.0.0.1, proxy.local'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '127.1'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_TIMEOUT_SECONDS', '0'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'with a space in the middle'],
  ])('%s=%s is the only setting rejected', (name, text) => {
    const problems = problemsOf({ [name]: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} must `));
  });

  it('requires BASE_URL when HOST is not valid in a URL', () => {
    const HOST = 'fe80::1%eth0';
    expect(problemsOf({ HOST })).toEqual(['BASE_URL is required, because HOST is not valid in a URL']);
    expect(readConfig({ HOST, BASE_URL: 'http://x' })).toMatchObject({ host: HOST, baseUrl: 'http://x' });
  });
});

it('reports all problems at once', () => {
  const wrong = Object.fromEntries(
    Object.keys(SETTINGS).map((name) => [name, /DIR$|FILE$|NAME$|ORGANIZATION$/.test(name) ? 'a\0b' : '§ §']),
  );
  expect(problemsOf(wrong).map((problem) => problem.split(' ', 1)[0])).toEqual(
    expect.arrayContaining(Object.keys(SETTINGS)),
  );
});

it('never shows the value of a secret setting', () => {
  const problems = problemsOf({ DATABASE_URL: 'mysql://me:hunter22@x', METRICS_TOKEN: 'hunter22' });
  expect(problems).toHaveLength(2);
  expect(problems.join()).not.toContain('hunter22');
});

it('never crashes, whatever the value', () => {
  const names = Object.keys(SETTINGS);
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      '0',
      '1',
      '::',
      '1.2.3.4.5',
      'a..b',
      'http://',
      'https://[',
      '%',
      '/',
      '10.0.0.0/8',
      'web,worker',
    ),
    fc.webUrl(),
    fc.ipV6(),
    fc.domain(),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), text), (environment) => {
      try {
        const { baseUrl } = readConfig(environment);
        expect(new URL(baseUrl).origin).toBe(baseUrl);
      } catch (error) {
        expect(error).toBeInstanceOf(StartFailure);
      }
    }),
    { numRuns: 3000 },
  );
});

describe('.env', () => {
  it('is overridden by the process environment', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.env'), '\ufeffPORT=5001\nHOST="::1" # loopback\nLOG_LEVEL=debug\n');
    for (const name of Object.keys(SETTINGS)) vi.stubEnv(name, undefined);
    vi.stubEnv('LOG_LEVEL', 'error');
    expect(readConfig(readEnvironment(folder))).toMatchObject({ port: 5001, host: '::1', logLevel: 'error' });
  });

  it('is optional', () => {
    vi.stubEnv('PORT', '5002');
    expect(readEnvironment(temporaryFolder()).PORT).toBe('5002');
  });

  it('is a configuration problem when it cannot be read', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.env'));
    expect(() => readEnvironment(folder)).toThrow(expect.objectContaining({ kind: 'configuration' }));
  });
});

describe('AGENT_VENDORS', () => {
  it('is a list of names without duplicates, and always has that of people', () => {
    expect(readConfig({ AGENT_VENDORS: 'codex, my-agent,codex' }).agentVendors).toEqual([
      'codex',
      'my-agent',
      'command-line',
    ]);
  });

  it.each(['a b', 'a,,b', ','])('rejects %j', (text) => {
    expect(() => readConfig({ AGENT_VENDORS: text })).toThrow('AGENT_VENDORS must be names');
  });
});
