/** Behind a company's proxy and certificate authority: every outgoing connection uses the proxy and trusts the authority. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { ask } from '../../../src/commands/doctor/doctor-request.ts';
import { readConfig } from '../../../src/config.ts';
import { createConnections, createHostClient } from '../../../src/engines/code-hosts/host-client.ts';
import {
  checkRemoteAddress,
  explainGitFailure,
  GitFailure,
  type RemoteRules,
} from '../../../src/engines/git/index.ts';
import { withConnection } from '../../../src/engines/git/remote/connection.ts';
import { runGit } from '../../../src/engines/git/run/run-git.ts';
import { createIdentityProviders } from '../../../src/engines/identity-provider/index.ts';
import { checkMailServer } from '../../../src/engines/mail/send-mail.ts';
import { createGuardedFetch } from '../../../src/engines/models/guarded-fetch.ts';
import { fetchDocument } from '../../../src/features/oauth/client-documents.ts';
import { postDelivery } from '../../../src/features/webhooks/post-delivery.ts';
import { configureOutgoingNetwork } from '../../../src/platform/core/network/outgoing-network.ts';
import { testEnvironment } from '../../code-hosts/test-environment.ts';
import { makeRepository } from '../../helpers/git/git-fixtures.ts';
import { temporaryFolder } from '../../helpers/processes/real-processes.ts';
import { makeAuthority, makeCertificate } from '../../helpers/servers/certificates.ts';
import { serveGit } from '../../helpers/servers/git-server.ts';
import { startProxy } from '../../helpers/servers/proxy-server.ts';

const PASSWORD = 'p@ss:word of the proxy';
const folder = temporaryFolder();
const authority = makeAuthority(folder, 'company');
const certificate = makeCertificate(folder, 'server', authority, 'DNS:*.company.test,IP:127.0.0.1');
const tls = { key: readFileSync(certificate.key), cert: readFileSync(certificate.certificate) };

const repository = await makeRepository();
await repository.commit({ 'a.txt': 'a' });
const server = createServer(tls, (request, response) => {
  if (request.url!.startsWith(`/${repository.name}`)) return serveGit(repository.parent, request, response);
  const issuer = 'https://sso.company.test';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, keys: [{}], healthy: true }));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const proxy = await startProxy({
  credentials: `robot:${PASSWORD}`,
  port: (server.address() as AddressInfo).port,
});
const smtp = new SMTPServer({ ...tls, secure: true, authOptional: true });
smtp.on('error', () => undefined);
await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', () => done()));

afterAll(async () => {
  configureOutgoingNetwork();
  connections.https.destroy();
  server.closeAllConnections();
  await Promise.all([
    new Promise((done) => server.close(done)),
    new Promise<void>((done) => smtp.close(() => done())),
    proxy.close(),
    repository.remove(),
  ]);
});
beforeEach(() => {
  proxy.targets.length = 0;
});

const PROXY = `http://robot:${encodeURIComponent(PASSWORD)}@${proxy.address}`;
const configure = (environment: Record<string, string>) =>
  configureOutgoingNetwork(readConfig(environment).network);

const signal = new AbortController().signal;
const strict: RemoteRules = { allowLocal: false, allowPrivateAddresses: false, resolve: async () => [] };
const environment = { ...testEnvironment(), allowPrivateAddresses: false };
let connections = createConnections();

/** The branches, or what is shown to users. */
async function listBranches(): Promise<string> {
  try {
    const remote = await checkRemoteAddress(`https://git.company.test/${repository.name}`, strict);
    const place = { remote, credential: null, folder, knownHostsFile: '/dev/null' };
    return await withConnection(place, async ({ options, url }) => {
      const { stdout } = await runGit(['ls-remote', '--', url], options);
      return stdout.toString();
    });
  } catch (error) {
    return error instanceof GitFailure
      ? `${explainGitFailure(error)} ${error.message}`
      : said(error as Error);
  }
}

function said(error: Error): string {
  return `${error.message} ${error.stack}`;
}

/** Each kind of outgoing connection: the host, what it reports, and what it reports on success. */
const WAYS: Record<string, { host: string; go(): Promise<string>; good: RegExp }> = {
  git: { host: 'git.company.test', go: listBranches, good: /refs\/heads\/main/ },
  'code host': {
    host: 'code.company.test',
    good: /^200$/,
    go: async () => {
      const common = { headers: {}, secrets: [], pause: { until: null }, connections, environment, signal };
      const client = createHostClient({ baseUrl: 'https://code.company.test', ...common });
      return client({ path: '/user' }).then(({ status }) => String(status), said);
    },
  },
  webhook: {
    host: 'hooks.company.test',
    good: /^200 /,
    go: async () => {
      const url = 'https://hooks.company.test/in';
      const { note, status } = await postDelivery({
        ...{ url, headers: {}, body: '{}', allowPrivateAddresses: false, signal },
      });
      return `${status} ${note}`;
    },
  },
  model: {
    host: 'model.company.test',
    good: /healthy/,
    go: async () => {
      const endpoint = { url: 'https://model.company.test/v1', allowPrivateAddresses: false };
      const fetch = createGuardedFetch({ endpoint, onExchange: () => undefined });
      return fetch(`${endpoint.url}/messages`, { method: 'POST', body: '{}' }).then(
        (reply) => reply.text(),
        said,
      );
    },
  },
  'single sign-on': {
    host: 'sso.company.test',
    good: /was found and the issuer matches/,
    go: async () => {
      const connection = { issuer: 'https://sso.company.test', clientId: 'a', clientSecret: 'b' };
      const checks = await createIdentityProviders().check(
        { ...connection, allowPrivateAddresses: false },
        'https://review.example.com/callback',
      );
      return JSON.stringify(checks);
    },
  },
  'client metadata': {
    host: 'agent.company.test',
    good: /healthy/,
    go: () => fetchDocument('https://agent.company.test/client.json').then((reply) => reply.text(), said),
  },
  'remote command': {
    host: 'review.company.test',
    good: /healthy/,
    go: () => {
      const place = { baseUrl: 'https://review.company.test', mcpUrl: '', key: undefined };
      return ask(place, '/healthz').then((reply) => reply.text(), said);
    },
  },
};
const names = Object.keys(WAYS);
const all = async () => Promise.all(names.map((name) => WAYS[name]!.go()));
const asked = () => [...new Set(proxy.targets)].sort();
const everyHost = names.map((name) => `${WAYS[name]!.host}:443`).sort();
const mailServer = {
  host: '127.0.0.1',
  port: (smtp.server.address() as AddressInfo).port,
  secure: true,
  credentials: undefined,
  from: 'bot@company.test',
};

it('says what to set where the certificate authority is not known', async () => {
  configure({ HTTPS_PROXY: PROXY });
  for (const text of [...(await all()), await checkMailServer(mailServer)])
    expect(text).toContain('NODE_EXTRA_CA_CERTS');
  expect(asked()).toEqual(everyHost);
});

it('goes through the proxy and trusts the authority, in every way out', async () => {
  configure({ https_proxy: PROXY, NODE_EXTRA_CA_CERTS: authority.certificate });
  const replies = await all();
  names.forEach((name, index) => {
    expect([name, replies[index]]).toEqual([name, expect.stringMatching(WAYS[name]!.good)]);
  });
  expect(asked()).toEqual(everyHost);
  expect(await checkMailServer(mailServer)).toBeUndefined();
});

it('keeps connections to a code host through the proxy', async () => {
  connections = createConnections();
  await WAYS['code host']!.go();
  await WAYS['code host']!.go();
  expect(proxy.targets).toEqual(['code.company.test:443']);
});

it('goes directly where NO_PROXY says so, with the usual check of the address', async () => {
  configure({ HTTPS_PROXY: PROXY, NO_PROXY: 'company.test' });
  connections = createConnections();
  // Only the proxy knows these names.
  for (const text of await all()) expect(text).toMatch(/ENOTFOUND|EAI_AGAIN|resolved|not found/);
  expect(proxy.targets).toEqual([]);
});

it('never asks the proxy for what is private', async () => {
  configure({ HTTPS_PROXY: PROXY });
  const attempt = { headers: {}, body: '', allowPrivateAddresses: false, signal };
  for (const url of ['https://10.0.0.1/', 'https://[fd00::1]/', 'https://localhost/']) {
    expect((await postDelivery({ ...attempt, url })).note).toMatch(/loopback or private address/);
  }
  const resolvesHere = { ...strict, resolve: async () => ['10.0.0.1'] };
  await expect(checkRemoteAddress('https://git.company.test/a.git', resolvesHere)).rejects.toMatchObject({
    reason: 'private_address',
  });
  expect(proxy.targets).toEqual([]);
});

it('explains a proxy that refuses, without its password', async () => {
  configure({ HTTPS_PROXY: PROXY.replace('robot', 'stranger') });
  connections = createConnections();
  for (const text of await all()) {
    expect(text).toContain('HTTPS_PROXY');
    expect(text).not.toMatch(/p(@|%40)ss|stranger/);
  }
  expect(proxy.targets).toEqual([]);
});

it('gives up on a proxy that never answers when the request is over', async () => {
  configure({ HTTPS_PROXY: PROXY });
  proxy.isSilent = true;
  const attempt = { headers: {}, body: '', allowPrivateAddresses: true, signal, timeoutMs: 100 };
  const { note } = await postDelivery({ ...attempt, url: 'https://hooks.company.test/' });
  proxy.isSilent = false;
  expect(note).toBe('No response within 0.1 seconds.');
});

it('refuses settings that it cannot use, without repeating a password', () => {
  const missing = join(folder, 'missing.pem');
  const settings = {
    HTTPS_PROXY: 'socks5://robot:secret@proxy.company.test',
    http_proxy: 'http://robot:%zz@proxy.company.test',
    NO_PROXY: 'good.company.test bad_/_entry',
    NODE_EXTRA_CA_CERTS: missing,
  };
  const read = () => readConfig(settings);
  expect(read).toThrow(/HTTPS_PROXY must be a URL/);
  expect(read).toThrow(/HTTP_PROXY must be a URL/);
  expect(read).toThrow(/NO_PROXY must be .*not valid: bad_\/_entry\n/);
  expect(read).toThrow(`NODE_EXTRA_CA_CERTS must be a file that can be read`);
  expect(read).not.toThrow(/secret|%zz/);
});
