/** The sticky bar at the top: title, status, version and actions. */
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { PlanStatusBadge } from '../../../components/plan-status.tsx';
import type { Plan } from '../plan-data.ts';
import { PlanActions } from './plan-actions.tsx';
import { VersionPicker } from './version-picker.tsx';

export function PlanBar(props: {
  plan: Plan;
  version: number;
  /** The text begins with the title, so the bar shows it only after that has scrolled out of view. */
  hasTitleBelow: boolean;
  onShowVersion(version: number): void;
}) {
  const { hasTitleBelow, onShowVersion, plan, version } = props;
  const isScrolled = useIsScrolled();
  const Title = hasTitleBelow ? 'p' : 'h1';
  const isHidden = hasTitleBelow && !isScrolled;
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
          <span className="shrink-0">
            <PlanStatusBadge plan={plan} />
          </span>
          <Title
            // For screen readers, the heading of the text is the title.
            aria-hidden={hasTitleBelow || undefined}
            className={`ml-1 min-w-0 truncate text-sm font-semibold transition-opacity ${isHidden ? 'opacity-0 max-lg:hidden' : ''}`}
            title={plan.title}
          >
            {plan.title}
          </Title>
        </div>
        <div className="flex flex-wrap items-center gap-1.5">
          <VersionPicker label="Version" plan={plan} version={version} onChoose={onShowVersion} />
          <PlanActions plan={plan} isNewest={version === plan.version} />
        </div>
      </div>
    </header>
  );
}

/** Roughly where the heading of the text disappears under the bar. */
const TITLE_PIXELS = 180;

function useIsScrolled(): boolean {
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    const look = () => setIsScrolled(scrollY > TITLE_PIXELS);
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}
