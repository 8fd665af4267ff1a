/** A relative time; the exact time is in the tooltip and in the markup. */
import { useEffect, useState } from 'react';
import { formatMoment, formatTime } from './format-time.ts';

export function Time({ at }: { at: string }) {
  const [, update] = useState({});
  useEffect(() => {
    const timer = setInterval(() => update({}), 30_000);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(at);
  return (
    <time className="whitespace-nowrap text-quiet" dateTime={at} title={formatMoment(moment)}>
      {formatTime(moment, new Date())}
    </time>
  );
}
