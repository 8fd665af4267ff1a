/** The rule that a decision about a plan is made on its latest version. */
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { PlanChange } from '../changes/change-plan.ts';

/** A decision made on one version must not apply to another that was posted in the meantime. */
export function requireNewest({ plan }: PlanChange, versionId: string): void {
  if (plan.version_id === versionId) return;
  throw new Problem(
    'conflict',
    `This isn't the latest version. Review version ${plan.version} and try again.`,
  );
}
