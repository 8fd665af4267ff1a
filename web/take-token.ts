/** Takes the token out of a link's fragment, and out of the address bar and the history with it. */

export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token) history.replaceState(history.state, '', location.pathname);
  return token;
}
