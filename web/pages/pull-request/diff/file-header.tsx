/** The header of a file: its path, how much changed, viewed mark, and a menu. It stays in view while its lines scroll. */
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, Link as LinkIcon, MessageSquare } from 'lucide-react';
import { memo } from 'react';
import { formatNumber } from '../../../components/format-number.ts';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import type { ChangedFile } from './diff-types.ts';
import { describeMode } from './file-modes.ts';

export interface FileHeaderProps {
  file: ChangedFile;
  isCollapsed: boolean;
  openDiscussions: number;
  mayComment: boolean;
  /** Where the whole file can be read. */
  source: { repositoryId: string; commit: string } | undefined;
  onCollapse(isCollapsed: boolean): void;
  /** Missing where only one commit is shown: the mark is about the newest content. */
  onViewed: ((isViewed: boolean) => void) | undefined;
  onCopyLink(): void;
  onComment(): void;
}

export const CHANGE_NAMES: Record<ChangedFile['change'], string> = {
  added: 'Added',
  deleted: 'Deleted',
  modified: 'Modified',
  renamed: 'Renamed',
  copied: 'Copied',
  type_changed: 'Type changed',
};

export function FileHeader(props: FileHeaderProps) {
  const { file, isCollapsed, mayComment, onCollapse, onComment, onCopyLink, onViewed, openDiscussions } =
    props;
  const { source } = props;
  const mode = describeMode(file);
  const Chevron = isCollapsed ? ChevronRight : ChevronDown;
  return (
    <header className="flex h-[44px] items-center gap-2 rounded-t-lg border-b border-line bg-sunken pr-3 pl-1.5 text-[0.8125rem]">
      <button
        type="button"
        aria-expanded={!isCollapsed}
        aria-label={isCollapsed ? 'Show the file' : 'Hide the file'}
        onClick={() => onCollapse(!isCollapsed)}
        className="inline-flex size-7 shrink-0 items-center justify-center rounded text-quiet hover:bg-line/60 hover:text-text"
      >
        <Chevron className="size-4" aria-hidden="true" />
      </button>
      <h3 className="min-w-0 truncate font-mono font-medium" title={file.path} dir="ltr">
        {file.oldPath && (
          <span className="font-normal text-quiet">
            <MarkedText text={file.oldPath} /> →{' '}
          </span>
        )}
        {source && file.change !== 'deleted' ? (
          <WholeFileLink {...source} path={file.path} />
        ) : (
          <MarkedText text={file.path} />
        )}
      </h3>
      {file.change !== 'modified' && (
        <span className="shrink-0 rounded-full border border-line px-1.5 text-xs text-quiet max-sm:hidden">
          {CHANGE_NAMES[file.change]}
        </span>
      )}
      {mode && (
        <span
          className="shrink-0 rounded-full border border-line px-1.5 text-xs text-quiet"
          title={`Mode ${file.oldMode} to ${file.newMode}`}
        >
          {mode}
        </span>
      )}
      {file.generated && (
        <span className="shrink-0 rounded-full border border-line px-1.5 text-xs text-quiet max-sm:hidden">
          Generated
        </span>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-3">
        {openDiscussions > 0 && (
          <span className="inline-flex items-center gap-1 text-xs text-warn tabular-nums">
            <MessageSquare className="size-3.5" aria-hidden="true" />
            {openDiscussions}
            <span className="sr-only"> open discussions</span>
          </span>
        )}
        <LineCounts {...file} />
        <button
          type="button"
          title="Copy link (l)"
          aria-label="Copy link"
          onClick={onCopyLink}
          className="-mr-2 inline-flex size-7 items-center justify-center rounded text-quiet hover:bg-line/60 hover:text-text max-sm:hidden"
        >
          <LinkIcon className="size-3.5" aria-hidden="true" />
        </button>
        {mayComment && (
          <button
            type="button"
            title="Comment on the file"
            aria-label="Comment on the file"
            onClick={onComment}
            className="inline-flex size-7 items-center justify-center rounded text-quiet hover:bg-line/60 hover:text-text max-sm:hidden"
          >
            <MessageSquare className="size-3.5" aria-hidden="true" />
          </button>
        )}
        {onViewed && (
          <label className="flex h-7 cursor-pointer items-center gap-1.5 rounded-md px-1 text-xs select-none hover:bg-line/60">
            <input
              type="checkbox"
              checked={file.viewed}
              onChange={(event) => onViewed(event.target.checked)}
              className="size-3.5 accent-accent"
            />
            Viewed
          </label>
        )}
      </span>
    </header>
  );
}

/** Headers are rendered with each step of a scroll, and making an address takes as long as the rest of them. */
const WholeFileLink = memo(function WholeFileLink(props: {
  repositoryId: string;
  commit: string;
  path: string;
}) {
  const { commit, path, repositoryId } = props;
  return (
    <Link
      to="/repositories/$repositoryId"
      params={{ repositoryId }}
      search={{ ref: commit, path }}
      className="rounded hover:underline"
    >
      <MarkedText text={path} />
    </Link>
  );
});

export function LineCounts({ added, deleted }: Pick<ChangedFile, 'added' | 'deleted'>) {
  if (added === null || deleted === null) return null;
  return (
    <span className="flex gap-1.5 text-xs tabular-nums">
      {added > 0 && (
        <span className="text-good">
          <span className="sr-only">Lines added: </span>+{formatNumber(added)}
        </span>
      )}
      {deleted > 0 && (
        <span className="text-danger">
          <span className="sr-only">Lines deleted: </span>−{formatNumber(deleted)}
        </span>
      )}
    </span>
  );
}
