/** The official MCP clients sign in with only the URL of /mcp. */
import * as current from '@modelcontextprotocol/client';
import * as firstAuth from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import type { Person } from '../helpers/service/factories.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { answer, Browser, CALLBACK, callWith } from './agent.ts';

const service = await startTestService();
const { acme, clock, url } = service;
const IMPLEMENTATION = { name: 'test', version: '1.0.0' };

/** Stores the agent's data between requests, and opens the URLs in the person's browser. */
function keeper(person: Person) {
  // biome-ignore lint/suspicious/noExplicitAny: the two versions of the client name the same shapes differently.
  const kept: { client?: any; tokens?: any; discovery?: any; verifier?: string; returned?: URL } = {};
  return {
    kept,
    redirectUrl: CALLBACK,
    clientMetadata: {
      client_name: 'Official client',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'its state',
    clientInformation: () => kept.client,
    saveClientInformation(client: unknown) {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: unknown) {
      kept.tokens = tokens;
    },
    codeVerifier: () => kept.verifier!,
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier;
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState(discovery: unknown) {
      kept.discovery = discovery;
    },
    invalidateCredentials() {
      kept.tokens = undefined;
    },
    async redirectToAuthorization(address: URL) {
      const browser = new Browser(person);
      const page = await browser.get(address.href);
      const answered = await answer(service, person, page.location!.pathname.split('/').at(-1)!);
      kept.returned = (await browser.get(answered.body.continueAt)).location;
    },
  };
}

const CLIENTS = [
  {
    name: '2.x',
    auth: current.auth,
    Unauthorized: current.UnauthorizedError,
    connect: async (authProvider: ReturnType<typeof keeper>) => {
      const transport = new current.StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
      const client = new current.Client(IMPLEMENTATION);
      await client.connect(transport);
      return client;
    },
  },
  {
    name: '1.x',
    auth: firstAuth.auth,
    Unauthorized: firstAuth.UnauthorizedError,
    connect: async (authProvider: ReturnType<typeof keeper>) => {
      const transport = new FirstTransport(new URL(`${url}/mcp`), { authProvider });
      const client = new FirstClient(IMPLEMENTATION);
      await client.connect(transport);
      return client;
    },
  },
];

describe.each(CLIENTS)('the client $name', ({ Unauthorized, auth, connect }) => {
  it('registers, gets access, connects, and refreshes its expired tokens', async () => {
    const provider = keeper(acme.member);
    await expect(connect(provider)).rejects.toBeInstanceOf(Unauthorized);
    const { kept } = provider;
    expect(kept.returned!.searchParams.get('state')).toBe('its state');
    const authorizationCode = kept.returned!.searchParams.get('code')!;
    const iss = kept.returned!.searchParams.get('iss')!;
    const finish = { serverUrl: `${url}/mcp`, authorizationCode, iss };
    expect(await auth(provider as never, finish)).toBe('AUTHORIZED');

    const client = await connect(provider);
    expect(client.getServerVersion()?.name).toEqual(expect.any(String));
    await client.close();

    const before = kept.tokens.access_token;
    clock.advance(3_601_000);
    expect(await callWith(url, before)).toBe(401);
    await (await connect(provider)).close();
    expect(kept.tokens.access_token).not.toBe(before);
  });

  it('asks again after its access was revoked', async () => {
    const provider = keeper(acme.admin);
    await expect(connect(provider)).rejects.toBeInstanceOf(Unauthorized);
    const { kept } = provider;
    const authorizationCode = kept.returned!.searchParams.get('code')!;
    const iss = kept.returned!.searchParams.get('iss')!;
    await auth(provider as never, { serverUrl: `${url}/mcp`, authorizationCode, iss } as never);
    const as = { session: acme.admin.token };
    const { body } = await service.request('GET', '/api/v2/agents', { as });
    for (const { id } of body.agents) await service.request('DELETE', `/api/v2/agents/${id}`, { as });
    const before = kept.returned;
    await expect(connect(provider)).rejects.toBeInstanceOf(Unauthorized);
    expect(kept.returned).not.toBe(before);
    expect(kept.tokens).toBeUndefined();
  });
});
