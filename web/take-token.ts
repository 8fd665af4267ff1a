/** Takes the token out of a link's fragment, and out of the address bar and the history with it. */
import { useEffect, useState } from 'react';

/** The token of the link that was opened last: another link to the same page changes the fragment alone. */
export function useToken(): string | undefined {
  const [token, setToken] = useState(readToken);
  useEffect(() => {
    const take = () => {
      const found = readToken();
      if (!found) return;
      setToken(found);
      history.replaceState(history.state, '', location.pathname);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return token;
}

function readToken(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
}
