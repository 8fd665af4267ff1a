/** The public interface of git: running it safely, repository addresses, mirrors, refs and objects. */
export type { BatchAnswer, GitObject } from './batch-parser.ts';
export { blame, type FileLines, listFileCommits } from './blame.ts';
export { type CloneHere, cloneAt } from './clone-at.ts';
export { checkCredential, type RemoteCredential } from './connection.ts';
export { type BlobDiff, countLines, type DiffLimits, diffBlobs, wholeFile } from './diff-blobs.ts';
export { MAX_DIFF_FILE_BYTES } from './diff-options.ts';
export { configureGit } from './git-environment.ts';
export { explainGitFailure, GitFailure, type GitFailureReason } from './git-failure.ts';
export {
  type CommitPair,
  findCommitBy,
  findMergeBase,
  isAncestor,
  listCommits,
  readCommits,
} from './history.ts';
export { listChanges } from './list-changes.ts';
export { cloneMirror, fetchMirror, type MirrorOptions, maintainMirror } from './mirror.ts';
export { KEEPS_LITTLE, type ObjectReader, openObjects, readObjects } from './objects.ts';
export { nameFromAddress, parseRemote } from './parse-remote.ts';
export { findMerge, readPatchId } from './patch-ids.ts';
export type { MirrorProgress } from './progress.ts';
export { readHunks } from './read-hunks.ts';
export { readOutput, splitOutput } from './read-output.ts';
export { listRefs, type MirrorRef, type MirrorRefs } from './refs.ts';
export { checkRemoteAddress, type RemoteAddress, type RemoteRules } from './remote-address.ts';
export { type RefusalReason, RemoteRefused } from './remote-refused.ts';
export { renameOptions } from './rename-options.ts';
export { END_WITH_STARTER, type RunGitOptions, runGit, startGit } from './run-git.ts';
export { type EntryMode, MalformedTree, parseTree, TreeEntries, type TreeEntryBytes } from './tree.ts';
