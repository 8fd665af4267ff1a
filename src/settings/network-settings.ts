/** Outgoing connections: proxy and certificate authorities. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ProxyException, parseException, parseProxy } from '../platform/core/network/proxy-rules.ts';
import { InvalidSetting, type Setting } from './setting.ts';

export const networkSettings = {
  HTTPS_PROXY: {
    defaultNote: 'none: directly',
    takes: '`http://user:password@proxy.example.com:3128`',
    meaning:
      'The proxy for outgoing requests to `https://` addresses: git, code hosts, webhooks, models, single sign-on and client metadata documents. SSH and SMTP connections are made directly. See [operations.md](operations.md#company-networks).',
    read: readProxyUrl,
  },
  HTTP_PROXY: {
    defaultNote: 'none: directly',
    takes: '`http://user:password@proxy.example.com:3128`',
    meaning: 'The same for `http://` addresses.',
    read: readProxyUrl,
  },
  NO_PROXY: {
    default: '',
    takes: 'host names, IP addresses or CIDR ranges, separated by commas; `*` for all',
    meaning:
      'Hosts that are reached without the proxy. A name includes its subdomains; `name:port` is only that port. This machine (`localhost`, `127.0.0.1`) is always reached directly.',
    read: readNoProxy,
  },
  NODE_EXTRA_CA_CERTS: {
    defaultNote: 'none',
    takes: 'a file with certificates (PEM)',
    meaning:
      'Certificate authorities to trust in addition to the public ones, for all TLS connections of the service: git, code hosts, webhooks, models, mail, single sign-on, the proxy, and a database with `sslmode=verify-full`.',
    read: readAuthorities,
  },
} satisfies Record<string, Setting<unknown>>;

/** Never repeats the text, which may contain a password. */
function readProxyUrl(text: string): URL {
  const url = parseProxy(text);
  if (!url) {
    throw new InvalidSetting(
      'must be a URL such as http://user:password@proxy.example.com:3128, starting with http:// or https://, with a percent-encoded user and password',
    );
  }
  return url;
}

function readNoProxy(text: string): ProxyException[] {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  const parsed = entries.map(parseException);
  const wrong = entries.filter((_entry, index) => parsed[index] === undefined);
  if (wrong.length > 0)
    throw new InvalidSetting(
      `must be host names, IP addresses or CIDR ranges; not valid: ${wrong.join(', ')}`,
    );
  return parsed as ProxyException[];
}

function readAuthorities(file: string): { file: string; certificates: string[] } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidSetting(`must be a file that can be read: ${(error as Error).message}`);
  }
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!certificates) throw new InvalidSetting(`must contain certificates in PEM format: ${file}`);
  return { file: resolve(file), certificates };
}
