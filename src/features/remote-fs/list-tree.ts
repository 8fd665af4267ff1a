/** GET /api/v2/remote-fs/tree: what is in a folder of a commit. */
import { defineOperation } from '../../context.ts';
import { Problem } from '../../platform/core/errors.ts';
import { acceptPath } from './accept-path.ts';
import { ListTreeInput, MAX_TREE_ENTRIES, TreeReply } from './contract.ts';
import { findPlace } from './find-place.ts';

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
    const found = await findPlace(context, input);
    if (found.kind === 'candidates') return { candidates: found.candidates };
    const listing = await context.code.listTree(found.place, { path, most: MAX_TREE_ENTRIES }, found.signal);
    if (listing.kind === 'no_path') throw new Problem('not_found', `There is no ${path} at this commit.`);
    if (listing.kind === 'not_a_folder') throw new Problem('not_found', `${path} is not a folder.`);
    const { entries, truncated } = listing;
    return { path, commit: found.place.commit, entries, truncated };
  },
});
