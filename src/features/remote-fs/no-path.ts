/** Answers a request for a path that the commit doesn't have with similar paths. */
import { Problem } from '../../platform/core/errors/errors.ts';
import type { OpenCommit } from './open-commit.ts';

const MAX_NEAR = 5;

/** Suggestions are a courtesy: without them, the path is unknown all the same. */
export async function noPath(
  opened: OpenCommit,
  path: string,
  kind: 'file' | 'folder' | 'any',
): Promise<Problem> {
  const candidates = await opened
    .read('nearPaths', { path, kind, limit: MAX_NEAR })
    .catch((error: unknown) => {
      if (error instanceof Problem) return [];
      throw error;
    });
  const none = `${path} doesn't exist at this commit.`;
  if (candidates.length === 0) return new Problem('not_found', none);
  const detail = `${none} Did you mean ${candidates.join(' or ')}?`;
  return new Problem('not_found', detail, { candidates, candidatesFor: 'path' });
}
