/** Sends one HTTP request for a user: the address is checked when connecting, no redirects, and a limited reply is read. */
import { type Agent, type IncomingHttpHeaders, request as requestOverHttp } from 'node:http';
import { request as requestOverHttps } from 'node:https';
import { addressOf, isPrivateAddress, PrivateAddressError, publicLookup } from './private-address.ts';

export interface OutgoingRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  allowPrivateAddresses: boolean;
  /** Aborts the request. */
  signal: AbortSignal;
  /** Reading the reply ends here. */
  maxBytes: number;
  /**
   * To reuse connections, whose address was checked when they were made. Use one agent per `allowPrivateAddresses`. Default:
   * a new connection each time.
   */
  agent?: Agent;
}

export interface IncomingReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** `limit`: there is more than `maxBytes`; `cut`: the connection ended early; `upgrade`: another protocol followed. */
  ended: 'whole' | 'limit' | 'cut' | 'upgrade';
}

/** Rejects if there is no response. */
export function sendRequest(outgoing: OutgoingRequest): Promise<IncomingReply> {
  const { agent, allowPrivateAddresses, body, headers, maxBytes, method, signal, url } = outgoing;
  const address = addressOf(url);
  if (!allowPrivateAddresses && address !== undefined && isPrivateAddress(address)) {
    return Promise.reject(new PrivateAddressError());
  }
  const { promise, reject, resolve } = Promise.withResolvers<IncomingReply>();
  const request = (url.protocol === 'https:' ? requestOverHttps : requestOverHttp)(url, {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      'user-agent': 'Countersign',
    },
    agent: agent ?? false,
    lookup: allowPrivateAddresses ? undefined : publicLookup(),
    signal,
  });
  const closed = () => reject(new Error('the connection was closed without a response'));
  request.on('error', reject).on('close', closed);
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (ended: IncomingReply['ended']) => {
      const { headers, statusCode } = response;
      resolve({ status: statusCode!, headers, body: Buffer.concat(chunks), ended });
      if (ended !== 'whole' || !agent) request.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) finish('limit');
    });
    response.on('end', () => finish('whole'));
    response.on('error', () => finish('cut'));
    request
      .off('close', closed)
      .off('error', reject)
      .on('error', () => finish('cut'));
  });
  // After a response that switches protocols, Node.js closes the connection without an error.
  request.on('upgrade', (response, socket) => {
    socket.destroy();
    const { headers, statusCode } = response;
    resolve({ status: statusCode!, headers, body: Buffer.alloc(0), ended: 'upgrade' });
  });
  request.end(body);
  return promise;
}
