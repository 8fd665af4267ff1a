/**
 * Keeps requests made on behalf of users away from this machine and from private networks. Names are checked when the
 * connection is made, so that a name cannot resolve to another address after the check.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an address is not on the public internet. Anything that cannot be parsed counts as private. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) return true;
  const parsed = ipaddr.parse(address.replace(/%.*$/, ''));
  if (parsed instanceof ipaddr.IPv4) return parsed.range() !== 'unicast';
  if (parsed.isIPv4MappedAddress()) return isPrivateAddress(parsed.toIPv4Address().toString());
  const bytes = parsed.toByteArray();
  // NAT64, which IPv6-only networks use to reach IPv4: the IPv4 address is in the last four bytes.
  if (parsed.range() === 'rfc6052') return isPrivateAddress(bytes.slice(12).join('.'));
  // Public addresses are those in 2000::/3, except for its reserved ranges.
  return bytes[0]! >> 5 !== 1 || parsed.range() !== 'unicast';
}

/** The host of a URL as an IP address, without IPv6 brackets; undefined when it is a name. */
export function addressOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

export class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS';

  constructor() {
    super('the address belongs to this machine or to a private network');
  }
}

type ResolveAll = (
  name: string,
  options: { all: true; family?: number | 'IPv4' | 'IPv6'; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A `lookup` for connections that fails when any of the addresses is private. Literal addresses are never looked up. */
export function publicLookup(resolve: ResolveAll = systemLookup): LookupFunction {
  return (name, options, done) => {
    resolve(name, { family: options.family, hints: options.hints, all: true }, (error, addresses) => {
      const failure =
        error ??
        (addresses.some(({ address }) => isPrivateAddress(address)) ? new PrivateAddressError() : null);
      const [first] = addresses ?? [];
      if (failure || !first) return done(failure ?? new Error('the name has no address'), '', 0);
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

/** Whether the host of a URL is currently private; a name that cannot be resolved in time counts as public. */
export function hasPrivateHost(
  url: URL,
  timeoutMs: number,
  resolve: ResolveAll = systemLookup,
): Promise<boolean> {
  const address = addressOf(url);
  if (address !== undefined) return Promise.resolve(isPrivateAddress(address));
  const { promise, resolve: settle } = Promise.withResolvers<boolean>();
  const timer = setTimeout(settle, timeoutMs, false);
  publicLookup(resolve)(url.hostname, { all: true }, (error) => {
    clearTimeout(timer);
    settle(error instanceof PrivateAddressError);
  });
  return promise;
}
