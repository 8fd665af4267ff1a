/** Where a name is defined and used in the repository, at the commit that is shown. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isWaiting } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { linesOfSymbolQuery, symbolQuery } from '../../parts/code/code-queries.ts';
import { inOneLine, MarkedText } from '../../parts/code/marked-text.tsx';
import type { CodeProps } from './code-props.ts';

const SYMBOL_CHARACTERS = 200;

export function SymbolPanel({
  at,
  name,
  onName,
  repository,
}: Omit<CodeProps, 'path'> & { name: string; onName(name: string): void }) {
  const [written, setWritten] = useState(name);
  useEffect(() => setWritten(name), [name]);
  return (
    <section
      aria-label="Symbols"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="max-h-96 overflow-y-auto border-b border-line px-4 py-3"
    >
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onName(written.trim());
        }}
      >
        <input
          type="search"
          aria-label="Name of a symbol"
          placeholder="Name of a symbol"
          maxLength={SYMBOL_CHARACTERS}
          value={written}
          onChange={(event) => setWritten(event.target.value)}
          className="h-8 w-64 max-w-full rounded-md border border-line bg-raised px-2.5 font-mono text-sm"
        />
        <Button size="small" type="submit">
          Find
        </Button>
        <span className="text-xs text-quiet">Or double-click a name in the code.</span>
      </form>
      {name !== '' && (
        <div className="mt-3">
          <Found {...{ at, name, repository }} />
        </div>
      )}
    </section>
  );
}

function Found({ at, name, repository }: Omit<CodeProps, 'path'> & { name: string }) {
  const place = { repository: repository.name, ref: at };
  const found = useQuery(symbolQuery(place, name));
  const lines = useQuery(linesOfSymbolQuery(place, name));
  if (isWaiting(found))
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-quiet">
        <Spinner /> {found.failureReason?.message} Results appear here automatically.
      </p>
    );
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <LoadingRows rows={3} />;
  const [own] = found.data.repositories;
  if (!own || own.definitions.length + own.references.length === 0)
    return <EmptyState title="Not found">Only names in code are found, not those in comments.</EmptyState>;
  const { commit, definitions, moreDefinitions, moreReferences, references } = own;
  const code = new Map(
    lines.data?.files.flatMap(({ lines: shown, path }) =>
      shown.map(({ number, text }) => [`${path}:${number}`, text.trim()] as const),
    ),
  );
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
      <Places
        title="Definitions"
        more={moreDefinitions}
        places={definitions.map(({ container, kind, line, path }) => ({
          path,
          line,
          about: container ? `${kind} of ${inOneLine(container)}` : kind,
        }))}
        {...{ code, commit, isLoading: lines.isPending, repositoryId: repository.id }}
      />
      <Places
        title="References"
        more={moreReferences}
        places={references}
        {...{ code, commit, isLoading: lines.isPending, repositoryId: repository.id }}
      />
    </div>
  );
}

function Places(props: {
  title: string;
  places: { path: string; line: number; about?: string }[];
  more: number;
  /** The line at each place, by `path:line`, as far as it is known. */
  code: ReadonlyMap<string, string>;
  isLoading: boolean;
  commit: string;
  repositoryId: string;
}) {
  const { code, commit, isLoading, more, places, repositoryId, title } = props;
  return (
    <div className="min-w-0">
      <h2 className="mb-1 text-sm font-semibold">{title}</h2>
      {places.length === 0 && <p className="text-sm text-quiet">None</p>}
      <ul aria-label={title} className="grid grid-cols-1 gap-1">
        {places.map(({ about, line, path }) => (
          <li key={`${path}:${line}:${about}`} className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <Link
              to="/repositories/$repositoryId"
              params={{ repositoryId }}
              search={{ ref: commit, path }}
              hash={`L${line}`}
              className="inline-flex min-h-7 items-center font-mono text-xs wrap-anywhere text-accent hover:underline"
            >
              {inOneLine(path)}:{line}
            </Link>
            {about && <span className="text-xs text-quiet">{about}</span>}
            <LineOfCode text={code.get(`${path}:${line}`)} isLoading={isLoading} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-xs text-quiet">{formatNumber(more)} more</p>}
    </div>
  );
}

/** While it is loading, its space is reserved, so that nothing moves when it arrives. */
function LineOfCode({ isLoading, text }: { text: string | undefined; isLoading: boolean }) {
  if (text === undefined && !isLoading) return null;
  return (
    <code
      className="block min-h-5 w-full truncate rounded bg-sunken px-1.5 font-mono text-xs leading-5"
      title={text}
    >
      <MarkedText text={text ?? ''} />
    </code>
  );
}
