/** Whether a reviewer is on; one that waits for a model isn't shown as on. */
import { Badge } from '../../components/badge.tsx';

export function ReviewerStatus({ reviewer }: { reviewer: { enabled: boolean; needsModel: boolean } }) {
  const { enabled, needsModel } = reviewer;
  if (!enabled) return <Badge>Off</Badge>;
  return needsModel ? <Badge kind="warn">Needs a model</Badge> : <Badge kind="good">On</Badge>;
}
