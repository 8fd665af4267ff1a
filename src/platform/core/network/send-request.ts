/**
 * Sends one HTTP request for a user: through the operator's proxy if there is one, with an address check when connecting, without
 * redirects, and with a limit on the reply.
 */
import { Agent, type IncomingHttpHeaders, request as requestOverHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestOverHttps } from 'node:https';
import { inSpan } from '../telemetry/tracing.ts';
import { explainNetworkFailure, proxyFor, proxyRefused } from './outgoing-network.ts';
import {
  addressOf,
  hasPrivateHost,
  isPrivateAddress,
  PrivateAddressError,
  publicLookup,
} from './private-address.ts';

/** Names that only the proxy can resolve must not delay requests for long. */
const RESOLVE_WITHIN_MS = 2_000;
/** A request can't be aborted while its tunnel is being established. */
const TUNNEL_WITHIN_MS = 10_000;

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
export async function sendRequest(outgoing: OutgoingRequest): Promise<IncomingReply> {
  const { allowPrivateAddresses, url } = outgoing;
  const address = addressOf(url);
  if (!allowPrivateAddresses && address !== undefined && isPrivateAddress(address)) {
    throw new PrivateAddressError();
  }
  const proxy = proxyFor(url);
  // The proxy resolves the name again, so refuse what is known to be private here.
  if (proxy && !allowPrivateAddresses && (await hasPrivateHost(url, RESOLVE_WITHIN_MS))) {
    throw new PrivateAddressError();
  }
  try {
    const reply = await traced(outgoing, () => exchange(outgoing, proxy));
    if (proxy && reply.status === 407) throw proxyRefused(407);
    return reply;
  } catch (error) {
    throw explainNetworkFailure(error, proxy);
  }
}

/** Without the path, which is a secret for some webhooks. */
function traced({ method, url }: OutgoingRequest, run: () => Promise<IncomingReply>): Promise<IncomingReply> {
  const attributes = {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  };
  return inSpan(method, 'client', attributes, async (span) => {
    const reply = await run();
    if (span) span.attributes['http.response.status_code'] = reply.status;
    return reply;
  });
}

function exchange(outgoing: OutgoingRequest, proxy: URL | undefined): Promise<IncomingReply> {
  const { agent, allowPrivateAddresses, body, headers, maxBytes, method, signal, url } = outgoing;
  const { promise, reject, resolve } = Promise.withResolvers<IncomingReply>();
  const request = (url.protocol === 'https:' ? requestOverHttps : requestOverHttp)(url, {
    method,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      'user-agent': 'Countersign',
    },
    ...(proxy
      ? { agent: agentThrough(proxy, url, agent), timeout: TUNNEL_WITHIN_MS }
      : { agent: agent ?? false, lookup: allowPrivateAddresses ? undefined : publicLookup() }),
    signal,
  });
  const aborted = () => reject(signal.reason);
  if (proxy) signal.addEventListener('abort', aborted);
  const closed = () => reject(new Error('the connection was closed without a response'));
  request.on('error', reject).on('close', closed);
  request.on('response', (response) => {
    signal.removeEventListener('abort', aborted);
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
  return promise.finally(() => signal.removeEventListener('abort', aborted));
}

const throughProxy = new WeakMap<Agent, { proxy: URL; agent: Agent }>();

/** Like the given agent, but through the proxy. */
function agentThrough(proxy: URL, url: URL, like: Agent | undefined): Agent {
  const known = like && throughProxy.get(like);
  if (known?.proxy === proxy) return known.agent;
  const options = {
    ...(like as HttpsAgent | undefined)?.options,
    proxyEnv: { HTTPS_PROXY: proxy.href, HTTP_PROXY: proxy.href },
  };
  const agent = url.protocol === 'https:' ? new HttpsAgent(options) : new Agent(options);
  if (like) throughProxy.set(like, { proxy, agent });
  return agent;
}
