/** GET /api/v2/remote-fs/tree: the content of a folder at a commit. */
import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors/errors.ts';
import { acceptPath } from './accept-path.ts';
import { ListTreeInput, MAX_TREE_ENTRIES, TreeReply } from './contract.ts';
import { noPath } from './no-path.ts';
import { openCommit } from './open-commit.ts';

export const listTree = defineOperation({
  name: 'list-tree',
  group: 'Code',
  summary: 'List a folder',
  http: { method: 'GET', path: '/api/v2/remote-fs/tree', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListTreeInput,
  output: TreeReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, input) {
    const path = acceptPath(input.path ?? '');
    const opened = await openCommit(context, input);
    if ('candidates' in opened) return opened;
    const listing = await opened.read('listTree', { path, limit: MAX_TREE_ENTRIES });
    if (listing.kind === 'no_path') throw await noPath(opened, path, 'folder');
    if (listing.kind === 'not_a_folder') throw new Problem('not_found', `${path} is not a folder.`);
    const { entries, truncated } = listing;
    return { path, commit: opened.commit, entries, truncated };
  },
});
