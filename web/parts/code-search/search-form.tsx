/** The form of code search, in one repository and in all; the query is part of the address, so that it can be shared. */
import { Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { quoteSearchText } from '../../../src/engines/text/index.ts';
import { Button } from '../../components/button.tsx';
import { Keys } from '../../components/kbd.tsx';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import type { CodeSearch } from '../../page-search.ts';
import { Choice } from '../fields/choice.tsx';
import { filtersOf, onlyRepository, parseQuery, type SearchedRepository } from './search-query.ts';
import { useCompletions } from './use-completions.tsx';
import { useRegexPreference } from './use-regex-preference.ts';

interface SearchFormProps {
  /** Undefined for all. */
  repository?: SearchedRepository;
  search: CodeSearch;
  /** An error about the query, as a sentence. */
  problem: string | undefined;
  /** The picker of the branch, tag or commit. */
  picker?: ReactNode;
}

export function SearchForm({ picker, problem, repository, search }: SearchFormProps) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState(search.query ?? '');
  // Changed elsewhere: by back and forward, or by an example.
  useEffect(() => setQuery(search.query ?? ''), [search.query]);
  const wasEmpty = useRef(!search.query);
  useEffect(() => {
    // Without a query, the person came to type one.
    if (wasEmpty.current) input.current?.focus();
  }, []);
  const { mode } = search;
  const [prefersRegex, rememberRegex] = useRegexPreference();
  // The address determines the mode of a query; without a query, the last choice applies.
  const regex = search.query === undefined ? prefersRegex : search.regex === true;
  const ask = (change: Partial<CodeSearch>) => {
    const next = { ...search, query: query || undefined, regex: regex || undefined, ...change };
    const filters = mode === 'files' ? [] : parseQuery(next as CodeSearch).filters;
    const { ref: _, ...everywhere } = next;
    // A query that names repositories is one for all of them.
    if (repository && filters.some(({ name }) => name === 'repo'))
      void navigate({ to: '/search', search: everywhere as CodeSearch });
    else void navigate({ to: '.', search: next as CodeSearch });
  };
  const setRegex = (on: boolean) => {
    rememberRegex(on);
    if (query) ask({ regex: on || undefined });
  };
  const completions = useCompletions(
    input,
    setQuery,
    scopeOf(repository, { ...search, query, ...(regex && { regex }) }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    completions.close();
    ask({});
  };
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
  const errorId = useId();
  return (
    <search className="mb-5 block">
      <form onSubmit={submit} className="grid gap-2.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {picker}
          <Modes search={{ ...search, ...(query && { query }) }} isInRepository={repository !== undefined} />
          {mode !== 'files' && (
            <div className="flex flex-wrap gap-x-4 sm:ml-auto">
              {mode === 'commits' && (
                <Choice
                  type="checkbox"
                  name="changes"
                  checked={search.changes === true}
                  onChange={(on) => ask({ changes: on || undefined })}
                >
                  In added or removed text
                </Choice>
              )}
              <Choice
                type="checkbox"
                name="ignoreCase"
                checked={search.ignoreCase === true}
                onChange={(on) => ask({ ignoreCase: on || undefined })}
              >
                Ignore case
              </Choice>
            </div>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <div className="relative min-w-0 flex-1 basis-72">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-quiet"
            />
            <input
              ref={input}
              type="search"
              aria-label={labelOf(mode, repository !== undefined)}
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? errorId : undefined}
              placeholder={placeholderOf(search, regex)}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={mode === 'files' ? 1000 : 1900}
              value={query}
              onChange={(event) => {
                setQuery(event.target.value);
                if (mode !== 'files') completions.follow();
              }}
              {...(mode !== 'files' && {
                ...completions.attributes,
                onKeyDown: completions.onKeyDown,
                onClick: completions.follow,
                onBlur: completions.close,
              })}
              className="h-10 w-full rounded-md border border-strong-line bg-page pr-20 pl-9 font-mono text-sm placeholder:text-quiet aria-invalid:border-danger [&::-webkit-search-cancel-button]:hidden"
            />
            {completions.list}
            <span className="absolute top-1/2 right-1.5 flex -translate-y-1/2 items-center gap-1.5">
              {query === '' && (
                <span className="hidden lg:block" aria-hidden="true">
                  <Keys keys={['/']} />
                </span>
              )}
              {mode === undefined && (
                <button
                  type="button"
                  aria-label="Use regular expression"
                  title="Use regular expression"
                  aria-pressed={regex}
                  onClick={() => setRegex(!regex)}
                  className="inline-flex size-7 items-center justify-center rounded font-mono text-sm text-quiet transition-colors hover:bg-sunken hover:text-text aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent"
                >
                  .*
                </button>
              )}
            </span>
          </div>
          <Button type="submit" look="primary" className="h-10">
            Search
          </Button>
        </div>
        {problem && <Problem id={errorId} problem={problem} search={search} onAsk={ask} />}
      </form>
    </search>
  );
}

/** With what the person probably meant. */
function Problem(props: {
  id: string;
  problem: string;
  search: CodeSearch;
  onAsk(change: Partial<CodeSearch>): void;
}) {
  const { id, onAsk, problem, search } = props;
  const { query = '', regex } = search;
  const [unknown] = search.mode === 'files' ? [] : parseQuery(search).unknown;
  const text = unknown && query.slice(unknown.start, unknown.end);
  const literal = text && (regex ? text.replace(':', '\\:') : quoteSearchText(text));
  return (
    <p
      id={id}
      role="alert"
      className={`text-[0.8125rem] wrap-anywhere whitespace-pre-wrap text-danger ${problem.includes('\n') ? 'font-mono' : ''}`}
    >
      {problem}{' '}
      {unknown ? (
        <Offer
          onClick={() =>
            onAsk({ query: `${query.slice(0, unknown.start)}${literal}${query.slice(unknown.end)}` })
          }
        >
          Search for the text {text}
        </Offer>
      ) : (
        regex && (
          <Offer onClick={() => onAsk({ regex: undefined })}>Search for the literal text instead</Offer>
        )
      )}
    </p>
  );
}

function Offer({ children, onClick }: { children: ReactNode; onClick(): void }) {
  return (
    <button
      type="button"
      className="font-sans font-medium text-accent underline underline-offset-2"
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Paths are completed in the repository of the page, or in the one that the query names. */
function scopeOf(repository: SearchedRepository | undefined, search: CodeSearch) {
  const filters = filtersOf(search);
  if (repository) return { repository: repository.name, ref: search.ref, filters };
  return { repository: onlyRepository(search)?.name, ref: undefined, filters };
}

function labelOf(mode: CodeSearch['mode'], isInRepository: boolean): string {
  if (mode === 'files') return 'Search file names';
  const what = mode === 'commits' ? 'Search commits' : 'Search code';
  return isInRepository || mode === 'commits' ? what : `${what} in all repositories`;
}

function placeholderOf({ changes, mode }: CodeSearch, regex: boolean): string {
  if (mode === 'files') return 'Part of the path, or a glob such as src/**/*.ts';
  if (mode === 'commits') return changes ? 'Text that commits added or removed' : 'Text of commit messages';
  return regex ? 'Search code by regular expression' : 'Search code';
}

const MODES = [
  { mode: undefined, name: 'Code' },
  { mode: 'files', name: 'File names' },
  { mode: 'commits', name: 'Commits' },
] as const;

function Modes({ isInRepository, search }: { search: CodeSearch; isInRepository: boolean }) {
  const { mode: now, ...others } = search;
  return (
    <nav aria-label="What to search" className="flex gap-1">
      {MODES.filter(({ mode }) => isInRepository || mode !== 'files').map(({ mode, name }) => (
        <Link
          key={name}
          to="."
          search={{ ...others, ...(mode && { mode }) }}
          activeOptions={{ exact: true }}
          aria-current={now === mode ? 'page' : undefined}
          className="inline-flex h-8 items-center rounded-full px-3 text-sm whitespace-nowrap text-quiet transition-colors hover:bg-sunken hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
