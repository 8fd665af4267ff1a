/** Beside the difference: the files as a tree, the discussions, and the plan. Above it where the window is narrow. */
import { useDeferredValue, useMemo, useState } from 'react';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import type { Discussion } from '../../../parts/pull-request/threads/discussion-data.ts';
import type { ChangedFile } from '../diff/diff-types.ts';
import type { DiscussionFilter } from '../threads/discussion-filter.ts';
import type { PlacedDiscussions } from '../threads/place-discussions.ts';
import { DiscussionPanel } from './discussion-panel.tsx';
import { WithOwners } from './file-owners.tsx';
import { FileTree } from './file-tree.tsx';
import { comparePlanFiles } from './plan-files.ts';
import { PlanPanel } from './plan-panel.tsx';
import { useIsWide } from './use-is-wide.ts';

interface FilesSidebarProps {
  pullRequest: PullRequest;
  files: readonly ChangedFile[];
  /** There are more files than the service lists. */
  isCutShort: boolean;
  all: readonly Discussion[];
  shown: readonly Discussion[];
  /** The commit whose lines are shown. */
  commit: string;
  order: readonly { id: string }[];
  active: string | undefined;
  openIn: PlacedDiscussions;
  filter: DiscussionFilter;
  onFilter(filter: DiscussionFilter): void;
  onChooseFile(path: string): void;
  onChooseDiscussion(discussion: Discussion): void;
}

const NO_FILES: readonly ChangedFile[] = [];

type Panel = 'files' | 'discussions' | 'plan';

export function FilesSidebar(props: FilesSidebarProps) {
  const { active, all, files, filter, isCutShort, openIn, order, pullRequest, shown } = props;
  const isWide = useIsWide();
  // The lines are shown first.
  const listed = useDeferredValue(files, NO_FILES);
  const [panel, setPanel] = useState<Panel | undefined>(isWide ? 'files' : undefined);
  const named = useMemo(
    () => [...new Set(pullRequest.plans.flatMap((plan) => plan.files))],
    [pullRequest.plans],
  );
  const beyondPlan = useMemo(
    () => new Set(named.length === 0 ? [] : comparePlanFiles(named, files).beyond),
    [files, named],
  );
  const changedPaths = useMemo(
    () => files.flatMap(({ oldPath, path }) => (oldPath === null ? [path] : [path, oldPath])),
    [files],
  );
  const openDiscussions = useMemo(() => countOpen(all, openIn), [all, openIn]);
  const inOrder = useMemo(() => {
    const places = new Map(order.map(({ id }, index) => [id, index]));
    const placeOf = ({ id }: Discussion) => places.get(id) ?? Number.POSITIVE_INFINITY;
    return shown.toSorted((one, other) => placeOf(one) - placeOf(other));
  }, [order, shown]);
  const open = all.filter(({ status }) => status === 'open').length;
  const tabs: { panel: Panel; name: string; count: number }[] = [
    { panel: 'files', name: 'Files', count: files.length },
    { panel: 'discussions', name: 'Discussions', count: open },
    ...(pullRequest.plans.length > 0
      ? [{ panel: 'plan' as const, name: pullRequest.plans.length > 1 ? 'Plans' : 'Plan', count: 0 }]
      : []),
  ];
  return (
    <aside
      aria-label="Files and discussions"
      className="flex min-w-0 flex-col gap-3 pt-3 lg:sticky lg:top-[48px] lg:h-[calc(100dvh-48px)] lg:pb-4"
    >
      <fieldset className="flex shrink-0 items-center gap-0.5 self-start rounded-lg bg-sunken p-0.5 text-xs">
        <legend className="sr-only">Show beside the changes</legend>
        {tabs.map(({ count, name, panel: each }) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === panel}
            onClick={() => setPanel(each === panel && !isWide ? undefined : each)}
            className="h-7 rounded-md px-2 text-quiet hover:text-text aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-text aria-pressed:shadow-sm"
          >
            {name}
            {count > 0 && <span className="ml-1 tabular-nums">{count}</span>}
          </button>
        ))}
      </fieldset>
      {panel === 'files' && (
        <>
          {listed.length > 0 && (
            <WithOwners pullRequest={pullRequest}>
              <FileTree
                files={listed}
                openDiscussions={openDiscussions}
                beyondPlan={beyondPlan}
                onChoose={props.onChooseFile}
              />
            </WithOwners>
          )}
          {isCutShort && <p className="text-xs text-quiet">Only the first {files.length} files are shown.</p>}
        </>
      )}
      {panel === 'discussions' && (
        <div className="min-h-0 lg:overflow-y-auto">
          <DiscussionPanel
            all={all}
            shown={inOrder}
            commit={props.commit}
            filter={filter}
            active={active}
            onFilter={props.onFilter}
            onChoose={props.onChooseDiscussion}
          />
        </div>
      )}
      {panel === 'plan' && (
        <div className="grid min-h-0 grid-cols-1 gap-6 lg:overflow-y-auto">
          {pullRequest.plans.map((plan) => (
            <PlanPanel
              key={plan.seriesId}
              plan={plan}
              files={comparePlanFiles(plan.files, files)}
              changed={changedPaths}
              changedPath={(name) =>
                files.find(({ path }) => path === name || path.endsWith(`/${name}`))?.path
              }
              onChoose={props.onChooseFile}
            />
          ))}
        </div>
      )}
    </aside>
  );
}

function countOpen(all: readonly Discussion[], { onFiles, onLines }: PlacedDiscussions): Map<string, number> {
  const open = new Set(all.filter(({ status }) => status === 'open').map(({ id }) => id));
  const counts = new Map<string, number>();
  const add = (path: string, ids: readonly string[]) =>
    counts.set(path, (counts.get(path) ?? 0) + ids.filter((id) => open.has(id)).length);
  for (const [path, ids] of onFiles) add(path, ids);
  for (const [path, placed] of onLines)
    add(
      path,
      placed.map(({ id }) => id),
    );
  return counts;
}
