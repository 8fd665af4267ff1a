/** A plan: the bar at the top, its facts, and the selected view. */
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useSession } from '../../api/queries.ts';
import { forgetDraftsOfOthers } from '../../components/drafts.ts';
import { ErrorState } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';
import type { PlanSearch } from '../../page-search.ts';
import { ImagesOf } from '../../parts/images/image-upload.tsx';
import { useReadOnOpen } from '../../parts/inbox/use-read-on-open.ts';
import { ActivityView } from './activity/activity-view.tsx';
import { DifferenceView } from './comparison/difference-view.tsx';
import { PlanBanners } from './header/plan-banners.tsx';
import { PlanBar } from './header/plan-bar.tsx';
import { PlanFacts } from './header/plan-facts.tsx';
import { keepLastRead, readLastRead, setLastRead as storeLastRead } from './last-read.ts';
import { type Plan, usePlanText } from './plan-data.ts';
import { PlanGone } from './plan-gone.tsx';
import { Reader } from './reader/reader.tsx';
import { TextSkeleton } from './text-skeleton.tsx';
import { useLivePlan } from './use-live-plan.ts';

export function PlanView({ plan, search }: { plan: Plan; search: PlanSearch }) {
  const { seriesId } = plan;
  const { user } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const go = (to: PlanSearch) => void navigate({ to: '/plans/$seriesId', params: { seriesId }, search: to });
  const live = useLivePlan(plan);
  useReadOnOpen({ seriesId: plan.seriesId });
  // A new version doesn't replace the one that is being read.
  const [opened, setOpened] = useState(plan.version);
  const version = Math.min(search.version ?? opened, plan.version);
  useState(() => forgetDraftsOfOthers(user.id));
  const [lastRead, setLastRead] = useState(() => readLastRead(user.id, seriesId));
  const from = Math.min(search.compare ?? defaultFrom(lastRead, version), plan.version);
  useEffect(() => {
    document.title = `${plan.title} · Countersign`;
  }, [plan.title]);
  useEffect(() => {
    // Later versions are compared with the first one that the reader opened.
    if (lastRead === undefined) keepLastRead(user.id, seriesId, version);
  }, [lastRead, seriesId, user.id, version]);

  if (live.deleted) return <PlanGone event={live.deleted} title={plan.title} />;
  const isDifference = search.view === 'changes' || search.view === 'source';
  const view = isDifference ? 'changes' : search.view === 'activity' ? 'activity' : 'plan';
  const hasNewer = view === 'plan' && version < plan.version;
  const showNewest = () => {
    setOpened(plan.version);
    go({});
  };
  const markRead = () => keepLastRead(user.id, seriesId, version);
  const dismissNews = () => {
    markRead();
    setLastRead(version);
    toast(`Version ${version} marked as read.`, 'plain', () => {
      storeLastRead(user.id, seriesId, lastRead!);
      setLastRead(lastRead);
    });
  };
  return (
    <div className={hasNewer ? '[--plan-top:7rem]' : '[--plan-top:3.5rem]'}>
      <PlanBar
        plan={plan}
        version={version}
        hasTitleBelow={view === 'plan' && plan.structure.sections[0]?.title === plan.title}
        onShowVersion={(chosen) => (chosen === plan.version ? showNewest() : go({ version: chosen }))}
      />
      <div className="mx-auto grid max-w-[82rem] grid-cols-1 gap-5 px-4 pt-4 pb-16 sm:px-6">
        <PlanFacts plan={plan} version={version} />
        {view === 'plan' && (
          <PlanBanners
            plan={plan}
            version={version}
            isChosen={search.version !== undefined}
            lastRead={lastRead}
            onShowNewest={showNewest}
            onCompare={(older, newer) => go({ view: 'changes', compare: older, version: newer })}
            onDismiss={dismissNews}
          />
        )}
        <Tabs seriesId={seriesId} view={view} version={search.version} isLive={live.connection === 'live'} />
        {view === 'plan' && (
          <ImagesOf seriesId={seriesId}>
            <VersionText
              plan={plan}
              version={version}
              thread={search.thread}
              onShowVersion={(chosen) => go({ version: chosen })}
              onRead={markRead}
            />
          </ImagesOf>
        )}
        {isDifference && (
          <DifferenceView
            plan={plan}
            from={from}
            to={version}
            asSource={search.view === 'source'}
            onChoose={(chosen) =>
              go({
                view: (chosen.asSource ?? search.view === 'source') ? 'source' : 'changes',
                compare: chosen.from ?? from,
                version: chosen.to ?? version,
              })
            }
          />
        )}
        {view === 'activity' && <ActivityView plan={plan} />}
      </div>
      <div role="status" className="sr-only">
        {live.news}
      </div>
    </div>
  );
}

/** The version that was read last, otherwise the previous one. */
function defaultFrom(lastRead: number | undefined, version: number): number {
  if (lastRead !== undefined && lastRead < version) return lastRead;
  return Math.max(1, version - 1);
}

const TAB =
  '-mb-px rounded-t border-b-2 border-transparent px-1 pb-2 text-sm text-quiet hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-text';

function Tabs(props: { seriesId: string; view: string; version?: number; isLive: boolean }) {
  const { isLive, seriesId, version, view } = props;
  const tabs = [
    { view: 'plan', name: 'Plan', search: { version } },
    { view: 'changes', name: 'Changes', search: { view: 'changes', version } },
    { view: 'activity', name: 'Activity', search: { view: 'activity', version } },
  ];
  return (
    <nav aria-label="Plan views" className="flex items-baseline gap-5 border-b border-line">
      {tabs.map((tab) => (
        <Link
          key={tab.view}
          to="/plans/$seriesId"
          params={{ seriesId }}
          search={tab.search}
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={tab.view === view ? 'page' : undefined}
          className={TAB}
        >
          {tab.name}
        </Link>
      ))}
      {!isLive && (
        <span role="status" className="ml-auto text-xs text-quiet">
          Reconnecting…
        </span>
      )}
    </nav>
  );
}

function VersionText(props: {
  plan: Plan;
  version: number;
  thread: string | undefined;
  onShowVersion(version: number): void;
  onRead(): void;
}): ReactNode {
  const { data, error, refetch } = usePlanText(props.plan, props.version);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <TextSkeleton />;
  return <Reader key={data.version} text={data} {...props} />;
}
