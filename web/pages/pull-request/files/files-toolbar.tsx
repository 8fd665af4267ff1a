/** Above the difference: what is compared, how much changed, steps through open discussions, and how it is shown. */
import { ChevronDown, ChevronUp, PanelLeftClose, PanelLeftOpen, Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { formatNumber } from '../../../components/format-number.ts';
import { Menu, MenuChoice, MenuChoices, MenuHeading, MenuItem, MenuLine } from '../../../components/menu.tsx';
import type { Files } from '../../../parts/pull-request/pull-request-data.ts';
import { LineCounts } from '../diff/file-header.tsx';
import { ReviewSlot } from '../header/review-place.tsx';
import type { DiffPreferences } from './diff-preferences.ts';

interface FilesToolbarProps {
  files: Files | undefined;
  preferences: DiffPreferences;
  /** There is room for two columns. */
  hasRoom: boolean;
  isWhole: boolean;
  /** Whether the files are shown beside the lines; undefined where there is no room beside. */
  hasTree: boolean | undefined;
  /** Whether files can be marked as viewed. */
  hasViewed: boolean;
  openCount: number;
  /** Index of the active one among the open discussions, from 0. */
  at: number | undefined;
  children: ReactNode;
  onPrefer(change: Partial<DiffPreferences>): void;
  onWhole(isWhole: boolean): void;
  onCollapseAll(isCollapsed: boolean): void;
  onStep(by: 1 | -1): void;
  onToggleTree(): void;
  onCommits(): void;
}

export function FilesToolbar(props: FilesToolbarProps) {
  const { at, children, files, hasTree, hasViewed, onStep, onToggleTree, openCount } = props;
  const ToggleTree = hasTree ? PanelLeftClose : PanelLeftOpen;
  const viewed = files?.files.filter((file) => file.viewed).length ?? 0;
  return (
    <div className="sticky top-14 z-[15] -mx-4 -mt-2 flex h-[48px] items-center gap-x-3 border-b border-line bg-page px-4 sm:-mx-6 sm:px-6 lg:top-0">
      {hasTree !== undefined && (
        <Button
          size="small"
          look="quiet"
          className="-mr-1.5 -ml-1.5 px-1.5!"
          aria-expanded={hasTree}
          aria-label="Sidebar"
          title={`${hasTree ? 'Hide' : 'Show'} the sidebar (f)`}
          onClick={onToggleTree}
        >
          <ToggleTree className="size-4" aria-hidden="true" />
        </Button>
      )}
      {children}
      {files && (
        <p className="flex items-center gap-2.5 text-[0.8125rem] text-quiet max-sm:hidden">
          <span>{files.total === 1 ? '1 file' : `${formatNumber(files.total)} files`}</span>
          <LineCounts added={files.added} deleted={files.deleted} />
          {hasViewed && (
            <span className="tabular-nums max-md:hidden">
              {viewed} of {files.files.length} viewed
            </span>
          )}
        </p>
      )}
      <div className="ml-auto flex items-center gap-1.5">
        {openCount > 0 && (
          <div className="flex items-center gap-0.5 text-xs text-quiet">
            <Button
              size="small"
              look="quiet"
              className="px-1.5!"
              aria-label="Previous open discussion"
              title="Previous open discussion (p)"
              onClick={() => onStep(-1)}
            >
              <ChevronUp className="size-4" aria-hidden="true" />
            </Button>
            <span className="min-w-12 text-center tabular-nums" aria-live="polite">
              {at === undefined ? `${openCount} open` : `${at + 1} of ${openCount}`}
            </span>
            <Button
              size="small"
              look="quiet"
              className="px-1.5!"
              aria-label="Next open discussion"
              title="Next open discussion (n)"
              onClick={() => onStep(1)}
            >
              <ChevronDown className="size-4" aria-hidden="true" />
            </Button>
          </div>
        )}
        <ViewMenu {...props} />
        <ReviewSlot />
      </div>
    </div>
  );
}

function ViewMenu(props: FilesToolbarProps) {
  const { hasRoom, isWhole, onCollapseAll, onCommits, onPrefer, onWhole, preferences } = props;
  return (
    <Menu
      trigger={
        <Button size="small" aria-label="View options">
          <Settings2 className="size-4" aria-hidden="true" />
          <span className="max-sm:hidden">View</span>
        </Button>
      }
    >
      <MenuHeading>Layout</MenuHeading>
      <MenuChoices
        value={String(hasRoom ? preferences.columns : 1)}
        onValueChange={(chosen) => onPrefer({ columns: chosen === '2' ? 2 : 1 })}
      >
        <MenuChoice value="1">Unified</MenuChoice>
        {hasRoom && <MenuChoice value="2">Split</MenuChoice>}
      </MenuChoices>
      <MenuLine />
      <MenuHeading>Whitespace</MenuHeading>
      <MenuChoices
        value={String(preferences.ignoreWhitespace)}
        onValueChange={(chosen) => onPrefer({ ignoreWhitespace: chosen === 'true' })}
      >
        <MenuChoice value="false">Show whitespace changes</MenuChoice>
        <MenuChoice value="true">Ignore whitespace</MenuChoice>
      </MenuChoices>
      <MenuLine />
      <MenuItem onSelect={onCommits}>Go commit by commit</MenuItem>
      <MenuItem onSelect={() => onCollapseAll(true)}>Collapse all files</MenuItem>
      <MenuItem onSelect={() => onCollapseAll(false)}>Expand all files</MenuItem>
      <MenuItem onSelect={() => onWhole(!isWhole)}>
        {isWhole ? 'Load lines as you scroll' : 'Load all lines (for find in page)'}
      </MenuItem>
    </Menu>
  );
}
