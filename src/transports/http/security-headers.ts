/** The headers that every reply carries; written out, because computing them anew for each request costs time. */

export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    // Replies are data, not pages; the few pages we serve set a policy of their own.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
