/** Reads the token from a link's fragment and removes it from the address bar and the history. */
import { useEffect, useState } from 'react';

/** The token of the most recently opened link: another link to the same page changes only the fragment. */
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
