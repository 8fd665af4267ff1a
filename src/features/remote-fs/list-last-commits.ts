/** GET /api/v2/remote-fs/tree-commits: which commit last changed each entry of a folder. */
import { defineOperation } from '../../context.ts';
import { maskValue } from '../../engines/review/index.ts';
import { acceptPath } from './accept-path.ts';
import { LastCommitsReply, ListTreeInput, MAX_TREE_ENTRIES } from './contract.ts';
import { noPath } from './no-path.ts';
import { openCommit } from './open-commit.ts';

export const listLastCommits = defineOperation({
  name: 'list-last-commits',
  group: 'Code',
  summary: 'Show which commit last changed each entry of a folder',
  description:
    'Replies within about a second with what is known. The search goes on for up to 20 seconds: send the request again while `isSearching` is true.',
  http: { method: 'GET', path: '/api/v2/remote-fs/tree-commits', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListTreeInput,
  output: LastCommitsReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const path = acceptPath(input.path ?? '');
    const opened = await openCommit(context, input);
    if ('candidates' in opened) return opened;
    const found = await opened.read('lastCommits', { path, limit: MAX_TREE_ENTRIES });
    if (!found) throw await noPath(opened, path, 'folder');
    const { commits, entries, isComplete, isSearching } = found;
    const shown = (await maskValue(commits)).map(({ authoredAt, ...commit }) => ({
      ...commit,
      authoredAt: new Date(authoredAt).toISOString(),
    }));
    return { path, commit: opened.commit, entries, commits: shown, isComplete, isSearching };
  },
});
