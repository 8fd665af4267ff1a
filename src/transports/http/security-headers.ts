/** The security headers of every reply, computed once because doing it per request costs time. */

export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    // Most replies are data; pages set their own policy.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  };
}
