/** How this process reaches other servers: through the operator's proxy, trusting the operator's certificate authorities. */
import tls from 'node:tls';
import { StartFailure } from '../errors/start-failure.ts';
import { chooseProxy, type ProxyRules } from './proxy-rules.ts';

export interface OutgoingNetwork {
  proxies: ProxyRules;
  /** From NODE_EXTRA_CA_CERTS. */
  authorities: { file: string; certificates: string[] } | undefined;
}

const DIRECT: OutgoingNetwork = {
  proxies: { https: undefined, http: undefined, exceptions: [] },
  authorities: undefined,
};

let network = DIRECT;
let authoritiesText: string | undefined;

/** Called once at startup, from the settings. */
export function configureOutgoingNetwork(configured: OutgoingNetwork = DIRECT): void {
  network = configured;
  authoritiesText = undefined;
  if (configured.authorities) trust(configured.authorities);
}

/** Node.js has already done this if the setting is in the environment, but not if it is in the `.env` file. */
function trust({ certificates, file }: { file: string; certificates: string[] }): void {
  const trusted = new Set(tls.getCACertificates('default').map(compact));
  const added = certificates.filter((certificate) => !trusted.has(compact(certificate)));
  if (added.length === 0) return;
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...added]);
  } catch (error) {
    throw new StartFailure(
      'configuration',
      `NODE_EXTRA_CA_CERTS: ${file} contains a certificate that is not valid.`,
      error,
    );
  }
}

function compact(certificate: string): string {
  return certificate.replaceAll(/\s/g, '');
}

/** The proxy for an address; undefined if it is reached directly. */
export function proxyFor(url: URL): URL | undefined {
  return chooseProxy(network.proxies, url);
}

/** Everything that is trusted, as one PEM text for other programs; undefined if the operator added nothing. */
export function trustedAuthorities(): string | undefined {
  if (!network.authorities) return undefined;
  authoritiesText ??= tls.getCACertificates('default').join('\n');
  return authoritiesText;
}

/** A failure that the operator can fix. The message is a phrase for users; it never contains the address of the proxy. */
export class NetworkProblem extends Error {
  readonly code: 'UNTRUSTED_CERTIFICATE' | 'PROXY_FAILED';

  constructor(code: NetworkProblem['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

export const UNTRUSTED_CERTIFICATE =
  "the server's certificate is not trusted; the operator can add its certificate authority with NODE_EXTRA_CA_CERTS";

/** By the code of the error. */
export function isUntrusted(code: string | undefined): boolean {
  return code !== undefined && UNTRUSTED.has(code);
}

/** While connecting; through a proxy, only the connection to the proxy can fail with these. */
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

/** The error as a `NetworkProblem` if it is one. */
export function explainNetworkFailure(error: unknown, proxy: URL | undefined): unknown {
  const { code, statusCode } = error as NodeJS.ErrnoException & { statusCode?: number };
  if (isUntrusted(code)) return new NetworkProblem('UNTRUSTED_CERTIFICATE', UNTRUSTED_CERTIFICATE);
  if (!proxy) return error;
  if (code === 'ERR_PROXY_TUNNEL') return proxyRefused(statusCode);
  return NO_CONNECTION.has(code ?? '')
    ? new NetworkProblem(
        'PROXY_FAILED',
        `the outgoing proxy can't be reached (${code}); the operator should check HTTPS_PROXY`,
      )
    : error;
}

export function proxyRefused(status: number | undefined): NetworkProblem {
  const what = status === undefined ? 'did not connect' : `refused the connection with status ${status}`;
  const check = status === 407 ? 'the user name and password in HTTPS_PROXY' : 'HTTPS_PROXY and NO_PROXY';
  return new NetworkProblem('PROXY_FAILED', `the outgoing proxy ${what}; the operator should check ${check}`);
}
