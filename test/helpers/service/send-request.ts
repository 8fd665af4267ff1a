/** Requests to the service under test over real HTTP, by Node's own client: `fetch` takes four times the CPU time for each. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at replies as a client without types does.
  body: any;
}

export type Credential = { key: string } | { session: string } | 'nobody';

export interface RequestOptions {
  as?: Credential;
  /** Sent as JSON; a string or bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

const DECODERS: Record<string, typeof createGunzip> = { br: createBrotliDecompress, gzip: createGunzip };

const agent = new Agent({ keepAlive: true });

/** `baseUrl` decides the name of the session cookie. */
export async function sendRequest(
  url: string,
  baseUrl: string,
  method: string,
  path: string,
  { as = 'nobody', body, headers: given }: RequestOptions,
): Promise<Answer> {
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': 'node', ...given };
  if (as !== 'nobody' && 'key' in as) headers['x-api-key'] = as.key;
  if (as !== 'nobody' && 'session' in as) {
    headers.cookie = `${baseUrl.startsWith('https:') ? '__Host-countersign' : 'countersign'}=${as.session}`;
  }
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  if (body !== undefined && !raw) headers['content-type'] ??= 'application/json';
  // As browsers do.
  if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8';
  const bytes = body === undefined || raw ? body : JSON.stringify(body);
  const response = await exchange(new URL(url + path), method, headers, bytes);
  const decode = DECODERS[response.headers['content-encoding'] ?? ''];
  const content = await text(decode ? response.pipe(decode()) : response);
  const json = response.headers['content-type']?.match(/\bjson\b/) && content !== '';
  return {
    status: response.statusCode!,
    headers: headersOf(response),
    body: json ? JSON.parse(content) : content,
  };
}

function exchange(
  url: URL,
  method: string,
  headers: Record<string, string>,
  body: string | Uint8Array | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Node sends none for a DELETE with a body.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    request(url, { agent, headers: { ...headers, ...length }, method })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return headers;
}
