/** Notices: commits were pushed while the page was open, or since this person last looked. */
import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import type { PullRequestSearch } from '../../../page-search.ts';
import { type PullRequest, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';

interface PullRequestBannersProps {
  pullRequest: PullRequest;
  search: PullRequestSearch;
  /** The newest head when the page was opened. */
  opened: string | null;
  lastSeen: string | null;
  /** Whether this person reviewed the head they last looked at. */
  hasReviewed: boolean;
  onShowNewest(): void;
  onSearch(search: PullRequestSearch): void;
}

export function PullRequestBanners(props: PullRequestBannersProps) {
  const { hasReviewed, lastSeen, onSearch, onShowNewest, opened, pullRequest, search } = props;
  const { headCommit, heads } = pullRequest;
  if (headCommit === null) return null;
  const newest = heads.at(-1);
  if (opened !== null && opened !== headCommit && search.to === undefined)
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
            onClick={() => onSearch({ view: 'files', from: opened, to: headCommit })}
          >
            View changes
          </Button>
          <Button size="small" look="primary" onClick={onShowNewest}>
            Show latest
          </Button>
        </span>
      </Banner>
    );
  const isOlder =
    lastSeen !== null && lastSeen !== headCommit && heads.some((head) => head.commit === lastSeen);
  if (isOlder && search.from === undefined)
    return (
      <Banner>
        <span>
          New commits since your {hasReviewed ? 'review' : 'last visit'} ({shortCommit(lastSeen)}).
        </span>
        <Button size="small" onClick={() => onSearch({ view: 'files', from: lastSeen, to: headCommit })}>
          View changes
        </Button>
      </Banner>
    );
  return null;
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
