/** The public interface of git: running it safely, repository addresses, mirrors, refs and objects. */

export { blame, type FileLines, listFileCommits } from './history/blame.ts';
export { type BlobDiff, countLines, type DiffLimits, diffBlobs, wholeFile } from './history/diff-blobs.ts';
export { MAX_DIFF_FILE_BYTES } from './history/diff-options.ts';
export { type FolderVersion, readFolderHistory } from './history/folder-history.ts';
export {
  type CommitPair,
  findCommitBy,
  findMergeBase,
  hasMerges,
  isAncestor,
  listAuthors,
  listCommits,
  readCommits,
} from './history/history.ts';
export { blobSizes, listChanges } from './history/list-changes.ts';
export { mergeTrees } from './history/merge-trees.ts';
export { findMerge } from './history/patch-ids.ts';
export { RANGE_DIFF_LIMITS, rangeDiff } from './history/range-diff.ts';
export { readHunks } from './history/read-hunks.ts';
export { renameOptions } from './history/rename-options.ts';
export { searchCommits } from './history/search-commits.ts';
export { type CloneHere, cloneAt } from './remote/clone-at.ts';
export { checkCredential, type RemoteCredential } from './remote/connection.ts';
export { cloneMirror, fetchMirror, type MirrorOptions, maintainMirror } from './remote/mirror.ts';
export { nameFromAddress, parseRemote } from './remote/parse-remote.ts';
export { checkRemoteAddress, type RemoteAddress, type RemoteRules } from './remote/remote-address.ts';
export { type RefusalReason, RemoteRefused } from './remote/remote-refused.ts';
export type { BatchAnswer, GitObject } from './run/batch-parser.ts';
export { configureGit } from './run/git-environment.ts';
export { explainGitFailure, GitFailure, type GitFailureReason } from './run/git-failure.ts';
export { KEEPS_LITTLE, type ObjectReader, openObjects, readObjects } from './run/objects.ts';
export type { MirrorProgress } from './run/progress.ts';
export { readOutput, splitOutput } from './run/read-output.ts';
export { listRefs, type MirrorRef, type MirrorRefs } from './run/refs.ts';
export { END_WITH_STARTER, type RunGitOptions, runGit, startGit } from './run/run-git.ts';
export { makeTemporaryFolder, removeLeftovers } from './run/temporary-folder.ts';
export { type EntryMode, MalformedTree, parseTree, TreeEntries, type TreeEntryBytes } from './run/tree.ts';
export { makeCommits } from './write/make-commits.ts';
export { askBranch, PUSH_TIMEOUT_MS, type PushTarget, pushBranch } from './write/push-branch.ts';
export { readConflicts } from './write/resolve-conflicts.ts';
export { isSameChange } from './write/same-change.ts';
export { type Workspace, withWorkspace } from './write/workspace.ts';
