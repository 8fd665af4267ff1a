/** A pull request: its title and facts, and the selected view. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../../api/queries.ts';
import { forgetDraftsOfOthers } from '../../components/drafts.ts';
import { ScrollRow } from '../../components/scroll-row.tsx';
import type { PullRequestSearch } from '../../page-search.ts';
import { ImagesOf } from '../../parts/images/image-upload.tsx';
import { useReadOnOpen } from '../../parts/inbox/use-read-on-open.ts';
import type { PullRequest } from '../../parts/pull-request/pull-request-data.ts';
import { ActivityView } from './activity/activity-view.tsx';
import { CommitsView } from './commits-view.tsx';
import { HeadsComparison } from './comparison/heads-comparison.tsx';
import { ConflictsView } from './conflicts/conflicts-view.tsx';
import { ConversationView } from './conversation/conversation-view.tsx';
import { FilesView } from './files/files-view.tsx';
import { isFollowedByOwn, lastLooked, ownHeads } from './header/last-looked.ts';
import { PullRequestBanners } from './header/pull-request-banners.tsx';
import { PullRequestHeader } from './header/pull-request-header.tsx';
import { ReviewPlacesProvider } from './header/review-place.tsx';
import { PullRequestGrid } from './pull-request-grid.tsx';
import { ReviewsView } from './reviews/reviews-view.tsx';
import { SuggestionBatchProvider } from './suggestions/suggestion-batch.tsx';
import { useLivePullRequest } from './use-live-pull-request.ts';

export function PullRequestView(props: { pullRequest: PullRequest; search: PullRequestSearch }) {
  const { pullRequest, search } = props;
  const { headCommit, id, number, title } = pullRequest;
  const { user } = useSession();
  const navigate = useNavigate();
  const go = (to: PullRequestSearch) =>
    void navigate({ to: '/pull-requests/$pullRequestId', params: { pullRequestId: id }, search: to });
  const [updates, setUpdates] = useState<readonly string[]>([]);
  const live = useLivePullRequest(pullRequest, updates);
  useReadOnOpen({ pullRequestId: id });
  // A push doesn't replace what is being read, but for the person's own.
  const [before, setOpened] = useState(headCommit);
  const [lastSeen] = useState(pullRequest.lastSeenHead);
  useState(() => forgetDraftsOfOthers(user.id));
  const addUpdate = (commit: string) => setUpdates([...updates, commit]);
  const own = new Set([...ownHeads(pullRequest, user.id), ...updates]);
  const opened = before === null || isFollowedByOwn(pullRequest, before, own) ? headCommit : before;
  useEffect(() => setOpened(opened), [opened]);
  useEffect(() => {
    document.title = `${title} · #${number} · Countersign`;
  }, [number, title]);
  const { view } = search;
  return (
    <ReviewPlacesProvider>
      <PullRequestGrid isWide={view === 'files'} className="gap-4 pt-5 pb-24">
        <PullRequestHeader
          pullRequest={pullRequest}
          shown={reviewedHead(pullRequest, search) ?? opened}
          onUpdated={addUpdate}
        />
        {/* Resolving says itself that commits were pushed. */}
        {view !== 'conflicts' && (
          <PullRequestBanners
            pullRequest={pullRequest}
            search={search}
            opened={opened}
            since={lastLooked(pullRequest, user.id, lastSeen, own)}
            onShowNewest={() => {
              setOpened(headCommit);
              go({ view: 'files' });
            }}
            onSearch={go}
          />
        )}
        <Tabs pullRequest={pullRequest} view={view} isLive={live.connection === 'live'} />
        <ImagesOf pullRequestId={id}>
          <SuggestionBatchProvider
            pullRequest={pullRequest}
            isRaised={view === 'files' && opened !== headCommit}
          >
            {view === undefined && (
              <ConversationView pullRequest={pullRequest} search={search} onSearch={go} />
            )}
            {view === 'commits' &&
              (search.from && (search.to ?? headCommit) ? (
                <HeadsComparison
                  pullRequest={pullRequest}
                  from={search.from}
                  to={(search.to ?? headCommit)!}
                />
              ) : (
                <CommitsView pullRequest={pullRequest} />
              ))}
            {view === 'files' && (
              <FilesView
                pullRequest={pullRequest}
                search={search}
                opened={opened}
                lastSeen={lastSeen}
                onSearch={go}
              />
            )}
          </SuggestionBatchProvider>
        </ImagesOf>
        {view === 'conflicts' && <ConflictsView pullRequest={pullRequest} onUpdated={addUpdate} />}
        {view === 'reviews' && <ReviewsView pullRequest={pullRequest} />}
        {view === 'activity' && <ActivityView pullRequest={pullRequest} />}
        <div role="status" className="sr-only">
          {live.news}
        </div>
      </PullRequestGrid>
    </ReviewPlacesProvider>
  );
}

/** A verdict is about a head: commits below it are only read. */
function reviewedHead({ heads }: PullRequest, { by, to }: PullRequestSearch): string | undefined {
  return by === undefined && heads.some(({ commit }) => commit === to) ? to : undefined;
}

const TAB =
  '-mb-px rounded-t border-b-2 border-transparent px-1 pb-2 text-sm whitespace-nowrap text-quiet hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text';

function Tabs(props: { pullRequest: PullRequest; view: PullRequestSearch['view']; isLive: boolean }) {
  const { isLive, pullRequest, view } = props;
  const { id, openDiscussions } = pullRequest;
  const tabs = [
    { view: undefined, name: 'Conversation', note: '' },
    { view: 'commits', name: 'Commits', note: '' },
    {
      view: 'files',
      name: 'Files',
      note: openDiscussions > 0 ? `${openDiscussions} open` : '',
    },
    { view: 'reviews', name: 'Findings', note: '' },
    { view: 'activity', name: 'Activity', note: '' },
  ] as const;
  return (
    <ScrollRow label="Pull request views" className="items-baseline gap-5 border-b border-line">
      {tabs.map((tab) => (
        <Link
          key={tab.name}
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: id }}
          search={tab.view ? { view: tab.view } : {}}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={tab.view === view ? 'page' : undefined}
          className={TAB}
        >
          {tab.name}
          {tab.note && <span className="ml-1.5 text-xs font-normal text-quiet tabular-nums">{tab.note}</span>}
        </Link>
      ))}
      {!isLive && (
        <span role="status" className="ml-auto text-xs text-quiet">
          Reconnecting…
        </span>
      )}
    </ScrollRow>
  );
}
