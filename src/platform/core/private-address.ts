/**
 * Keeps requests that people ask us to make away from this machine and from private networks: by the address itself, and by
 * what a name turns out to mean at the moment of connecting, so that a name cannot change its meaning in between.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether an address is anything but one of the public internet. What cannot be read counts as private. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) return true;
  const parsed = ipaddr.parse(address.replace(/%.*$/, ''));
  if (parsed instanceof ipaddr.IPv4) return parsed.range() !== 'unicast';
  if (parsed.isIPv4MappedAddress()) return isPrivateAddress(parsed.toIPv4Address().toString());
  const bytes = parsed.toByteArray();
  // Networks with IPv6 alone reach the rest of the internet so (NAT64): the IPv4 address stands in the last four bytes.
  if (parsed.range() === 'rfc6052') return isPrivateAddress(bytes.slice(12).join('.'));
  // Public addresses are those of 2000::/3, without what is set aside in there.
  return bytes[0]! >> 5 !== 1 || parsed.range() !== 'unicast';
}

/** The host of a URL as an address, without the brackets of IPv6; undefined when it is a name. */
export function addressOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

export class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS';

  constructor() {
    super('the address is of this machine or of a private network');
  }
}

type ResolveAll = (
  name: string,
  options: { all: true; family?: number | 'IPv4' | 'IPv6'; hints?: number },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A `lookup` for connections: fails when any of the addresses is private. A literal address never comes here. */
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

/** Whether the host of a URL is private as far as can be told now; a name that cannot be resolved in time is not. */
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
