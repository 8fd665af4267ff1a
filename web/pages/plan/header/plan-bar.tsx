/** The top of the page, which stays in sight: which plan, which version, and what can be decided. */
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { PlanStatusBadge } from '../../plans/plan-status.tsx';
import type { Plan } from '../plan-data.ts';
import { PlanActions } from './plan-actions.tsx';
import { VersionPicker } from './version-picker.tsx';

export function PlanBar(props: { plan: Plan; version: number; onShowVersion(version: number): void }) {
  const { onShowVersion, plan, version } = props;
  return (
    <header
      data-sticky=""
      className="z-20 border-b border-line bg-page/95 backdrop-blur-sm lg:sticky lg:top-0"
    >
      <div className="mx-auto flex min-h-14 max-w-[82rem] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 sm:px-6">
        <div className="flex min-w-0 flex-1 basis-64 items-center gap-1.5">
          <Link to="/plans" className="shrink-0 rounded text-sm text-quiet hover:text-text">
            Plans
          </Link>
          <ChevronRight className="size-3.5 shrink-0 text-quiet" aria-hidden="true" />
          <h1 className="min-w-0 truncate text-sm font-semibold" title={plan.title}>
            {plan.title}
          </h1>
          <span className="ml-1 shrink-0">
            <PlanStatusBadge status={plan.status} />
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          <VersionPicker label="Version" plan={plan} version={version} onChoose={onShowVersion} />
          <PlanActions plan={plan} isNewest={version === plan.version} />
        </div>
      </div>
    </header>
  );
}
