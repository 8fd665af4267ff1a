/** The branches and tags of a mirror, as they are recorded. */
import { createHash } from 'node:crypto';
import { listRefs } from '../../engines/git/index.ts';
import type { FoundRefs, RefRow } from '../repositories/index.ts';

/** PostgreSQL can't index a longer ref name. */
const MAX_NAME_BYTES = 2000;

export async function readRefs(gitDir: string, signal: AbortSignal): Promise<FoundRefs> {
  const { defaultBranch, headCommit, objectFormat, refs, unreadableNames } = await listRefs(gitDir, signal);
  const kept: RefRow[] = refs.filter(({ name }) => Buffer.byteLength(name) <= MAX_NAME_BYTES);
  const digest = createHash('sha256');
  for (const { commit, kind, name } of kept) digest.update(`${kind}\0${name}\0${commit}\0`);
  const leftOut = unreadableNames + refs.length - kept.length;
  return { objectFormat, defaultBranch, headCommit, refs: kept, leftOut, digest: digest.digest() };
}
