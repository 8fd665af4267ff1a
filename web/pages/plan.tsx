/** A plan: its text, what people say about it, what changed, and what can be decided. */
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { ApiProblem } from '../api/client.ts';
import { ErrorState } from '../components/page.tsx';
import { ReferencesIn } from '../parts/references/references-in.tsx';
import { planQuery } from './plan/plan-data.ts';
import { PlanNotFound } from './plan/plan-gone.tsx';
import { PlanSkeleton } from './plan/plan-skeleton.tsx';
import { PlanView } from './plan/plan-view.tsx';

export function PlanPage() {
  const { seriesId } = useParams({ from: '/signed-in/plans/$seriesId' });
  const search = useSearch({ from: '/signed-in/plans/$seriesId' });
  const { data, error, refetch } = useQuery(planQuery(seriesId));
  // An address that isn't a valid plan id gets a validation error rather than a 404.
  if (error instanceof ApiProblem && [400, 404].includes(error.status)) return <PlanNotFound />;
  if (data)
    return (
      <ReferencesIn repositoryId={data.repos.length === 1 ? data.repos[0]!.repoId : null}>
        <PlanView key={seriesId} plan={data} search={search} />
      </ReferencesIn>
    );
  if (error)
    return (
      <div className="mx-auto max-w-4xl p-8">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </div>
    );
  return <PlanSkeleton />;
}
