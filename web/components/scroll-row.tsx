/** A row of links that scrolls sideways where the page is narrow; its edge fades where there is more. */
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Browsers round positions, so that the end may be a pixel away. */
const ROUNDING = 1;

export function ScrollRow(props: { label: string; className: string; children: ReactNode }) {
  const { children, className, label } = props;
  const row = useRef<HTMLElement>(null);
  const [more, setMore] = useState({ before: false, after: false });
  useEffect(() => {
    const shown = row.current;
    if (!shown) return;
    const look = () => {
      const before = shown.scrollLeft > ROUNDING;
      const after = shown.scrollLeft + shown.clientWidth < shown.scrollWidth - ROUNDING;
      setMore((now) => (now.before === before && now.after === after ? now : { before, after }));
    };
    // The links too, after each render: a count that arrives later makes them wider.
    const sizes = new ResizeObserver(look);
    for (const each of [shown, ...shown.children]) sizes.observe(each);
    shown.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      shown.removeEventListener('scroll', look);
    };
  });
  useEffect(() => showCurrent(row.current), []);
  const before = more.before ? 'mask-l-from-[calc(100%-2.5rem)]' : '';
  const after = more.after ? 'mask-r-from-[calc(100%-2.5rem)]' : '';
  return (
    <nav ref={row} aria-label={label} className={`flex overflow-x-auto ${before} ${after} ${className}`}>
      {children}
    </nav>
  );
}

/** Only sideways: scrollIntoView would move the page too. */
function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector<HTMLElement>('[aria-current=page]');
  if (!row || !current) return;
  const [outer, inner] = [row.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right + inner.width / 2;
}
