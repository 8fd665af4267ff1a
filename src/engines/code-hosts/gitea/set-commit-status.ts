/** Shows a check as a status of a commit. */
import type { HostClient } from '../host-client.ts';
import type { CodeHost } from '../port.ts';

const MAX_DESCRIPTION_LENGTH = 255;

export async function setCommitStatus(
  client: HostClient,
  repositoryPath: string,
  commit: string,
  check: Parameters<CodeHost['setCheck']>[2],
): Promise<void> {
  await client({
    method: 'POST',
    path: `${repositoryPath}/statuses/${encodeURIComponent(commit)}`,
    body: {
      context: check.name,
      state: check.state === 'neutral' ? 'success' : check.state,
      description: check.title.slice(0, MAX_DESCRIPTION_LENGTH),
      target_url: check.url ?? '',
    },
    // The newest status of a name counts.
    repeatable: true,
  });
}
