/** GET /api/v2/remote-fs/search-commits: commits by their message, author, or the text that they added or removed. */
import { defineOperation } from '../../context.ts';
import { maskValue } from '../../engines/review/index.ts';
import { acceptQuery, badQuery, branchOf, COMMIT_FILTERS } from './accept-query.ts';
import { pathspecsFor } from './commit-paths.ts';
import { FoundCommitsReply, MAX_FOUND_COMMITS, SearchCommitsInput } from './contract.ts';
import { openCommit } from './open-commit.ts';

export const searchCommits = defineOperation({
  name: 'search-commits',
  group: 'Code',
  summary: 'Search commits',
  description:
    'Searches the commits of a branch, tag or commit, newest first, for as long as there is time. With `in: changes`, finds commits that changed how often a text occurs in a file; merge commits are not compared.',
  http: { method: 'GET', path: '/api/v2/remote-fs/search-commits', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: SearchCommitsInput,
  output: FoundCommitsReply,
  problems: ['not_found', 'conflict', 'ref_not_found', 'repository_not_ready', 'unavailable'],
  async run(context, { ignoreCase = false, in: place = 'message', query, ref, repository, skip = 0 }) {
    const { filters, terms } = acceptQuery(query, COMMIT_FILTERS, false);
    const { author, path, repo } = filters;
    if (repo.wanted.length + repo.unwanted.length > 0)
      throw badQuery('has repo:, but this searches one repository: leave it out');
    if (author.unwanted.length > 0) throw badQuery('can’t exclude an author');
    if (terms.length === 0 && (place === 'changes' || author.wanted.length === 0))
      throw badQuery('has no text to search for');
    const branch = branchOf(filters.branch);
    if (branch !== undefined && ref)
      throw badQuery('has branch: beside another branch, tag or commit that was chosen');
    const paths = pathspecsFor(path);
    const at = branch === undefined ? ref : `refs/heads/${branch}`;
    const opened = await openCommit(context, { repository, ref: at });
    if ('candidates' in opened) return opened;
    const search = { terms, place, ignoreCase, authors: author.wanted, paths, skip };
    const found = await opened.read('searchCommits', { ...search, limit: MAX_FOUND_COMMITS });
    const searched = skip + found.searched;
    const hasMore = searched < found.total || found.isLowerBound;
    const isLate = hasMore && found.commits.length < MAX_FOUND_COMMITS;
    const left = found.total - searched;
    const older = `${found.isLowerBound && left > 0 ? 'at least ' : ''}${left > 0 ? `${left.toLocaleString('en-US')} ` : ''}older commits`;
    return {
      commit: opened.commit,
      commits: await maskValue(
        found.commits.map((each) => ({ ...each, authoredAt: new Date(each.authoredAt).toISOString() })),
      ),
      searched,
      total: { count: found.total, isLowerBound: found.isLowerBound },
      next: hasMore ? searched : null,
      notSearched: isLate ? `The time was up: ${older} were not searched.` : null,
    };
  },
});
