/** Dependencies and consumers of a repository: a picture, and lists with links to the code that shows it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallOutput } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { ErrorState, LoadingRows } from '../../components/page.tsx';
import { inOneLine } from '../code/marked-text.tsx';
import { PlaceLink } from '../code/place-link.tsx';
import { NeighbourPicture } from './neighbour-picture.tsx';

type Neighbour = CallOutput<'list-neighbours'>['consumers'][number];

export function NeighbourOverview({ name, repositoryId }: { repositoryId: string; name: string }) {
  const { data, isPending } = useQuery(operationQuery('list-neighbours', { repositoryId }));
  if (isPending) return <LoadingRows rows={2} />;
  return data ? <NeighbourPicture name={name} repositoryId={repositoryId} neighbours={data} /> : null;
}

/** The same with links to the code that shows it. */
export function NeighbourLists({ repositoryId }: { repositoryId: string }) {
  const { data, error, refetch } = useQuery(operationQuery('list-neighbours', { repositoryId }));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  return (
    <>
      <NeighbourList title="Dependencies" neighbours={data.dependencies} placesIn={repositoryId} />
      <NeighbourList title="Consumers" neighbours={data.consumers} />
      {!data.isComplete && <p className="text-xs text-quiet">Not all repositories are listed.</p>}
    </>
  );
}

function NeighbourList(props: {
  title: string;
  neighbours: Neighbour[];
  /** The repository with the places; by default the neighbour. */
  placesIn?: string;
}) {
  const { neighbours, placesIn, title } = props;
  if (neighbours.length === 0) return null;
  return (
    <section className="mb-8">
      <h2 className="mb-2 text-base font-semibold">{title}</h2>
      <ul aria-label={title} className="grid gap-3 text-sm">
        {neighbours.map(({ commit, morePlaces, places, repoId, repoName }) => (
          <li key={repoId}>
            <Link
              to="/repositories/$repositoryId/architecture"
              params={{ repositoryId: repoId }}
              className="inline-flex min-h-6 items-center font-medium wrap-anywhere hover:underline"
            >
              {repoName}
            </Link>
            <ul className="grid">
              {places.map(({ kind, line, name, path }) => (
                <li key={`${kind} ${name} ${path}:${line}`} className="flex flex-wrap items-center gap-x-3">
                  <span className="font-mono text-xs wrap-anywhere">{inOneLine(name)}</span>
                  {commit !== null && <PlaceLink repoId={placesIn ?? repoId} {...{ commit, line, path }} />}
                </li>
              ))}
            </ul>
            {morePlaces > 0 && <p className="text-xs text-quiet">{morePlaces} more</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
