/** Resolves a host name to all of its addresses with the system resolver. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

const TIMEOUT_MS = 10_000;
const MAX_ADDRESSES = 8;

/** Best first; empty when the name is unknown or the resolver times out. */
export type ResolveHost = (host: string) => Promise<string[]>;

export async function resolveHost(host: string): Promise<string[]> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return [bare];
  const { promise: late, resolve: giveUp } = Promise.withResolvers<string[]>();
  const timer = setTimeout(giveUp, TIMEOUT_MS, []);
  const found = lookup(bare, { all: true, order: 'verbatim' }).then(
    (addresses) => addresses.map(({ address }) => address),
    () => [],
  );
  const addresses = await Promise.race([found, late]);
  clearTimeout(timer);
  return [...new Set(addresses)].slice(0, MAX_ADDRESSES);
}
