/** How other servers are reached: through which proxy, and with which certificate authorities. */
import { connect } from 'node:net';
import { ANSWER_WITHIN_MS, bad, type CheckedHost, type CheckResult, good } from './host-check.ts';

/** Never shows the user name and password of a proxy. */
export async function checkNetwork({ settings }: CheckedHost): Promise<CheckResult> {
  const { authorities, proxies } = settings.network;
  const trusted = authorities
    ? `certificate authorities from ${authorities.file} (${authorities.certificates.length})`
    : 'no private certificate authority (NODE_EXTRA_CA_CERTS)';
  const inUse = [...new Set([proxies.https, proxies.http].filter((proxy) => proxy !== undefined))];
  const unreachable = [];
  for (const proxy of inUse) if (!(await answers(proxy))) unreachable.push(proxy.host);
  if (unreachable.length > 0)
    return bad(
      `the proxy ${unreachable.join(' and ')} can’t be reached; ${trusted}`,
      'Check HTTPS_PROXY and HTTP_PROXY, and that this machine may connect to it.',
    );
  const direct = 'other servers are reached directly (HTTPS_PROXY is not set)';
  const through = `through the proxy ${[...new Set(inUse.map(({ host }) => host))].join(' and ')}`;
  return good(`${inUse.length === 0 ? direct : through}; ${trusted}`);
}

/** Whether something accepts connections there. */
function answers(proxy: URL): Promise<boolean> {
  const port = Number(proxy.port) || (proxy.protocol === 'https:' ? 443 : 80);
  const socket = connect({
    host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    timeout: ANSWER_WITHIN_MS,
  });
  return new Promise<boolean>((done) => {
    socket
      .once('connect', () => done(true))
      .once('error', () => done(false))
      .once('timeout', () => done(false));
  }).finally(() => socket.destroy());
}
