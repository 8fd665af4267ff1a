/** The addresses of this service that people and hosts are given. */

/** Where a code host sends its webhooks. */
export function webhookUrlOf(baseUrl: string, codeHostId: string): string {
  return `${baseUrl}/api/v2/code-hosts/${codeHostId}/webhook`;
}

/** Where GitHub returns to after creating an App: a page of the web app. */
export function githubAppReturnUrl(baseUrl: string): string {
  return `${baseUrl}/settings/code-hosts/github-app`;
}

/** Where a host returns to after a member signed in: a page of the web app. */
export function accountReturnUrl(baseUrl: string): string {
  return `${baseUrl}/settings/account/link`;
}
