/** Repository → Architecture: what it is and a picture of its neighbours, then summaries with evidence, and beside them languages, parts, contracts, owners and activity. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { operationQuery } from '../../api/queries.ts';
import { Notice } from '../../components/notice.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { byDomain, domainName } from '../../parts/architecture/domains.ts';
import { NeighbourLists, NeighbourOverview } from '../../parts/architecture/neighbours.tsx';
import { type Architecture, RepositoryOverview } from '../../parts/architecture/repository-overview.tsx';
import { SentenceText, SummaryText } from '../../parts/architecture/summary-text.tsx';
import { leadOf } from '../../parts/architecture/without-repeats.ts';
import { RepositoryFrame } from '../../parts/repository/repository-frame.tsx';

const LOOK_AGAIN_MS = 2000;

export function RepositoryArchitecturePage() {
  const { repositoryId } = useParams({ from: '/signed-in/repositories/$repositoryId/architecture' });
  return (
    <RepositoryFrame repositoryId={repositoryId} title="Architecture" needsCode>
      {() => <Described repositoryId={repositoryId} />}
    </RepositoryFrame>
  );
}

function Described({ repositoryId }: { repositoryId: string }) {
  const { data, error, refetch } = useQuery({
    ...operationQuery('get-architecture', { repositoryId }),
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? LOOK_AGAIN_MS : false),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={4} />;
  const { commit, repoName, summaries } = data;
  if (commit === null) return <Status architecture={data} />;
  const { lead, rest } = leadOf(summaries.toSorted(byDomain));
  return (
    <>
      <Status architecture={data} />
      {lead && (
        <div className="mb-5 max-w-prose">
          <SentenceText sentence={lead} repoId={repositoryId} commit={commit} />
        </div>
      )}
      <NeighbourOverview repositoryId={repositoryId} name={repoName} />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="min-w-0">
          {rest.map((summary) => (
            <section key={summary.domain} id={summary.domain.toLowerCase()} className="mb-8 scroll-mt-4">
              <h2 className="mb-2 text-base font-semibold">{domainName(summary.domain)}</h2>
              <SummaryText summary={summary} />
            </section>
          ))}
          {summaries.length === 0 && (
            <EmptyState title="Nothing to summarize">This commit has no code or documents.</EmptyState>
          )}
          <NeighbourLists repositoryId={repositoryId} />
        </div>
        <RepositoryOverview architecture={data} />
      </div>
    </>
  );
}

function isInProgress({ isUpToDate, state }: Architecture): boolean {
  return state === 'running' || state === 'waiting' || (state === 'ready' && !isUpToDate);
}

function Status({ architecture }: { architecture: Architecture }) {
  const { commit, describedAt, problem, state } = architecture;
  if (commit === null && state !== 'failed')
    return (
      <EmptyState title="Being summarized">
        Summaries appear here when the code has been read. You can leave this page.
      </EmptyState>
    );
  return (
    <div className="mb-5 grid gap-2">
      {problem !== null && <Notice kind="warn">{problem}</Notice>}
      {problem === null && isInProgress(architecture) && (
        <Notice>A newer commit is being summarized. Until then, this is the previous state.</Notice>
      )}
      {commit !== null && describedAt !== null && (
        <p className="text-[0.8125rem] text-quiet">
          Summarized from <span className="font-mono">{commit.slice(0, 12)}</span> <Time at={describedAt} />
        </p>
      )}
    </div>
  );
}
