/** Lines of code whose names show their definition: to a pointer that rests on them, to the key `d`, and to a tap. A click goes there. */
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Popover } from 'radix-ui';
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { usePageShortcuts } from '../../../frame/use-shortcuts.ts';
import { DefinitionCard } from './definition-card.tsx';
import { type NameInLine, nameAtPoint, namesIn, rangeOf } from './names-in-lines.ts';
import { type Definitions, type NamePlace, useDefinitions } from './use-definitions.ts';

/** How long the pointer must rest on a name before it is looked up. */
const REST_MS = 250;
/** How long the card stays after the pointer has left, so that it can be reached. */
const LEAVE_MS = 250;
/** A second click within this time selects the word. */
const DOUBLE_CLICK_MS = 250;
const MOVED_PIXELS = 2;
const HIGHLIGHT = 'name-with-definition';

interface Shown {
  at: NameInLine;
  place: NamePlace;
  /** With the keys, all names of the line, and which one it is. */
  byKeys?: { names: NameInLine[]; index: number };
}

interface NamesAreaProps {
  /** Where a line's text is; undefined where names aren't looked up. */
  placeOf(text: HTMLElement): NamePlace | undefined;
  /** The line that the key `d` means when none has the focus. */
  chosenLine?: string;
  children: ReactNode;
}

export function NamesArea({ children, chosenLine, placeOf }: NamesAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown>();
  const definitions = useDefinitions(shown?.at.name, shown?.place);
  const timers = useRef<{ rest?: number; leave?: number; click?: number }>({});
  const goTo = useGoTo(definitions);
  const isFound = definitions.state === 'found';
  useHighlight(shown?.at, isFound);

  const show = (at: NameInLine | undefined, byKeys?: Shown['byKeys']) => {
    const place = at && placeOf(at.line);
    setShown(at && place ? { at, place, ...(byKeys && { byKeys }) } : undefined);
  };
  const stop = (...names: (keyof typeof timers.current)[]) => {
    for (const name of names) clearTimeout(timers.current[name]);
  };
  const leaveSoon = () => {
    stop('rest', 'leave');
    if (!shown?.byKeys) timers.current.leave = window.setTimeout(() => setShown(undefined), LEAVE_MS);
  };
  useEffect(() => {
    const { current } = timers;
    return () => {
      for (const timer of Object.values(current)) clearTimeout(timer);
    };
  }, []);

  const showByKeys = (): boolean => {
    const active = document.activeElement;
    const focused = area.current?.contains(active) ? active!.closest('.line, .diff-line') : null;
    const side = active?.closest<HTMLElement>('.number')?.dataset.side;
    const line = focused ?? (chosenLine ? area.current?.querySelector(chosenLine) : null);
    const texts = [...(line?.querySelectorAll<HTMLElement>('.text') ?? [])];
    const text = side === 'old' ? texts[0] : texts.at(-1);
    const names = text ? namesIn(text) : [];
    if (names.length === 0) return false;
    show(names[0], { names, index: 0 });
    return true;
  };
  usePageShortcuts([
    { keys: ['d'], meaning: 'Show definitions of the names in a line: ← → and Enter', act: showByKeys },
  ]);
  useCardKeys(shown, {
    onMove(by) {
      const { index, names } = shown!.byKeys!;
      const next = (index + by + names.length) % names.length;
      show(names[next], { names, index: next });
    },
    onGo: () => goTo(false),
    onLeave: () => setShown(undefined),
  });

  const pointer = {
    onPointerMove({ buttons, clientX: x, clientY: y, pointerType }: PointerEvent) {
      if (pointerType !== 'mouse') return;
      stop('rest');
      if (buttons !== 0) return;
      if (shown && !shown.byKeys) {
        if (isOn(shown.at, x, y)) return stop('leave');
        leaveSoon();
      }
      timers.current.rest = window.setTimeout(() => {
        const found = nameAtPoint(x, y);
        if (!found) return;
        stop('leave');
        show(found);
      }, REST_MS);
    },
    onPointerLeave: leaveSoon,
    onPointerDown: () => stop('rest'),
    onClick(event: MouseEvent) {
      stop('click');
      const { clientX: x, clientY: y, nativeEvent } = event;
      const isPlain = event.button === 0 && !event.shiftKey && !event.altKey && event.detail <= 1;
      if (!isPlain || getSelection()?.isCollapsed === false) return;
      if ((nativeEvent as globalThis.PointerEvent).pointerType === 'touch') {
        show(nameAtPoint(x, y));
        return;
      }
      if (!isFound || !shown || !isOn(shown.at, x, y)) return;
      if (event.ctrlKey || event.metaKey) goTo(true);
      else timers.current.click = window.setTimeout(() => goTo(false), DOUBLE_CLICK_MS);
    },
  };
  const isOpen = shown !== undefined && (isFound || shown.byKeys !== undefined);
  return (
    <div
      ref={area}
      className={isOpen && !shown.byKeys && !isHere(definitions) ? '[&_.text]:cursor-pointer' : undefined}
      {...pointer}
    >
      {children}
      <Card
        {...{ definitions, isOpen, shown }}
        onEnter={() => stop('leave', 'rest')}
        onLeave={leaveSoon}
        onClose={() => setShown(undefined)}
      />
    </div>
  );
}

function Card(props: {
  definitions: Definitions;
  isOpen: boolean;
  shown: Shown | undefined;
  onEnter(): void;
  onLeave(): void;
  onClose(): void;
}) {
  const { definitions, isOpen, onClose, onEnter, onLeave, shown } = props;
  const anchor = useMemo(() => {
    const read = () => shown && rangeOf(shown.at)?.getBoundingClientRect();
    let last = read() ?? new DOMRect();
    const getBoundingClientRect = () => {
      // Colors that arrive replace the text of a line, and a list can replace the line.
      const now = read();
      if (now && now.width > 0) last = now;
      return last;
    };
    return { current: { getBoundingClientRect } };
  }, [shown]);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return;
    const { left, top } = anchor.current.getBoundingClientRect();
    // In the capture phase: scrolling the lines themselves counts too. A list can scroll to keep its place, which moves nothing.
    const scroll = () => {
      const now = anchor.current.getBoundingClientRect();
      if (Math.abs(now.left - left) + Math.abs(now.top - top) > MOVED_PIXELS) close.current();
    };
    addEventListener('scroll', scroll, true);
    return () => removeEventListener('scroll', scroll, true);
  }, [anchor, isOpen]);
  return (
    <Popover.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          data-definition-card=""
          side="top"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={`Definition of ${shown?.at.name}`}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            // A click on the name goes to its definition.
            const { target } = event.detail.originalEvent;
            if (target instanceof Element && target.closest('.text')) event.preventDefault();
          }}
          onPointerEnter={onEnter}
          onPointerLeave={onLeave}
          // It is in the tree of the lines, but its clicks are its own.
          onClick={(event) => event.stopPropagation()}
          onPointerMove={(event) => event.stopPropagation()}
          className="z-[45] max-h-[min(24rem,var(--radix-popover-content-available-height))] w-max max-w-[min(38rem,calc(100vw-1rem))] overflow-y-auto rounded-lg border border-line bg-raised px-3 py-2.5 shadow-xl"
        >
          <div role={shown?.byKeys ? 'status' : undefined}>
            {shown?.byKeys && (
              <p className="mb-1 text-xs text-quiet">
                <span className="font-mono text-text">{shown.at.name}</span> · {shown.byKeys.index + 1} of{' '}
                {shown.byKeys.names.length} names in this line
              </p>
            )}
            {definitions.state === 'found' ? (
              <DefinitionCard found={definitions.found} />
            ) : (
              <p className="text-sm text-quiet">{WORDS[definitions.state]}</p>
            )}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const WORDS: Record<Exclude<Definitions['state'], 'found'>, string> = {
  loading: 'Loading…',
  indexing: 'This commit is still being indexed.',
  none: 'No definition in this repository.',
  failed: 'Couldn’t load the definition.',
};

function isOn(at: NameInLine, x: number, y: number): boolean {
  return [...(rangeOf(at)?.getClientRects() ?? [])].some(
    ({ bottom, left, right, top }) => left <= x && x <= right && top <= y && y <= bottom,
  );
}

function isHere(definitions: Definitions): boolean {
  return (
    definitions.state === 'found' && definitions.found.isHere && definitions.found.definitions.length < 2
  );
}

/** Goes to the first definition, or the second from the first. */
function useGoTo(definitions: Definitions) {
  const navigate = useNavigate();
  const router = useRouter();
  return (inNewTab: boolean) => {
    if (definitions.state !== 'found') return;
    const { commit, definitions: all, isHere: isOwn, repositoryId } = definitions.found;
    const target = isOwn ? all[1] : all[0];
    if (!target) return;
    const to = {
      to: '/repositories/$repositoryId',
      params: { repositoryId },
      search: { ref: commit, path: target.path },
      hash: `L${target.line}`,
    } as const;
    if (inNewTab) open(router.buildLocation(to).href, '_blank', 'noopener');
    else void navigate(to);
  };
}

/** Underlines the name without changing the elements that it is in. */
function useHighlight(at: NameInLine | undefined, isFound: boolean): void {
  useEffect(() => {
    const range = at && isFound ? rangeOf(at) : undefined;
    if (!range || !('highlights' in CSS)) return;
    CSS.highlights.set(HIGHLIGHT, new Highlight(range));
    return () => void CSS.highlights.delete(HIGHLIGHT);
  }, [at, isFound]);
}

/** While the keys show a card, they belong to it. */
function useCardKeys(
  shown: Shown | undefined,
  actions: { onMove(by: 1 | -1): void; onGo(): void; onLeave(): void },
): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const isByKeys = shown?.byKeys !== undefined;
  useEffect(() => {
    if (!isByKeys) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as Element).closest?.('[data-definition-card]') && event.key !== 'Escape') return;
      const { onGo, onLeave, onMove } = latest.current;
      if (event.key === 'ArrowRight' || event.key === 'd') onMove(1);
      else if (event.key === 'ArrowLeft') onMove(-1);
      else if (event.key === 'Enter') onGo();
      else if (event.key === 'Tab') return;
      else {
        onLeave();
        if (event.key !== 'Escape') return;
      }
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [isByKeys]);
}
