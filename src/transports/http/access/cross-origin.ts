/** Refuses what another site makes a browser send: by Fetch Metadata, or by Origin where a browser sends none. */
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../../platform/core/errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Clients that are no browsers send neither header, and pass. */
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
  return new Problem('cross_origin', 'A page of another site sent this request, so nothing was done.');
}
