/** Client ID metadata documents, where the operator allows them: fetched from public addresses only. */
import { type CheckedFetchInit, checkedFetch } from '../../platform/core/network/checked-fetch.ts';
import { hasPrivateHost } from '../../platform/core/network/private-address.ts';
import { readRegistration } from './read-registration.ts';

const RESOLVE_WITHIN_MS = 2_000;
const MAX_BYTES = 5 * 1024;
const ANSWER_WITHIN_MS = 5_000;

/** The address is checked again when connecting. */
export async function mayFetchDocument(clientId: string): Promise<boolean> {
  return !(await hasPrivateHost(new URL(clientId), RESOLVE_WITHIN_MS));
}

export function fetchDocument(url: string | URL | Request, init: CheckedFetchInit = {}): Promise<Response> {
  const limits = { allowPrivateAddresses: false, maxBytes: MAX_BYTES + 1, timeoutMs: ANSWER_WITHIN_MS };
  return checkedFetch(url instanceof Request ? url.url : url, init, limits);
}

/** The document in the form that the library expects, checked like a registration; such an agent has no secret. */
export async function readDocument(response: Response): Promise<Response> {
  if (response.status !== 200) return new Response(null, { status: response.status });
  const document = JSON.parse(await readText(response)) as Record<string, unknown>;
  const registration = readRegistration({ ...document, token_endpoint_auth_method: 'none' });
  if ('error' in registration) throw new Error(registration.error_description);
  const headers = new Headers();
  for (const name of ['cache-control', 'expires']) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(JSON.stringify({ ...registration, client_id: document.client_id }), { headers });
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the document is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
