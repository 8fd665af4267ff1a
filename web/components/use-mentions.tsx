/** Completes `@name` in a text area: members and teams whose names begin with what was typed, chosen by key or click. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useState,
} from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';

const FRESH_MS = 60_000;
/** As the service reads names. */
const TYPED = /(?:^|[^\p{L}\p{N}_@/.+-])@([\p{L}\p{N}._+-]{0,50})$/u;

/** The repository whose readers are offered; null: everyone. */
export const MentionScope = createContext<string | null>(null);

type Candidate = CallOutput<'find-mentionable'>['candidates'][number];

export function useMentions(
  area: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
): {
  list: ReactNode;
  onKeyDown(event: KeyboardEvent): void;
  follow(): void;
  close(): void;
  attributes: object;
} {
  const id = useId();
  const [typed, setTyped] = useState<{ start: number; end: number; name: string }>();
  const [active, setActive] = useState(0);
  const candidates = useCandidates(typed?.name);
  const isOpen = typed !== undefined && candidates.length > 0;
  const chosen = Math.min(active, candidates.length - 1);

  const close = () => setTyped(undefined);
  /** Reads what stands before the cursor. */
  const follow = () => {
    const { selectionEnd = 0, selectionStart, value = '' } = area.current ?? {};
    const name = selectionStart === selectionEnd ? TYPED.exec(value.slice(0, selectionEnd))?.[1] : undefined;
    setActive(0);
    setTyped(name === undefined ? undefined : { start: selectionEnd - name.length, end: selectionEnd, name });
  };
  const choose = ({ handle }: Candidate) => {
    const element = area.current;
    if (!typed || !element) return;
    const before = `${element.value.slice(0, typed.start)}${handle} `;
    setText(before + element.value.slice(typed.end));
    close();
    element.focus();
    // The new text is in the element after React has written it.
    requestAnimationFrame(() => element.setSelectionRange(before.length, before.length));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) setActive((chosen + move + candidates.length) % candidates.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(candidates[chosen]!);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const list = isOpen && (
    <div
      role="listbox"
      id={id}
      aria-label="People and teams"
      className="absolute top-full left-0 z-20 mt-1 w-72 max-w-full overflow-hidden rounded-lg border border-line bg-raised p-1 shadow-xl"
    >
      {candidates.map((candidate, index) => (
        // The text area keeps the focus and handles the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the active option is named by the text area.
        <div
          key={candidate.id}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === chosen}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(candidate);
          }}
          className={`flex cursor-pointer items-baseline gap-2 rounded-md px-2 py-1 text-sm ${index === chosen ? 'bg-accent-soft text-accent' : ''}`}
        >
          <span className="truncate font-medium">{candidate.name}</span>
          <span className="truncate text-xs text-quiet">@{candidate.handle}</span>
          {candidate.kind === 'team' && <span className="ml-auto text-xs text-quiet">Team</span>}
        </div>
      ))}
    </div>
  );
  const attributes = isOpen
    ? {
        'aria-autocomplete': 'list' as const,
        'aria-controls': id,
        'aria-activedescendant': `${id}-${chosen}`,
      }
    : {};
  return { list, onKeyDown, follow, close, attributes };
}

/** Those whose names begin with what was typed; the last ones stay until the next are there. */
function useCandidates(name: string | undefined): Candidate[] {
  const repositoryId = useContext(MentionScope);
  const { data } = useQuery({
    ...operationQuery('find-mentionable', {
      query: name ?? '',
      ...(repositoryId !== null && { repositoryId }),
    }),
    enabled: name !== undefined,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  if (name === undefined) return [];
  const wanted = name.toLowerCase();
  const begins = (word: string) => word.toLowerCase().startsWith(wanted);
  return (data?.candidates ?? []).filter(({ handle, name: full }) =>
    [handle, ...full.split(' ')].some(begins),
  );
}
