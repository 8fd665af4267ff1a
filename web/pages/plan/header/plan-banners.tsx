/** Notices about the current version: a newer one exists, or this one is new to the reader. */
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import type { Plan } from '../plan-data.ts';

interface PlanBannersProps {
  plan: Plan;
  version: number;
  /** The address names this version, rather than the latest. */
  isChosen: boolean;
  /** The version that the reader read last. */
  lastRead: number | undefined;
  onShowNewest(): void;
  onCompare(from: number, to: number): void;
  onDismiss(): void;
}

export function PlanBanners(props: PlanBannersProps) {
  const { isChosen, lastRead, onCompare, onDismiss, onShowNewest, plan, version } = props;
  const newest = plan.versions[0];
  if (newest && version < plan.version) {
    return (
      <Banner isSticky>
        {isChosen ? (
          <span>
            You’re viewing version {version}. The latest is version {plan.version}.
          </span>
        ) : (
          <span className="wrap-anywhere">
            {newest.author.name} posted version {plan.version}
            {newest.unchanged && ' without changes'}.
          </span>
        )}
        <span className="flex gap-1.5">
          <Button size="small" look="quiet" onClick={() => onCompare(version, plan.version)}>
            View changes
          </Button>
          <Button size="small" look="primary" onClick={onShowNewest}>
            Show version {plan.version}
          </Button>
        </span>
      </Banner>
    );
  }
  if (lastRead !== undefined && lastRead < version) {
    return (
      <Banner>
        <span>
          Version {version} is new to you. You last read version {lastRead}.
        </span>
        <span className="flex items-center gap-1.5">
          <Button size="small" onClick={() => onCompare(lastRead, version)}>
            View changes
          </Button>
          <IconButton name="Dismiss" onClick={onDismiss}>
            <X className="size-4" aria-hidden="true" />
          </IconButton>
        </span>
      </Banner>
    );
  }
  return null;
}

/** A newer version can arrive while someone is writing far down the page, so its notice stays in view. */
function Banner({ children, isSticky = false }: { children: ReactNode; isSticky?: boolean }) {
  return (
    <div
      role="status"
      data-sticky={isSticky ? '' : undefined}
      className={`appear ${isSticky ? 'sticky top-16 z-[16] shadow-md' : ''} flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xl border border-accent/30 bg-accent-soft py-1.5 pr-1.5 pl-4 text-sm`}
    >
      {children}
    </div>
  );
}
