/** Where an agent may take the browser back to: https, a program on this computer, or a scheme of its own. */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes that browsers act upon by themselves, so that none of them is an agent's own. */
const NOT_ITS_OWN = new Set(
  'about blob data file filesystem ftp intent javascript mailto sms tel vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

const LONGEST = 2000;

/** What is wrong with it; undefined when nothing is. */
export function redirectFault(address: unknown): string | undefined {
  if (typeof address !== 'string' || address.length > LONGEST) {
    return `must be addresses of at most ${LONGEST.toLocaleString('en-US')} characters`;
  }
  const url = URL.parse(address);
  // Parsers drop white space and control characters, and browsers would go elsewhere than what was compared.
  if (!url || /[^\x21-\x7e]/.test(address)) return 'must be whole addresses, percent-encoded';
  if (address.includes('#')) return 'must not have a fragment';
  if (url.username || url.password) return 'must not hold a user name';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname) ? undefined : 'must use https, unless they are on this computer';
  }
  if (NOT_ITS_OWN.has(url.protocol)) return `must not use the scheme ${url.protocol.slice(0, -1)}`;
  return undefined;
}

/**
 * The library holds agents on this computer (`native`) and on the web (`web`) to different rules. What clients say of themselves
 * is often wrong, so the addresses decide: only https on this computer needs the rules for the web.
 */
export function applicationTypeFor(addresses: readonly string[]): 'native' | 'web' {
  const urls = addresses.map((address) => new URL(address));
  const secureLoopback = urls.some(
    ({ hostname, protocol }) => protocol === 'https:' && LOOPBACK.has(hostname),
  );
  return secureLoopback ? 'web' : 'native';
}

/** As a person is told of it, without the port, which changes each time. */
export function describeRedirect(address: string): { returnsTo: string; isLocal: boolean } {
  const url = new URL(address);
  if (url.protocol === 'https:' || url.protocol === 'http:') {
    const isLocal = LOOPBACK.has(url.hostname);
    return { returnsTo: isLocal ? url.hostname : url.host, isLocal };
  }
  return { returnsTo: url.host ? `${url.protocol}//${url.host}` : url.protocol, isLocal: true };
}
