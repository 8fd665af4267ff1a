/** Whether this browser searches by regular expression: the last choice, remembered. */
import { useState } from 'react';

const STORAGE_KEY = 'countersign-search-regex';

export function useRegexPreference(): [boolean, (regex: boolean) => void] {
  const [regex, setRegex] = useState(() => localStorage.getItem(STORAGE_KEY) === 'true');
  const remember = (chosen: boolean) => {
    localStorage.setItem(STORAGE_KEY, String(chosen));
    setRegex(chosen);
  };
  return [regex, remember];
}
