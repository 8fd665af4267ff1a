/** The public interface of discussions. */
export { addDiscussion, addHostThread } from './add-discussion.ts';
export { Discussion } from './contract.ts';
export { readHostChange } from './discussion-status.ts';
export { deleteDiscussion, selectDiscussions, updateDiscussion, type WrittenBy } from './discussion-store.ts';
export { findDiscussion } from './find-discussion.ts';
export { judgeAgain } from './judge-again.ts';
export { labelLines } from './labels/label-lines.ts';
export { findOwnSecrets } from './own-secrets.ts';
export { readCommentedCode } from './read-commented-code.ts';
export { pullRequestOf, readDiscussions } from './read-discussions.ts';
export { setStatus } from './set-status.ts';
