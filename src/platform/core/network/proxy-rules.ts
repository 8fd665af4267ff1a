/** Decides which outgoing requests use a proxy: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, with the meaning they have in curl. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface ProxyRules {
  /** For `https://` addresses. */
  https: URL | undefined;
  /** For `http://` addresses. */
  http: URL | undefined;
  /** Reached directly. */
  exceptions: ProxyException[];
}

export type ProxyException =
  | { kind: 'all' }
  /** The host and its subdomains. */
  | { kind: 'name'; name: string; port: string | undefined }
  | { kind: 'addresses'; range: ReturnType<typeof ipaddr.parseCIDR> };

/** Undefined if the text is not the address of a proxy. Its user name and password are percent-encoded. */
export function parseProxy(text: string): URL | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return undefined;
  try {
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return undefined;
  }
}

/** Undefined for an entry that has no meaning. */
export function parseException(entry: string): ProxyException | undefined {
  if (entry === '*') return { kind: 'all' };
  const [address, length, ...more] = entry.replace(/^\[(.*)\]$/, '$1').split('/');
  if (isIP(address!) !== 0 && !address!.includes('%')) {
    const cidr = `${address}/${length ?? (isIP(address!) === 6 ? 128 : 32)}`;
    if (more.length > 0 || !ipaddr.isValidCIDR(cidr)) return undefined;
    return { kind: 'addresses', range: ipaddr.parseCIDR(cidr) };
  }
  const parts = /^(?:\*?\.)?([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::(\d{1,5}))?$/i.exec(entry);
  return parts ? { kind: 'name', name: parts[1]!.toLowerCase(), port: parts[2] } : undefined;
}

/** Undefined: directly. This machine is never reached through a proxy, where `localhost` would mean the proxy's own machine. */
export function chooseProxy(rules: ProxyRules, url: URL): URL | undefined {
  const proxy = url.protocol === 'https:' ? rules.https : url.protocol === 'http:' ? rules.http : undefined;
  if (!proxy || isThisMachine(hostOf(url))) return undefined;
  return rules.exceptions.some((exception) => excepts(exception, url)) ? undefined : proxy;
}

/** The host without brackets and without the dot at the end. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

function isThisMachine(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  return ipaddr.process(host).range() === 'loopback';
}

function excepts(exception: ProxyException, url: URL): boolean {
  const host = hostOf(url);
  switch (exception.kind) {
    case 'all':
      return true;
    case 'addresses': {
      if (isIP(host) === 0) return false;
      const address = ipaddr.process(host);
      const [first, length] = exception.range;
      return address.kind() === first.kind() && address.match([first, length] as never);
    }
    case 'name': {
      const port = url.port || (url.protocol === 'https:' ? '443' : '80');
      if (exception.port !== undefined && exception.port !== port) return false;
      return host === exception.name || host.endsWith(`.${exception.name}`);
    }
  }
}
