/** The search form; the query is part of the address, so that it can be shared. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Keys } from '../../components/kbd.tsx';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import type { CodeSearch } from '../../page-search.ts';
import { Choice } from '../fields/choice.tsx';
import type { Repository } from '../repositories/repository-state.tsx';
import { codeSearchQuery, fileSearchQuery } from './search-query.ts';
import { useRegexPreference } from './use-regex-preference.ts';

const INPUT =
  'w-full rounded-md border border-strong-line bg-page text-sm placeholder:text-quiet aria-invalid:border-danger';

export function SearchForm({
  repository,
  search,
  picker,
}: {
  repository: Repository;
  search: CodeSearch;
  /** The picker of the branch, tag or commit. */
  picker: ReactNode;
}) {
  const navigate = useNavigate({ from: '/repositories/$repositoryId/search' });
  const input = useRef<HTMLInputElement>(null);
  const [pattern, setPattern] = useState(search.pattern ?? '');
  const [path, setPath] = useState(search.path ?? '');
  // Changed elsewhere: by back and forward, or by an example.
  useEffect(() => setPattern(search.pattern ?? ''), [search.pattern]);
  useEffect(() => setPath(search.path ?? ''), [search.path]);
  const wasEmpty = useRef(!search.pattern);
  useEffect(() => {
    // Without a query, the person came to type one.
    if (wasEmpty.current) input.current?.focus();
  }, []);
  const isCode = search.mode !== 'files';
  const [prefersRegex, rememberRegex] = useRegexPreference();
  // The address determines the mode of a query; without a query, the last choice applies.
  const regex = search.pattern === undefined ? prefersRegex : search.regex === true;
  const ask = (change: Partial<CodeSearch>) =>
    void navigate({
      search: {
        ...search,
        pattern: pattern || undefined,
        path: path || undefined,
        regex: regex || undefined,
        ...change,
      },
    });
  const setRegex = (on: boolean) => {
    rememberRegex(on);
    if (pattern) ask({ regex: on || undefined });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
  const error = usePatternError(repository, search);
  const errorId = useId();
  return (
    <search className="mb-5 block">
      <form onSubmit={submit} className="grid gap-2.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {picker}
          <Modes search={{ ...search, pattern: pattern || undefined, path: path || undefined }} />
          {isCode && (
            <div className="flex flex-wrap gap-x-4 sm:ml-auto">
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
              aria-label={isCode ? 'Search code' : 'Search file names'}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? errorId : undefined}
              placeholder={isCode ? placeholderOf(regex) : 'Part of the path, or a glob such as src/**/*.ts'}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              maxLength={isCode ? 1900 : 1000}
              value={pattern}
              onChange={(event) => setPattern(event.target.value)}
              className={`${INPUT} h-10 pr-20 pl-9 font-mono [&::-webkit-search-cancel-button]:hidden`}
            />
            <span className="absolute top-1/2 right-1.5 flex -translate-y-1/2 items-center gap-1.5">
              {pattern === '' && (
                <span className="hidden lg:block" aria-hidden="true">
                  <Keys keys={['/']} />
                </span>
              )}
              {isCode && (
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
          {isCode && (
            <input
              aria-label="Path"
              placeholder="All folders"
              title="Folder or file to search in, from the root of the repository"
              autoComplete="off"
              spellCheck={false}
              maxLength={4096}
              value={path}
              onChange={(event) => setPath(event.target.value)}
              className={`${INPUT} h-10 min-w-0 flex-1 basis-40 px-3 font-mono sm:max-w-60`}
            />
          )}
          <Button type="submit" look="primary" className="h-10">
            Search
          </Button>
        </div>
        {error && (
          <p
            id={errorId}
            role="alert"
            className={`text-[0.8125rem] wrap-anywhere whitespace-pre-wrap text-danger ${error.includes('\n') ? 'font-mono' : ''}`}
          >
            {error}{' '}
            {search.regex && (
              <button
                type="button"
                className="font-sans font-medium text-accent underline underline-offset-2"
                onClick={() => ask({ regex: undefined })}
              >
                Search for the literal text instead
              </button>
            )}
          </p>
        )}
      </form>
    </search>
  );
}

function placeholderOf(regex: boolean): string {
  return regex ? 'Search code by regular expression' : 'Search code';
}

const MODES = [
  { mode: undefined, name: 'Code' },
  { mode: 'files', name: 'File names' },
] as const;

function Modes({ search }: { search: CodeSearch }) {
  const { mode: now, ...others } = search;
  return (
    <nav aria-label="What to search" className="flex gap-1">
      {MODES.map(({ mode, name }) => (
        <Link
          key={name}
          from="/repositories/$repositoryId/search"
          to="/repositories/$repositoryId/search"
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

/** Shares its query with the results, so that it is sent once. */
function usePatternError(repository: Repository, search: CodeSearch): string | undefined {
  const isFiles = search.mode === 'files';
  const code = useQuery({
    ...codeSearchQuery(repository.name, search),
    enabled: search.pattern !== undefined && !isFiles,
  });
  const files = useQuery({
    ...fileSearchQuery(repository.name, search.ref, search.pattern ?? ''),
    enabled: search.pattern !== undefined && isFiles,
  });
  const { error } = isFiles ? files : code;
  const message = error instanceof ApiProblem && error.fields.find(({ path }) => path === 'pattern')?.message;
  return message ? describePatternError(message) : undefined;
}

const NOT_VALID = 'is not a valid ';

/** Turns a message that follows the field's name into a sentence of its own. */
function describePatternError(message: string): string {
  return message.startsWith(NOT_VALID)
    ? `Invalid ${message.slice(NOT_VALID.length)}.`
    : `The pattern ${message}.`;
}

export function isAboutPattern(error: Error): boolean {
  return error instanceof ApiProblem && error.fields.some(({ path }) => path === 'pattern');
}
