/**
 * Refuses pages and open metrics under a host name that isn't ours. Another site could point its own name at this
 * service (DNS rebinding), and its scripts could then read them. The API and `/mcp` need a credential that such a site
 * doesn't have.
 */
import { isIP } from 'node:net';
import { Problem } from '../../../platform/core/errors.ts';

const NEED_CREDENTIALS = /^\/(api|mcp|oauth|\.well-known|healthz|readyz)(\/|$)/;

export interface HostRules {
  site: { baseUrl: string };
  settings: { allowedHosts: readonly string[]; metricsToken: string | undefined };
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
