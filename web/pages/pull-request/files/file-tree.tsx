/** The changed files as a tree of folders, with a filter. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { Check, ChevronDown, ChevronRight, MessageSquare } from 'lucide-react';
import { memo, useMemo, useRef, useState } from 'react';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import type { ChangedFile } from '../diff/diff-types.ts';
import { CHANGE_NAMES } from '../diff/file-header.tsx';
import { FileOwners } from './file-owners.tsx';
import { type Folder, folderTree } from './file-tree-model.ts';
import { treeRows } from './file-tree-rows.ts';

interface FileTreeProps {
  files: readonly ChangedFile[];
  /** How many open discussions each file has. */
  openDiscussions: ReadonlyMap<string, number>;
  /** Files that the plan doesn't name. */
  beyondPlan: ReadonlySet<string>;
  onChoose(path: string): void;
}

export const FileTree = memo(function FileTree(props: FileTreeProps) {
  const { files } = props;
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLowerCase();
  const shown = useMemo(
    () => (words === '' ? files : files.filter(({ path }) => path.toLowerCase().includes(words))),
    [files, words],
  );
  const root = useMemo(() => folderTree(shown), [shown]);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      {files.length > 8 && (
        <input
          type="search"
          aria-label="Filter files"
          placeholder="Filter files"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="h-8 w-full shrink-0 rounded-md border border-strong-line bg-page px-2.5 text-sm placeholder:text-quiet"
        />
      )}
      {shown.length === 0 && <p className="px-2 py-3 text-sm text-quiet">No matching files</p>}
      <Tree {...props} root={root} />
    </div>
  );
});

const ROW_PIXELS = 28;
const INDENT_REM = 0.9;

/** Only the rows in view exist. */
function Tree({ root, ...rest }: Omit<FileTreeProps, 'files'> & { root: Folder<ChangedFile> }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => treeRows(root, closed), [root, closed]);
  const box = useRef<HTMLElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 10,
    useFlushSync: false,
  });
  const toggle = (path: string) => {
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setClosed(next);
  };
  return (
    <nav
      ref={box}
      aria-label="Changed files"
      className="min-h-0 flex-1 overflow-y-auto text-[0.8125rem] max-lg:max-h-[50dvh]"
    >
      <ul className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!;
          const path = row.kind === 'folder' ? row.folder.path : row.file.path;
          return (
            <li
              key={`${row.kind} ${path}`}
              className="absolute inset-x-0"
              style={{ top: start, paddingLeft: `${row.depth * INDENT_REM}rem` }}
            >
              {row.kind === 'folder' ? (
                <FolderItem folder={row.folder} isOpen={row.isOpen} onToggle={() => toggle(path)} />
              ) : (
                <FileItem
                  file={row.file}
                  name={row.name}
                  isBeyondPlan={rest.beyondPlan.has(path)}
                  open={rest.openDiscussions.get(path) ?? 0}
                  onChoose={rest.onChoose}
                />
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const LINE = 'flex h-[28px] w-full min-w-0 items-center gap-1.5 rounded-md px-1.5 text-left hover:bg-sunken';

function FolderItem(props: { folder: Folder<ChangedFile>; isOpen: boolean; onToggle(): void }) {
  const { folder, isOpen, onToggle } = props;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      title={folder.path}
      className={`${LINE} text-quiet`}
    >
      <Chevron className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="min-w-0 truncate">
        <MarkedText text={folder.name} />
      </span>
    </button>
  );
}

const LETTERS: Record<ChangedFile['change'], { letter: string; look: string }> = {
  added: { letter: 'A', look: 'text-good' },
  deleted: { letter: 'D', look: 'text-danger' },
  modified: { letter: 'M', look: 'text-quiet' },
  renamed: { letter: 'R', look: 'text-accent' },
  copied: { letter: 'C', look: 'text-accent' },
  type_changed: { letter: 'T', look: 'text-warn' },
};

const FileItem = memo(function FileItem(props: {
  file: ChangedFile;
  name: string;
  isBeyondPlan: boolean;
  open: number;
  onChoose(path: string): void;
}) {
  const { file, isBeyondPlan, name, onChoose, open } = props;
  const { letter, look } = LETTERS[file.change];
  return (
    <button
      type="button"
      onClick={() => onChoose(file.path)}
      title={isBeyondPlan ? `${file.path}: not in the plan` : file.path}
      className={LINE}
    >
      <span
        className={`w-3.5 shrink-0 text-center font-mono text-xs font-semibold ${look}`}
        title={CHANGE_NAMES[file.change]}
      >
        {letter}
        <span className="sr-only"> ({CHANGE_NAMES[file.change]})</span>
      </span>
      <span className={`min-w-0 flex-1 truncate ${file.viewed ? 'text-quiet' : ''}`}>
        <MarkedText text={name} />
      </span>
      {isBeyondPlan && (
        <span className="shrink-0 rounded-full border border-line px-1 text-[0.625rem] text-quiet">
          unplanned
        </span>
      )}
      <FileOwners paths={[file.path, file.oldPath]} />
      {open > 0 && (
        <span className="inline-flex shrink-0 items-center gap-0.5 text-xs text-warn tabular-nums">
          <MessageSquare className="size-3" aria-hidden="true" />
          {open}
          <span className="sr-only"> open</span>
        </span>
      )}
      {file.viewed && <Check className="size-3.5 shrink-0 text-good" aria-label="Viewed" role="img" />}
    </button>
  );
});
