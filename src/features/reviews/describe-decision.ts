/** Who dismissed a finding, in words. */
import type { selectDecisions } from './review-run-store.ts';

const REASONS = {
  wrong: 'wrong',
  intended: 'intended',
  not_worth_it: 'not worth fixing',
  later: 'for later',
};

type Decision = Awaited<ReturnType<typeof selectDecisions>>[number];

export function describeDecision({
  decided_by_name: name,
  reason,
}: Pick<Decision, 'decided_by_name' | 'reason'>): string {
  return `${name} dismissed it as ${REASONS[reason]}.`;
}
