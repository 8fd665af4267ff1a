/** What the reader should know about the version in front of them. */
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import type { Plan } from '../plan-data.ts';

interface PlanBannersProps {
  plan: Plan;
  version: number;
  /** Whether the address asks for this version, rather than for the newest. */
  isChosen: boolean;
  /** The version that the reader read before this one. */
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
      <Banner>
        {isChosen ? (
          <span>
            You are reading version {version}. The newest is {plan.version}.
          </span>
        ) : (
          <span className="wrap-anywhere">
            Version {plan.version} was posted by {newest.author.name}
            {newest.unchanged && '; it says the same'}.
          </span>
        )}
        <span className="flex gap-1.5">
          <Button size="small" look="quiet" onClick={() => onCompare(version, plan.version)}>
            What changed
          </Button>
          <Button size="small" look="primary" onClick={onShowNewest}>
            Show it
          </Button>
        </span>
      </Banner>
    );
  }
  if (lastRead !== undefined && lastRead < version) {
    return (
      <Banner>
        <span>
          Version {version} is new to you. You read version {lastRead}.
        </span>
        <span className="flex items-center gap-1.5">
          <Button size="small" onClick={() => onCompare(lastRead, version)}>
            What changed since
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

function Banner({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      className="appear flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xl border border-accent/30 bg-accent-soft py-1.5 pr-1.5 pl-4 text-sm"
    >
      {children}
    </div>
  );
}
