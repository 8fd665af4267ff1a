/** The field for keywords; `/` focuses it. */
import { Search } from 'lucide-react';
import { useRef } from 'react';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import { useTypedFilter } from '../../parts/fields/use-typed-filter.ts';

export function KeywordField(props: { search: string; onSearch(text: string): void; onLeave(): void }) {
  const input = useRef<HTMLInputElement>(null);
  const typed = useTypedFilter(props.search, props.onSearch);
  usePageShortcuts([
    {
      keys: ['/'],
      meaning: 'Search summaries',
      act() {
        input.current?.select();
        return true;
      },
    },
  ]);
  return (
    <search className="relative mb-3 block">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-quiet"
      />
      <input
        ref={input}
        type="search"
        aria-label="Search summaries"
        placeholder="Search by keywords: invoices pdf &quot;payment gateway&quot;"
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        value={typed.text}
        onChange={(event) => typed.type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') typed.now();
          if (event.key === 'Escape' && typed.text === '') event.currentTarget.blur();
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          props.onLeave();
        }}
        className="h-10 w-full rounded-md border border-strong-line bg-page pr-3 pl-9 text-sm placeholder:text-quiet"
      />
    </search>
  );
}
