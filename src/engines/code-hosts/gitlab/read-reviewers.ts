/** Reads the reviewers of a merge request on GitLab and what each of them said. */
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import { readReply } from '../read-reply.ts';
import { reviewerShape } from './shapes.ts';

/** Servers before 15.3 don't list them. */
export async function readReviewers(client: HostClient, path: string) {
  const { json } = await client({ path: `${path}/reviewers` }).catch((error: unknown) => {
    if (isHostError(error, 'not_found')) return { json: [] };
    throw error;
  });
  return readReply(z.array(reviewerShape), json, 'the reviewers');
}
