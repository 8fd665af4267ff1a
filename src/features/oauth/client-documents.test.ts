/** Client metadata documents: only from public addresses, within limits, with the rules of a registration. */
import { describe, expect, it } from 'vitest';
import { startTestService } from '../../../test/helpers/service/harness.ts';
import { authorizationUrl, Browser, proofKey } from '../../../test/oauth/agent.ts';
import { mayFetchDocument, readDocument } from './client-documents.ts';

const ID = 'https://agent.example/client.json';
const DOCUMENT = {
  client_id: ID,
  client_name: 'Agent',
  redirect_uris: ['http://localhost/callback'],
  token_endpoint_auth_method: 'none',
};
const reply = (value: unknown, init?: ResponseInit) => new Response(JSON.stringify(value), init);

describe('a document', () => {
  it('is accepted like a registration, without a secret', async () => {
    const sent = {
      ...DOCUMENT,
      application_type: 'web',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: {},
    };
    const read = await readDocument(reply(sent, { headers: { 'cache-control': 'max-age=60' } }));
    expect(await read.json()).toEqual({
      client_id: ID,
      client_name: 'Agent',
      redirect_uris: ['http://localhost/callback'],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(read.headers.get('cache-control')).toBe('max-age=60');
  });

  it('is rejected if it is too large, not JSON, or has an invalid redirect URI', async () => {
    await expect(readDocument(reply({ ...DOCUMENT, padding: 'x'.repeat(6000) }))).rejects.toThrow(
      /too large/,
    );
    await expect(readDocument(new Response('<html>'))).rejects.toThrow();
    await expect(
      readDocument(reply({ ...DOCUMENT, redirect_uris: ['http://evil.example'] })),
    ).rejects.toThrow(/HTTPS/);
  });

  it('that was not found is not an empty registration', async () => {
    expect((await readDocument(reply(DOCUMENT, { status: 404 }))).status).toBe(404);
  });

  it('is not fetched from this machine or a private network', async () => {
    for (const host of ['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254', 'localhost']) {
      expect([host, await mayFetchDocument(`https://${host}/client.json`)]).toEqual([host, false]);
    }
    expect(await mayFetchDocument('https://1.1.1.1/client.json')).toBe(true);
  });
});

it('is announced in the metadata if the operator allows it, and one on this machine is rejected with a page', async () => {
  const { acme, request, url } = await startTestService({
    settings: { OAUTH_CLIENT_METADATA_DOCUMENTS: 'true' },
  });
  const { body } = await request('GET', '/.well-known/oauth-authorization-server');
  expect(body.client_id_metadata_document_supported).toBe(true);
  const client = { ...DOCUMENT, client_id: 'https://localhost/client.json' };
  const page = await new Browser(acme.member).get(authorizationUrl(url, client, proofKey().challenge));
  expect([page.status, page.location]).toEqual([400, undefined]);
  expect(page.text).toContain('Unknown agent');
});
