/** Whether blame is shown beside the lines of files, kept in this browser. */
import { useState } from 'react';
import { useSession } from '../../api/queries.ts';

const KEY = 'countersign-blame';

export function useBlamePreference(): [boolean, (on: boolean) => void] {
  const key = `${KEY}:${useSession().user.id}`;
  const [isOn, setIsOn] = useState(() => localStorage.getItem(key) === 'true');
  const change = (on: boolean) => {
    setIsOn(on);
    localStorage.setItem(key, String(on));
  };
  return [isOn, change];
}
