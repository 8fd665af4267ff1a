/** Client registration: who may register, what is stored, how agents find the endpoints, and what is removed. */
import { describe, expect, it } from 'vitest';
import { deleteOldRecords } from '../../src/features/oauth/delete-old-records.ts';
import { startTestService } from '../helpers/service/harness.ts';
import {
  authorizationUrl,
  Browser,
  callWith,
  getCode,
  newClient,
  proofKey,
  redeem,
  register,
} from './agent.ts';

const service = await startTestService();
const { acme, clock, db, url } = service;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

describe('a registration', () => {
  it.each([
    [
      'a loopback address with a port',
      ['http://127.0.0.1:5000/cb', 'http://localhost/cb', 'http://[::1]:1/cb'],
    ],
    ['a custom scheme', ['cursor://anysphere.cursor-mcp/oauth/callback', 'vscode:/callback']],
    ['the name of a domain turned around', ['com.example.app:/callback', 'com.example.app://callback']],
    ['https', ['https://agent.example/callback?x=1']],
    ['https and a custom scheme', ['https://agent.example/callback', 'cursor://x/callback']],
    ['https on this computer', ['https://localhost:3000/callback']],
  ])('is accepted with %s, whatever application_type says', async (_, redirect_uris) => {
    for (const application_type of ['web', 'native', 'spaceship', undefined]) {
      const client = await newClient(url, { redirect_uris, application_type });
      expect(client.redirect_uris).toEqual(redirect_uris);
    }
  });

  it.each([
    ['http elsewhere', ['http://agent.example/callback']],
    ['http that only looks like this computer', ['http://localhost.evil.example/callback']],
    ['a script', ['javascript:alert(1)']],
    ['data', ['data:text/html,<script>alert(1)</script>']],
    ['a file', ['file:///etc/passwd']],
    ['a web address in the disguise of a scheme', ['microsoft-edge:https://evil.example/']],
    ['something that the system opens', ['ms-msdt:/id']],
    ['a fragment', ['https://agent.example/callback#x']],
    ['a user name', ['https://user:password@agent.example/callback']],
    ['white space inside the scheme', ['java\nscript:alert(1)']],
    ['no address', ['callback']],
    ['none', []],
    ['too many', Array.from({ length: 21 }, (_, index) => `https://agent.example/${index}`)],
    ['one that is too long', [`https://agent.example/${'x'.repeat(2000)}`]],
    ['something else than text', [1]],
    ['one good and one bad', ['https://agent.example/', 'http://agent.example/']],
  ])('is refused with a redirect address of this kind: %s', async (_, redirect_uris) => {
    const { body, status } = await register(url, { redirect_uris });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it.each([
    ['other grants alone', { grant_types: ['client_credentials'] }],
    ['another way to prove itself', { token_endpoint_auth_method: 'private_key_jwt' }],
  ])('is refused with %s', async (_, fields) => {
    const { body, status } = await register(url, fields);
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
  });

  it('stores only what is needed', async () => {
    const client = await newClient(url, {
      client_name: `  ${'a'.repeat(300)}`,
      grant_types: ['authorization_code', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code', 'token'],
      scope: 'openid everything',
      jwks_uri: 'https://127.0.0.1/jwks',
      sector_identifier_uri: 'https://127.0.0.1/sector',
      logo_uri: 'javascript:alert(1)',
      client_uri: 'javascript:alert(1)',
      software_id: 'x',
      client_id: 'chosen-by-the-agent',
      client_secret: 'chosen-by-the-agent',
    });
    expect(client).toMatchObject({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_name: 'a'.repeat(200),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    for (const name of [
      'jwks_uri',
      'sector_identifier_uri',
      'logo_uri',
      'client_uri',
      'scope',
      'client_secret',
    ]) {
      expect(client).not.toHaveProperty(name);
    }
  });

  it.each(['', '[]', '{', 'null', '"x"', '{"redirect_uris":"x"}'])('is refused as %j', async (body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await service.request('POST', '/oauth/register', { body, headers });
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(/^invalid_/)]);
  });

  it('has a limit on its size', async () => {
    const { status } = await register(url, { padding: 'x'.repeat(33_000) });
    expect(status).toBe(413);
  });

  it('with characters that PostgreSQL cannot store is sanitized', async () => {
    const client = await newClient(url, { client_name: 'a\0b\ud800' });
    expect(client.client_name).toBe('a b\ufffd');
  });
});

describe('an unused registration', () => {
  const knows = async (clientId: string) => {
    const client = { client_id: clientId, redirect_uris: ['http://127.0.0.1:33418/callback'] };
    const page = await new Browser().get(authorizationUrl(url, client, proofKey().challenge));
    return page.status === 303;
  };
  const purge = () => deleteOldRecords(db, clock.now());

  it('is removed after a few days, unlike used ones', async () => {
    const unused = await newClient(url);
    const used = await newClient(url);
    const got = await getCode(service, acme.member, { client: used });
    const { body } = await redeem(url, got);
    await purge();
    expect(await callWith(url, body.access_token)).toBe(204);
    clock.advance(2 * DAY_MS);
    await purge();
    expect([await knows(unused.client_id), await knows(used.client_id)]).toEqual([true, true]);
    clock.advance(2 * DAY_MS);
    await purge();
    expect([await knows(unused.client_id), await knows(used.client_id)]).toEqual([false, true]);
    clock.advance(366 * DAY_MS);
    await purge();
    expect(await knows(used.client_id)).toBe(false);
  });

  it('leaves an empty table', async () => {
    expect(await knows((await newClient(url)).client_id)).toBe(true);
    clock.advance(400 * DAY_MS);
    await purge();
    expect(await db.selectFrom('oauth_records').select('id').execute()).toEqual([]);
  });
});

describe('the documents', () => {
  it('name the resource and its server (RFC 9728)', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const { body, status } = await service.request('GET', path);
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          resource: `${url}/mcp`,
          authorization_servers: [url],
          scopes_supported: ['mcp'],
          bearer_methods_supported: ['header'],
        }),
      ]);
    }
  });

  it('name the endpoints of the server (RFC 8414)', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
      const { body, status } = await service.request('GET', path);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        issuer: url,
        authorization_endpoint: `${url}/oauth/auth`,
        token_endpoint: `${url}/oauth/token`,
        registration_endpoint: `${url}/oauth/register`,
        revocation_endpoint: `${url}/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
      expect(body).not.toHaveProperty('client_id_metadata_document_supported');
    }
  });

  it('are where the challenge of /mcp says', async () => {
    const answer = await service.request('POST', '/mcp', { body: {} });
    const challenge = answer.headers.get('www-authenticate')!;
    const [, address] = /resource_metadata="([^"]+)"/.exec(challenge)!;
    expect((await fetch(address!)).status).toBe(200);
  });
});

describe('pages of any origin', () => {
  const OPEN = [
    ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['POST', '/oauth/register'],
    ['POST', '/oauth/token'],
    ['POST', '/oauth/revoke'],
  ] as const;
  const headers = { origin: 'https://inspector.example' };

  it.each(OPEN)('may call %s %s, without cookies', async (method, path) => {
    const preflight = await service.request('OPTIONS', path, {
      headers: {
        ...headers,
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type,mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
    const answer = await service.request(method, path, { headers });
    for (const each of [preflight, answer]) {
      expect(each.headers.get('access-control-allow-origin')).toBe('*');
      expect(each.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('may register and get tokens', async () => {
    const answered = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://inspector.example/callback'] }),
    });
    expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([201, '*']);
  });

  it('may not call the endpoints for browser navigation', async () => {
    const answer = await service.request('GET', '/oauth/auth', { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await service.request('OPTIONS', '/oauth/auth', { headers })).status).toBe(405);
  });
});

it('refuses other methods, and has nothing else below /oauth', async () => {
  expect((await service.request('GET', '/oauth/token')).status).toBe(405);
  expect((await service.request('POST', '/oauth/auth', { body: 'x=1' })).status).toBe(405);
  for (const path of ['/oauth', '/oauth/jwks', '/jwks', '/oauth/register/x', '/session/end', '/me']) {
    expect((await service.request('GET', path)).status).toBe(404);
  }
});

it('is rate-limited per network, more strictly than other requests', async () => {
  const limited = await startTestService({ settings: { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: '100' } });
  const statuses: number[] = [];
  for (let index = 0; index < 12; index += 1) statuses.push((await register(limited.url)).status);
  expect(statuses).toEqual([...Array(10).fill(201), 429, 429]);
  const refused = await register(limited.url);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect((await limited.request('GET', '/.well-known/oauth-authorization-server')).status).toBe(200);
});
