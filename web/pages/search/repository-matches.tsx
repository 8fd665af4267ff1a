/** The matches in one repository of a search of all: the best ones, and on request all of them. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorState } from '../../components/page.tsx';
import type { CodeSearch } from '../../page-search.ts';
import { FoundCode } from '../../parts/code-search/found-code.tsx';
import { FoundLinesOfFile } from '../../parts/code-search/found-file.tsx';
import { withinRepository } from '../../parts/code-search/search-query.ts';
import { formatCount } from '../../parts/fields/format-amounts.ts';
import type { CountedRepository, FoundRepository } from './use-found-everywhere.ts';

type Total = FoundRepository['total'];

export function RepositoryMatches(props: { found: FoundRepository; total: Total; search: CodeSearch }) {
  const { found, search, total } = props;
  const { commit, files, notSearched } = found;
  const [showsAll, setShowsAll] = useState(false);
  const repository = { id: found.repoId, name: found.repository };
  const within = withinRepository(search, commit);
  const rest = total.files - files.length;
  return (
    <section aria-label={repository.name} className="grid grid-cols-1 gap-3">
      <Heading repository={repository} total={total} notSearched={notSearched} />
      {showsAll ? (
        <All repository={repository} within={within} />
      ) : (
        <>
          {files.map((file) => (
            <FoundLinesOfFile
              key={file.path}
              repository={repository}
              commit={commit}
              search={within}
              file={file}
              heading="h3"
            />
          ))}
          {rest > 0 && (
            <p>
              <Button size="small" onClick={() => setShowsAll(true)}>
                Show {formatCount(rest, 'more file')} of {repository.name}
              </Button>
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Repositories that match but have nothing on the page, because there were enough results. */
export function MoreRepositories({ counted, search }: { counted: CountedRepository[]; search: CodeSearch }) {
  return (
    <section aria-label="More repositories" className="grid grid-cols-1 gap-4">
      <h2 className="text-base font-semibold">
        {formatCount(counted.length, 'more repository', 'more repositories')}
      </h2>
      {counted.map((each) => (
        <Counted key={each.repoId} counted={each} search={search} />
      ))}
    </section>
  );
}

function Counted({ counted, search }: { counted: CountedRepository; search: CodeSearch }) {
  const [isShown, setIsShown] = useState(false);
  const repository = { id: counted.repoId, name: counted.repository };
  return (
    <section aria-label={repository.name} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Heading repository={repository} total={counted.total} notSearched={null} />
        {!isShown && (
          <Button size="small" onClick={() => setIsShown(true)}>
            Show matches of {repository.name}
          </Button>
        )}
      </div>
      {isShown && <All repository={repository} within={withinRepository(search, counted.commit)} />}
    </section>
  );
}

function All({ repository, within }: { repository: { id: string; name: string }; within: CodeSearch }) {
  return (
    <FoundCode
      repository={repository}
      search={within}
      heading="h3"
      onError={(error, onRetry) => <ErrorState error={error} onRetry={onRetry} />}
    />
  );
}

function Heading(props: {
  repository: { id: string; name: string };
  total: Total;
  notSearched: string | null;
}) {
  const { notSearched, repository, total } = props;
  return (
    <h2 className="flex flex-wrap items-baseline gap-x-3 text-sm">
      <Link
        to="/repositories/$repositoryId"
        params={{ repositoryId: repository.id }}
        className="text-base font-semibold wrap-anywhere hover:underline"
      >
        {repository.name}
      </Link>
      <span className="text-quiet">
        {total.isLowerBound && 'at least '}
        {formatCount(total.lines, 'matching line')}
      </span>
      {notSearched && <span className="text-warn">{notSearched}</span>}
    </h2>
  );
}
