/** The form of the search in all repositories; the query is part of the address, so that it can be shared. */
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import type { SearchAllSearch } from '../../page-search.ts';
import { Choice } from '../../parts/fields/choice.tsx';

const INPUT =
  'h-10 w-full rounded-md border border-strong-line bg-page px-3 font-mono text-sm placeholder:text-quiet aria-invalid:border-danger';

const FILTERS = [
  { name: 'repositories', label: 'Repositories', placeholder: 'All, or acme/*' },
  { name: 'paths', label: 'Paths', placeholder: 'All, or src/**/*.ts' },
  { name: 'language', label: 'Language', placeholder: 'Any, or go' },
] as const;

type Typed = Record<'pattern' | (typeof FILTERS)[number]['name'], string>;

export function SearchAllForm({
  search,
  problems,
}: {
  search: SearchAllSearch;
  /** Error messages by field. */
  problems: ReadonlyMap<string, string>;
}) {
  const navigate = useNavigate({ from: '/search' });
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<Typed>(typedOf(search));
  // Changed elsewhere: by back and forward.
  useEffect(() => setTyped(typedOf(search)), [search]);
  const wasEmpty = useRef(!search.pattern);
  useEffect(() => {
    if (wasEmpty.current) input.current?.focus();
  }, []);
  usePageShortcuts([
    {
      keys: ['/'],
      meaning: 'Search code',
      act() {
        input.current?.select();
        return true;
      },
    },
  ]);
  const ask = (change: Partial<SearchAllSearch>) => {
    const filled = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ''));
    const { ignoreCase, regex } = { ...search, ...change };
    void navigate({ search: { ...filled, ...(ignoreCase && { ignoreCase }), ...(regex && { regex }) } });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask({});
  };
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    'aria-invalid': problems.has(name) ? (true as const) : undefined,
  });
  const errorId = useId();
  return (
    <search className="mb-5 block">
      <form onSubmit={submit} className="grid gap-2.5">
        <div className="flex flex-wrap gap-2">
          <div className="relative min-w-0 flex-1 basis-72">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-quiet"
            />
            <input
              ref={input}
              type="search"
              aria-label="Search code in all repositories"
              aria-describedby={problems.size > 0 ? errorId : undefined}
              placeholder={search.regex ? 'Search by regular expression' : 'Search code'}
              maxLength={1900}
              {...field('pattern')}
              className={`${INPUT} pl-9`}
            />
          </div>
          <Button type="submit" look="primary" className="h-10">
            Search
          </Button>
        </div>
        <div className="grid gap-2 sm:grid-cols-3">
          {FILTERS.map(({ label, name, placeholder }) => (
            <input
              key={name}
              aria-label={label}
              title={label}
              placeholder={`${label}: ${placeholder}`}
              maxLength={name === 'language' ? 50 : 1000}
              {...field(name)}
              className={INPUT}
            />
          ))}
        </div>
        <div className="flex flex-wrap gap-x-5">
          <Choice
            type="checkbox"
            name="ignoreCase"
            checked={search.ignoreCase === true}
            onChange={(on) => ask({ ignoreCase: on || undefined })}
          >
            Ignore case
          </Choice>
          <Choice
            type="checkbox"
            name="regex"
            checked={search.regex === true}
            onChange={(on) => ask({ regex: on || undefined })}
          >
            Regular expression
          </Choice>
        </div>
        {problems.size > 0 && (
          <p id={errorId} role="alert" className="text-[0.8125rem] wrap-anywhere text-danger">
            {[...problems].map(([name, message]) => `${labelOf(name)} ${message}.`).join(' ')}
          </p>
        )}
      </form>
    </search>
  );
}

function typedOf({ language = '', paths = '', pattern = '', repositories = '' }: SearchAllSearch): Typed {
  return { pattern, repositories, paths, language };
}

function labelOf(name: string): string {
  return FILTERS.find((filter) => filter.name === name)?.label ?? 'The pattern';
}
