/** Shows a check as a status of a commit. */
import type { HostClient } from '../host-client.ts';
import { isHostError } from '../host-error.ts';
import type { CodeHost } from '../port.ts';

const MAX_DESCRIPTION_LENGTH = 255;

const STATES = {
  pending: 'running',
  success: 'success',
  neutral: 'success',
  failure: 'failed',
  error: 'failed',
} as const;

export async function setCommitStatus(
  client: HostClient,
  projectPath: string,
  commit: string,
  check: Parameters<CodeHost['setCheck']>[2],
): Promise<void> {
  try {
    await client({
      method: 'POST',
      path: `${projectPath}/statuses/${encodeURIComponent(commit)}`,
      body: {
        name: check.name,
        state: STATES[check.state],
        description: check.title.slice(0, MAX_DESCRIPTION_LENGTH),
        ...(check.url === null ? {} : { target_url: check.url }),
      },
      // The newest status of a name counts.
      repeatable: true,
    });
  } catch (error) {
    // It has this state already.
    if (!isHostError(error, 'invalid') || !error.message.includes('Cannot transition')) throw error;
  }
}
