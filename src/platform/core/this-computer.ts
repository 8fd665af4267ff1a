/** Host names, as `URL` writes them, that mean the computer on which they are read. */

const NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isThisComputer(hostname: string): boolean {
  return NAMES.has(hostname);
}
