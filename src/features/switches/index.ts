/** The public interface of organization settings. */
export {
  mayApproveClean,
  mayWriteDescription,
  type ReviewDecision,
  type ReviewTrigger,
  shouldReview,
} from './review-policy.ts';
export { insertSwitches, isSwitchedOn } from './switch-store.ts';
