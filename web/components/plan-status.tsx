/** A plan's status as a word with an icon, so that it doesn't rely on color. */
import {
  CircleCheck,
  CircleDot,
  CircleSlash,
  FileWarning,
  GitMerge,
  GitPullRequest,
  type LucideIcon,
  Trash2,
} from 'lucide-react';
import type { CallOutput } from '../api/client.ts';

type PlanSummary = CallOutput<'list-plans'>['plans'][number];
export type PlanStatus = PlanSummary['status'];

interface Look {
  name: string;
  icon: LucideIcon;
  look: string;
}

export const PLAN_STATUSES: Record<PlanStatus, Look> = {
  pending: { name: 'Pending', icon: CircleDot, look: 'bg-warn-soft text-warn' },
  approved: { name: 'Approved', icon: CircleCheck, look: 'bg-good-soft text-good' },
  implemented: { name: 'Implemented', icon: GitMerge, look: 'bg-accent-soft text-accent' },
  closed: { name: 'Closed', icon: CircleSlash, look: 'bg-sunken text-quiet' },
  deleted: { name: 'Deleted', icon: Trash2, look: 'bg-sunken text-quiet' },
};

/** A pending plan that waits for its author rather than for a reviewer. */
const CHANGES_REQUESTED: Look = {
  name: 'Changes requested',
  icon: FileWarning,
  look: 'bg-danger-soft text-danger',
};

/** Linking a pull request makes a pending plan implemented. */
const NOT_APPROVED: Look = {
  name: 'Linked, not approved',
  icon: GitPullRequest,
  look: 'bg-warn-soft text-warn',
};

const CHANGES_BEFORE_APPROVAL: Look = { ...CHANGES_REQUESTED, name: 'Linked, changes requested' };

type Standing = Pick<PlanSummary, 'status' | 'reviewState'>;

export function lookOf({ reviewState, status }: Standing): Look {
  if (status === 'pending' && reviewState === 'changes_requested') return CHANGES_REQUESTED;
  if (status === 'implemented' && reviewState === 'changes_requested') return CHANGES_BEFORE_APPROVAL;
  if (status === 'implemented' && reviewState !== 'approved') return NOT_APPROVED;
  return PLAN_STATUSES[status];
}

export function PlanStatusBadge({ plan }: { plan: Standing }) {
  const { icon: Icon, look, name } = lookOf(plan);
  return (
    <span
      className={`inline-flex h-6 items-center gap-1 rounded-full pr-2.5 pl-1.5 text-xs font-medium whitespace-nowrap ${look}`}
    >
      <Icon className="size-3.5" aria-hidden="true" />
      {name}
    </span>
  );
}
