/** Other open plans for the same repositories or files. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallOutput } from '../../../api/client.ts';
import { PlanStatusBadge } from '../../../components/plan-status.tsx';
import { formatCount } from '../format.ts';
import { overlapQuery } from '../plan-data.ts';

type Overlap = CallOutput<'list-overlapping-plans'>['plans'][number];

const FILES_SHOWN = 5;

export function OverlappingPlans({ seriesId }: { seriesId: string }) {
  const { data, error } = useQuery(overlapQuery(seriesId));
  return (
    <section id="overlap" className="scroll-mt-20">
      <h2 className="mb-2 text-sm font-semibold">Overlapping plans</h2>
      {error && !data && <p className="text-sm text-quiet">{error.message}</p>}
      {data?.plans.length === 0 && (
        <p className="text-sm text-quiet">No other open plans for these repositories.</p>
      )}
      {data && data.plans.length > 0 && (
        <ul className="grid grid-cols-1 divide-y divide-line rounded-xl border border-line">
          {data.plans.map((plan) => (
            <OverlapEntry key={plan.seriesId} plan={plan} />
          ))}
        </ul>
      )}
    </section>
  );
}

function OverlapEntry({ plan }: { plan: Overlap }) {
  const more = plan.sharedFileCount - Math.min(FILES_SHOWN, plan.sharedFiles.length);
  return (
    <li className="grid grid-cols-1 gap-1 p-3 text-sm">
      <div className="flex items-start justify-between gap-2">
        <Link
          to="/plans/$seriesId"
          params={{ seriesId: plan.seriesId }}
          className="min-w-0 rounded font-medium wrap-anywhere underline decoration-strong-line underline-offset-2 hover:text-accent"
        >
          {plan.title}
        </Link>
        <PlanStatusBadge plan={plan} />
      </div>
      <p className="text-xs wrap-anywhere text-quiet">
        {plan.createdBy.name} · {plan.sharedRepositories.join(', ')}
      </p>
      {plan.sharedFileCount > 0 && (
        <ul className="text-xs">
          {plan.sharedFiles.slice(0, FILES_SHOWN).map((file) => (
            <li key={file}>
              <code className="font-mono wrap-anywhere">{file}</code>
            </li>
          ))}
          {more > 0 && <li className="text-quiet">and {formatCount(more, 'more file', 'more files')}</li>}
        </ul>
      )}
    </li>
  );
}
