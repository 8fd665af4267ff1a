/** A plan's status as a word with a sign of its own, so that color is not all that tells them apart. */
import { CircleCheck, CircleDot, CircleSlash, GitMerge, type LucideIcon, Trash2 } from 'lucide-react';
import type { CallOutput } from '../../api/client.ts';

export type PlanStatus = CallOutput<'list-plans'>['plans'][number]['status'];

export const PLAN_STATUSES: Record<PlanStatus, { name: string; icon: LucideIcon; look: string }> = {
  pending: { name: 'Pending', icon: CircleDot, look: 'bg-warn-soft text-warn' },
  approved: { name: 'Approved', icon: CircleCheck, look: 'bg-good-soft text-good' },
  implemented: { name: 'Implemented', icon: GitMerge, look: 'bg-accent-soft text-accent' },
  closed: { name: 'Closed', icon: CircleSlash, look: 'bg-sunken text-quiet' },
  deleted: { name: 'Deleted', icon: Trash2, look: 'bg-sunken text-quiet' },
};

export function PlanStatusBadge({ status }: { status: PlanStatus }) {
  const { icon: Icon, look, name } = PLAN_STATUSES[status];
  return (
    <span
      className={`inline-flex h-6 items-center gap-1 rounded-full pr-2.5 pl-1.5 text-xs font-medium whitespace-nowrap ${look}`}
    >
      <Icon className="size-3.5" aria-hidden="true" />
      {name}
    </span>
  );
}
