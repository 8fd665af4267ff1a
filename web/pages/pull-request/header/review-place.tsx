/** Keeps the button that begins a review in reach: once the header is scrolled away, it is in a bar at the top of the window. */
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
    const observer = new IntersectionObserver(
      ([entry]) => setAway(!entry!.isIntersecting && entry!.boundingClientRect.top < COVERED),
      { rootMargin: `-${COVERED}px 0px 0px 0px` },
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

/** The height of the bar on top of a narrow window. */
const COVERED = 56;

export function ReviewSlot() {
  const places = useContext(Places);
  return <span ref={places?.setSlot} className="inline-flex shrink-0 empty:hidden" />;
}

/** The bar for views that have none at the top of the window themselves. */
export function ReviewBar({ children }: { children: ReactNode }) {
  const places = useContext(Places);
  const isShown = places?.isAway ?? false;
  return (
    // Without a height, so that nothing moves when it appears.
    <div className="sticky top-14 z-[15] h-0 lg:top-0">
      <div
        className={`-mx-4 flex h-12 items-center gap-3 border-b border-line bg-page px-4 text-sm sm:-mx-6 sm:px-6 ${isShown ? '' : 'hidden'}`}
      >
        <p className="min-w-0 flex-1 truncate font-medium">{children}</p>
        <ReviewSlot />
      </div>
    </div>
  );
}
