/** Props of the view of a pull request's files. */
import type { PullRequestSearch } from '../../../page-search.ts';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export interface FilesViewProps {
  pullRequest: PullRequest;
  search: PullRequestSearch;
  /** The newest head when the page was opened. */
  opened: string | null;
  lastSeen: string | null;
  onSearch(search: PullRequestSearch): void;
}
