/** Whether a branch may contain a merge, for which git must be asked. */
import type { RepositoryReader } from '../../search/index.ts';

const MAX_COMMITS_READ = 100;
const MAX_COMMIT_BYTES = 64 * 1024;

/** Most branches are a line of few commits, which is read faster than git starts. */
export async function mayHaveMerge(
  { objects }: RepositoryReader,
  base: string,
  head: string,
): Promise<boolean> {
  let commit = head;
  for (let read = 0; read < MAX_COMMITS_READ && commit !== base; read += 1) {
    const answer = await objects.read(commit, MAX_COMMIT_BYTES);
    const text = (typeof answer === 'string' ? null : answer.content)?.toString('latin1') ?? '';
    const [header = ''] = text.split('\n\n', 1);
    const [parent, ...others] = header.match(/^parent [0-9a-f]+$/gm) ?? [];
    if (parent === undefined || others.length > 0) return true;
    commit = parent.slice('parent '.length);
  }
  return commit !== base;
}
