/**
 * Decides which pages may call `/mcp` from a browser, as the protocol requires: ours, those on the same computer, and allowed
 * origins.
 */
import { isThisComputer } from '../../../platform/core/network/this-computer.ts';

/** Clients other than browsers send no Origin. A foreign name that resolves to this machine stays foreign. */
export function isForeignPage(
  origin: string | undefined,
  baseUrl: string,
  allowedOrigins: readonly string[],
): boolean {
  if (origin === undefined || allowedOrigins.includes(origin)) return false;
  const page = URL.parse(origin);
  return !page || (page.origin !== new URL(baseUrl).origin && !isThisComputer(page.hostname));
}
