/** Explains why a request of the doctor failed, and what to do about it. */
import type { CheckResult } from '../../features/system/index.ts';
import { ANSWER_WITHIN_MS, type McpPlace } from './doctor-request.ts';

const START = 'Is the service running? It prints its address when it starts: countersign serve';

export function explainFailure(error: unknown, { mcpUrl }: McpPlace): CheckResult {
  const url = new URL(mcpUrl);
  const bad = (detail: string, next?: string): CheckResult => ({ state: 'bad', detail, next });
  const { code, message, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') {
    return bad(
      `no answer within ${ANSWER_WITHIN_MS / 1000} s`,
      'A firewall or proxy may drop the connection. Check the host and the port.',
    );
  }
  switch (code) {
    case 'ECONNREFUSED':
      return bad(`nothing listens on ${url.host}`, START);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return bad(`the host ${url.hostname} cannot be found`, 'Check the spelling, your DNS and your VPN.');
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return bad(`${url.host} cannot be reached`, 'Check the address, your network and firewalls.');
    case 'ECONNRESET':
      return bad(
        `${url.host} closed the connection`,
        url.protocol === 'http:' ? `If it uses TLS, try https://${url.host}${url.pathname}` : START,
      );
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return bad(`${url.host} does not use TLS on this port`, `Try http://${url.host}${url.pathname}`);
  }
  if (code?.includes('CERT')) {
    return bad(
      `the certificate of ${url.host} is not accepted: ${message}`,
      'Agents refuse it too. Use a certificate from a trusted authority, or add yours with NODE_EXTRA_CA_CERTS.',
    );
  }
  const reason = message || code || name;
  return bad(reason.length < 300 ? reason : 'the reply is not as expected');
}
