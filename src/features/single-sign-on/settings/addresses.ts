/** The addresses that a provider sends browsers and logout tokens to, and the pages that people may return to. */

export function redirectUrl(baseUrl: string): string {
  return `${baseUrl}/sign-in/return`;
}

export function logoutUrl(baseUrl: string, organizationId: string): string {
  return `${baseUrl}/api/v2/single-sign-on/${organizationId}/logout`;
}

/** A path of this service, parsed the way browsers parse it; anything else leads to the start page. */
export function ownPath(path: string | undefined, baseUrl: string): string {
  const url = path?.startsWith('/') ? URL.parse(path, baseUrl) : null;
  return url?.origin === new URL(baseUrl).origin ? `${url.pathname}${url.search}${url.hash}` : '/';
}
