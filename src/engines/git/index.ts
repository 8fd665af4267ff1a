/** The public interface of git: running it safely, repository addresses, mirrors, refs and objects. */
export type { BatchAnswer, GitObject } from './batch-parser.ts';
export { checkCredential, type RemoteCredential } from './connection.ts';
export { configureGit } from './git-environment.ts';
export { explainGitFailure, GitFailure, type GitFailureReason } from './git-failure.ts';
export { cloneMirror, fetchMirror, type MirrorOptions, maintainMirror } from './mirror.ts';
export { type ObjectReader, openObjects, readObjects } from './objects.ts';
export { nameFromAddress, parseRemote } from './parse-remote.ts';
export type { MirrorProgress } from './progress.ts';
export { listRefs, type MirrorRef, type MirrorRefs } from './refs.ts';
export { checkRemoteAddress, type RemoteAddress, type RemoteRules } from './remote-address.ts';
export { type RefusalReason, RemoteRefused } from './remote-refused.ts';
export { type RunGitOptions, runGit, startGit } from './run-git.ts';
export { type EntryMode, MalformedTree, parseTree, TreeEntries, type TreeEntryBytes } from './tree.ts';
