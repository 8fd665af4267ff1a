/** Refuses cross-site requests (CSRF): by Fetch Metadata, or by Origin for browsers that do not send it. */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../../platform/core/errors/errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Clients other than browsers send neither header and are let through. */
export function refuseCrossOrigin(method: string, headers: IncomingHttpHeaders, baseUrl: string): void {
  if (SAFE_METHODS.has(method)) return;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return;
    throw refusal();
  }
  const origin = headers.origin;
  if (origin === undefined || origin === baseUrl) return;
  if (URL.canParse(origin) && headers.host !== undefined && new URL(origin).host === headers.host) return;
  throw refusal();
}

function refusal(): Problem {
  return new Problem('cross_origin', 'This request came from another site, so it was refused.');
}
