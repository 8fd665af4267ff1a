/** Finds the names of forks, which merge requests don't say. */
import type { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { readReply } from '../read-reply.ts';
import { type mergeRequestShape, projectShape } from './shapes.ts';

export type FoundMergeRequest = z.output<typeof mergeRequestShape>;
/** Null: deleted, or not visible. */
export type SourceProject = { id: string; fullName: string } | null;

export function createForkNames(
  client: HostClient,
  api: string,
): (found: FoundMergeRequest, fullName: string) => Promise<SourceProject> {
  const forks = new Map<number, SourceProject>();
  return async ({ source_project_id, target_project_id }, fullName) => {
    if (source_project_id === target_project_id) return { id: String(target_project_id), fullName };
    if (!source_project_id) return null;
    const known = forks.get(source_project_id);
    if (known !== undefined) return known;
    const fork = await client({ path: `${api}/projects/${source_project_id}` }).then(
      ({ json }) => {
        const { id, path_with_namespace } = readReply(projectShape, json, 'the fork');
        return { id: String(id), fullName: path_with_namespace };
      },
      (error: unknown) => {
        if (isHostError(error, 'not_found', 'forbidden')) return null;
        throw error;
      },
    );
    forks.set(source_project_id, fork);
    return fork;
  };
}
