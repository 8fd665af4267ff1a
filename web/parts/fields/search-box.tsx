/** The field that searches a list: the address follows once typing pauses, `/` focuses it, and the arrow enters the list. */
import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../components/button.tsx';
import { Keys } from '../../components/kbd.tsx';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import { useTypedFilter } from './use-typed-filter.ts';

export function SearchBox(props: {
  name: string;
  placeholder: string;
  maxLength: number;
  search: string;
  onSearch(text: string): void;
  onLeave(): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const words = useTypedFilter(props.search, props.onSearch);
  usePageShortcuts([
    {
      keys: ['/'],
      meaning: props.name,
      act() {
        input.current?.select();
        return true;
      },
    },
  ]);
  return (
    <div className="relative">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-quiet"
      />
      <input
        ref={input}
        type="search"
        aria-label={props.name}
        placeholder={props.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={props.maxLength}
        value={words.text}
        onChange={(event) => words.type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') words.now();
          if (event.key === 'Escape' && words.text === '') event.currentTarget.blur();
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          props.onLeave();
        }}
        className="h-10 w-full rounded-md border border-strong-line bg-page pr-10 pl-9 text-sm placeholder:text-quiet [&::-webkit-search-cancel-button]:hidden"
      />
      <span className="absolute top-1/2 right-0.5 -translate-y-1/2">
        {words.text === '' ? (
          <span className="hidden pr-2 lg:block" aria-hidden="true">
            <Keys keys={['/']} />
          </span>
        ) : (
          <IconButton
            name="Clear search"
            onClick={() => {
              props.onSearch('');
              input.current?.focus();
            }}
          >
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        )}
      </span>
    </div>
  );
}
