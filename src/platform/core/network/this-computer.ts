/** Loopback host names, as `URL` writes them. */

const NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isThisComputer(hostname: string): boolean {
  return NAMES.has(hostname);
}
