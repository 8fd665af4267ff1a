/** The changed files as a tree of folders, with a filter. */
import { Check, ChevronDown, ChevronRight, MessageSquare } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { MarkedText } from '../../code/marked-text.tsx';
import type { ChangedFile } from '../diff/diff-types.ts';
import { CHANGE_NAMES } from '../diff/file-header.tsx';
import { type Folder, folderTree } from './file-tree-model.ts';

interface FileTreeProps {
  files: readonly ChangedFile[];
  /** How many open discussions each file has. */
  openDiscussions: ReadonlyMap<string, number>;
  /** Files that the plan doesn't name. */
  beyondPlan: ReadonlySet<string>;
  current: string | undefined;
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
    <div className="grid grid-cols-1 gap-2">
      {files.length > 8 && (
        <input
          type="search"
          aria-label="Filter files"
          placeholder="Filter files"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="h-8 w-full rounded-md border border-strong-line bg-page px-2.5 text-sm placeholder:text-quiet"
        />
      )}
      <nav aria-label="Changed files" className="text-[0.8125rem]">
        {shown.length === 0 && <p className="px-2 py-3 text-quiet">No matching files</p>}
        <FolderContents {...props} folder={root} />
      </nav>
    </div>
  );
});

type BranchProps = Omit<FileTreeProps, 'files'> & { folder: Folder<ChangedFile> };

function FolderContents({ folder, ...rest }: BranchProps) {
  const { beyondPlan, current, onChoose, openDiscussions } = rest;
  return (
    <ul>
      {folder.folders.map((each) => (
        <FolderItem key={each.path} folder={each} {...rest} />
      ))}
      {folder.files.map(({ file, name }) => (
        <FileItem
          key={file.path}
          file={file}
          name={name}
          isCurrent={file.path === current}
          isBeyondPlan={beyondPlan.has(file.path)}
          open={openDiscussions.get(file.path) ?? 0}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

const LINE = 'flex min-h-7 w-full min-w-0 items-center gap-1.5 rounded-md px-1.5 text-left hover:bg-sunken';

function FolderItem({ folder, ...rest }: BranchProps) {
  const [isOpen, setIsOpen] = useState(true);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        title={folder.path}
        className={`${LINE} text-quiet`}
      >
        <Chevron className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="min-w-0 truncate">
          <MarkedText text={folder.name} />
        </span>
      </button>
      {isOpen && (
        <div className="ml-3 border-l border-line pl-1">
          <FolderContents folder={folder} {...rest} />
        </div>
      )}
    </li>
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
  isCurrent: boolean;
  isBeyondPlan: boolean;
  open: number;
  onChoose(path: string): void;
}) {
  const { file, isBeyondPlan, isCurrent, name, onChoose, open } = props;
  const { letter, look } = LETTERS[file.change];
  return (
    <li>
      <button
        type="button"
        aria-current={isCurrent ? 'location' : undefined}
        onClick={() => onChoose(file.path)}
        title={isBeyondPlan ? `${file.path}: not in the plan` : file.path}
        className={`${LINE} aria-[current=location]:bg-accent-soft aria-[current=location]:text-accent`}
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
        {open > 0 && (
          <span className="inline-flex shrink-0 items-center gap-0.5 text-xs text-warn tabular-nums">
            <MessageSquare className="size-3" aria-hidden="true" />
            {open}
            <span className="sr-only"> open</span>
          </span>
        )}
        {file.viewed && <Check className="size-3.5 shrink-0 text-good" aria-label="Viewed" role="img" />}
      </button>
    </li>
  );
});
