/** Keeps the button that begins a review in reach: once the header is scrolled away, it is in the bar above the files. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

interface ReviewPlaces {
  /** The button of the header can't be seen. */
  isAway: boolean;
  setAway(isAway: boolean): void;
  /** Where it is shown instead. */
  slot: HTMLElement | null;
  setSlot(slot: HTMLElement | null): void;
}

const Places = createContext<ReviewPlaces | undefined>(undefined);

export function ReviewPlacesProvider({ children }: { children: ReactNode }) {
  const [isAway, setAway] = useState(false);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const places = useMemo(() => ({ isAway, setAway, slot, setSlot }), [isAway, slot]);
  return <Places value={places}>{children}</Places>;
}

/** The place in the header; what it has is shown in the slot instead while this can't be seen. */
export function ReviewPlace({ children }: { children: ReactNode }) {
  const places = useContext(Places);
  const place = useRef<HTMLSpanElement>(null);
  const setAway = places?.setAway;
  useEffect(() => {
    const element = place.current;
    if (!element || !setAway) return;
    const observer = new IntersectionObserver(([entry]) =>
      setAway(!entry!.isIntersecting && entry!.boundingClientRect.top < 0),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      setAway(false);
    };
  }, [setAway]);
  const isMoved = places?.isAway && places.slot !== null;
  return (
    <>
      <span ref={place} className={`inline-flex ${isMoved ? 'invisible' : ''}`}>
        {children}
      </span>
      {isMoved && createPortal(children, places.slot!)}
    </>
  );
}

export function ReviewSlot() {
  const places = useContext(Places);
  return <span ref={places?.setSlot} className="inline-flex shrink-0 empty:hidden" />;
}
