/** The public interface of mirrors. */
export { createMirrors, type MirrorSettings, type Mirrors } from './create-mirrors.ts';
export { createNodeCode, type NodeCode } from './create-node-code.ts';
export type { MirrorFolder } from './mirror-folders.ts';
export { RepositoryGone } from './open-origin.ts';
export type { Activity } from './progress-writer.ts';
export type { IndexHeads, OnRefreshed, RefreshOutcome } from './refresh-mirror.ts';
