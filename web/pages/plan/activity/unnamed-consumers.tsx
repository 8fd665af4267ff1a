/** Repositories that depend on the plan's repositories, or on the files it mentions, but that the plan doesn't list. */
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operationQuery } from '../../../api/queries.ts';
import { inOneLine } from '../../../parts/code/marked-text.tsx';
import type { Plan } from '../plan-data.ts';

const MAX_REPOSITORIES = 10;
const THINGS_SHOWN = 3;

export function UnnamedConsumers({ plan }: { plan: Plan }) {
  const named = plan.freshness.map(({ repoName }) => repoName);
  const found = useQueries({
    queries: named.slice(0, MAX_REPOSITORIES).map((repository) => ({
      ...operationQuery('read-repository', { repository, planSeriesId: plan.seriesId }),
      // A plan can name a repository that isn't here.
      retry: false,
    })),
  });
  const isNamed = new Set(found.flatMap(({ data }) => (data ? [data.architecture.repoId] : [])));
  const uses = found.flatMap(({ data }) =>
    (data?.neighbours.consumers ?? [])
      .filter(({ repoId }) => !isNamed.has(repoId))
      .map((consumer) => ({ consumer, of: data!.architecture.repoName })),
  );
  if (uses.length === 0) return null;
  return (
    <section aria-labelledby="unnamed-consumers">
      <h2 id="unnamed-consumers" className="mb-2 text-sm font-semibold">
        Consumers the plan doesn’t name
      </h2>
      <ul className="grid grid-cols-1 divide-y divide-line rounded-xl border border-line">
        {uses.map(({ consumer: { morePlaces, places, repoId, repoName }, of }) => {
          const things = [...new Set(places.map(({ name }) => name))];
          const more = things.length - THINGS_SHOWN + morePlaces;
          return (
            <li key={`${of} ${repoId}`} className="grid grid-cols-1 gap-1 p-3 text-sm">
              <Link
                to="/repositories/$repositoryId/architecture"
                params={{ repositoryId: repoId }}
                className="min-w-0 rounded font-medium wrap-anywhere underline decoration-strong-line underline-offset-2 hover:text-accent"
              >
                {repoName}
              </Link>
              <p className="text-xs wrap-anywhere text-quiet">
                uses{' '}
                {things.slice(0, THINGS_SHOWN).map((thing, index) => (
                  <span key={thing}>
                    {index > 0 && ', '}
                    <code className="font-mono">{inOneLine(thing)}</code>
                  </span>
                ))}
                {more > 0 && ` and ${more} more`} of {of}
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
