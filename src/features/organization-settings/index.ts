/** The public interface of organization settings. */
export { selectPathsToSkip } from './excluded-path-store.ts';
export {
  mayApproveClean,
  mayWriteDescription,
  type ReviewDecision,
  type ReviewTrigger,
  shouldReview,
} from './review-policy.ts';
export { insertSettings, isSettingOn, selectSettingStates } from './setting-store.ts';
