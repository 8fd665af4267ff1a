/** Which pages may call `/mcp` from a browser, as the protocol asks: ours, those on the same computer, and those the operator names. */
import { Problem } from '../core/errors.ts';

const SAME_COMPUTER = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Programs that are no browsers send no Origin, and pass. A name that was pointed at this machine does not. */
export function refuseForeignPage(
  origin: string | undefined,
  baseUrl: string,
  allowedOrigins: readonly string[],
): void {
  if (origin === undefined || allowedOrigins.includes(origin)) return;
  const page = URL.parse(origin);
  if (page && (page.origin === new URL(baseUrl).origin || SAME_COMPUTER.has(page.hostname))) return;
  throw new Problem(
    'cross_origin',
    'A page of another site sent this request. The operator can allow that site with MCP_ALLOWED_ORIGINS.',
  );
}
