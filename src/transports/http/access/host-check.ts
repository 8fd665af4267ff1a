/**
 * Refuses pages and open metrics under a host name that isn't ours. Another site could point its own name at this
 * service (DNS rebinding), and its scripts could then read them. The API and `/mcp` need a credential that such a site
 * doesn't have.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { invalidRequest, Problem } from '../../../platform/core/errors/errors.ts';

const NEED_CREDENTIALS = /^\/(api|mcp|oauth|\.well-known|healthz|readyz)(\/|$)/;

export interface HostRules {
  site: { baseUrl: string };
  settings: { allowedHosts: readonly string[]; metricsToken: string | undefined };
}

/** HTTP/1.1 requires exactly one `Host`. With two, a proxy and this service could each use a different one. */
export function refuseHostCount(request: IncomingMessage): Problem | undefined {
  let count = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count === 1 || (count === 0 && request.httpVersion === '1.0')) return undefined;
  const message = count === 0 ? 'is required in HTTP/1.1' : 'must be sent only once';
  return invalidRequest([{ path: 'Host', message }]);
}

/** `host` as the client or a trusted proxy sent it. HTTP/1.0 clients may send none; browsers always do. */
export function refuseForeignHost(
  host: string | undefined,
  path: string,
  rules: HostRules,
): Problem | undefined {
  if (host === undefined || host === '' || NEED_CREDENTIALS.test(path)) return undefined;
  if (path === '/metrics' && rules.settings.metricsToken !== undefined) return undefined;
  if (isOurHost(host, rules)) return undefined;
  return new Problem(
    'misdirected_request',
    `This service isn't known as ${host.slice(0, 200)}. Open it under ${rules.site.baseUrl}, or add the name to ALLOWED_HOSTS.`,
  );
}

function isOurHost(host: string, { settings, site }: HostRules): boolean {
  const name = URL.parse(`http://${host}`)?.hostname;
  if (name === undefined) return false;
  return (
    isIP(name.replaceAll(/^\[|\]$/g, '')) !== 0 ||
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === new URL(site.baseUrl).hostname ||
    settings.allowedHosts.includes(name)
  );
}
