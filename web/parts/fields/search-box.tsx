/** The field that filters repositories by name; `/` focuses it. */
import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../components/button.tsx';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import { useTypedFilter } from './use-typed-filter.ts';

export function SearchBox(props: { search: string; onSearch(text: string): void; onLeave(): void }) {
  const input = useRef<HTMLInputElement>(null);
  const name = useTypedFilter(props.search, props.onSearch);
  usePageShortcuts([
    {
      keys: ['/'],
      meaning: 'Filter repositories',
      act() {
        input.current?.select();
        return true;
      },
    },
  ]);
  return (
    <search className="relative mb-4 block">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-quiet"
      />
      <input
        ref={input}
        type="search"
        aria-label="Filter repositories"
        placeholder="Filter by name"
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        value={name.text}
        onChange={(event) => name.type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') name.now();
          if (event.key === 'Escape' && name.text === '') event.currentTarget.blur();
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          props.onLeave();
        }}
        className="h-10 w-full rounded-md border border-strong-line bg-page pr-10 pl-9 text-sm placeholder:text-quiet [&::-webkit-search-cancel-button]:hidden"
      />
      {name.text !== '' && (
        <span className="absolute top-1/2 right-0.5 -translate-y-1/2">
          <IconButton
            name="Clear filter"
            onClick={() => {
              props.onSearch('');
              input.current?.focus();
            }}
          >
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </span>
      )}
    </search>
  );
}
