/** Notices: commits were pushed while the page was open, or since this person last looked. */
import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import type { PullRequestSearch } from '../../../page-search.ts';
import { type PullRequest, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import type { LastLooked } from './last-looked.ts';

interface PullRequestBannersProps {
  pullRequest: PullRequest;
  search: PullRequestSearch;
  /** The newest head when the page was opened. */
  opened: string | null;
  /** The earlier head that this person reviewed or looked at last. */
  since: LastLooked | undefined;
  onShowNewest(): void;
  onSearch(search: PullRequestSearch): void;
}

export function PullRequestBanners(props: PullRequestBannersProps) {
  const { onSearch, onShowNewest, opened, pullRequest, search, since } = props;
  const { headCommit, heads } = pullRequest;
  if (headCommit === null) return null;
  const newest = heads.at(-1);
  if (opened !== null && opened !== headCommit && (search.to === undefined || search.by === 'commit'))
    return (
      <Banner isFloating={search.view === 'files'}>
        <span>
          {newest?.forced ? 'The branch was force-pushed' : 'New commits were pushed'}
          {search.view === 'files' && `. You’re viewing ${shortCommit(opened)}`}.
        </span>
        <span className="flex gap-1.5">
          <Button
            size="small"
            look="quiet"
            onClick={() =>
              onSearch({ view: newest?.forced ? 'commits' : 'files', from: opened, to: headCommit })
            }
          >
            {newest?.forced ? 'Compare commits' : 'View changes'}
          </Button>
          <Button size="small" look="primary" onClick={onShowNewest}>
            Show latest
          </Button>
        </span>
      </Banner>
    );
  if (!since || search.from !== undefined) return null;
  const { commit, isContained, isReview } = since;
  const when = `since your ${isReview ? 'review' : 'last visit'} (${shortCommit(commit)})`;
  if (isContained)
    return (
      <Banner>
        <span>New commits {when}.</span>
        <Button size="small" onClick={() => onSearch({ view: 'files', from: commit, to: headCommit })}>
          View changes
        </Button>
      </Banner>
    );
  // After a rebase, the difference between the two heads has everything that came with the new base.
  return (
    <Banner>
      <span>The branch was force-pushed {when}.</span>
      <span className="flex gap-1.5">
        <Button
          size="small"
          look="quiet"
          onClick={() => onSearch({ view: 'commits', from: commit, to: headCommit })}
        >
          Compare commits
        </Button>
        {search.view !== 'files' && (
          <Button size="small" onClick={() => onSearch({ view: 'files' })}>
            View all changes
          </Button>
        )}
      </span>
    </Banner>
  );
}

/** Beside the code it floats at the bottom: at the top it would cover the header of the file that is being read. */
function Banner({ children, isFloating = false }: { children: ReactNode; isFloating?: boolean }) {
  return (
    <div
      role="status"
      className={`appear ${isFloating ? 'fixed inset-x-4 bottom-4 z-[16] mx-auto max-w-2xl shadow-lg' : ''} flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xl border border-accent/30 bg-accent-soft py-1.5 pr-1.5 pl-4 text-sm`}
    >
      {children}
    </div>
  );
}
