/** Which pages may call `/mcp` from a browser, as the protocol asks: ours, those on the same computer, and those the operator names. */
import { isThisComputer } from '../../../platform/core/this-computer.ts';

/** Programs that are no browsers send no Origin. A name that was pointed at this machine is foreign. */
export function isForeignPage(
  origin: string | undefined,
  baseUrl: string,
  allowedOrigins: readonly string[],
): boolean {
  if (origin === undefined || allowedOrigins.includes(origin)) return false;
  const page = URL.parse(origin);
  return !page || (page.origin !== new URL(baseUrl).origin && !isThisComputer(page.hostname));
}
