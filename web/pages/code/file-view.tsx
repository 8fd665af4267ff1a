/** A file: its lines with links to them, or why they can't be shown. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { GitCommitHorizontal, Link2 } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { LoadingRows } from '../../components/page.tsx';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import { CodeLines, MAX_COLORED_LENGTH, type ShownLine } from '../../parts/code/code-lines.tsx';
import { type FilePart, fileQuery, isRefUnknown, shortCommit } from '../../parts/code/code-queries.ts';
import { languageOf } from '../../parts/code/language-of.ts';
import { inOneLine, MarkedText } from '../../parts/code/marked-text.tsx';
import { PathNotFound } from '../../parts/code/path-not-found.tsx';
import { hashOf, linesOf } from '../../parts/code/selected-lines.ts';
import { formatBytes, formatCount } from '../../parts/fields/format-amounts.ts';
import type { CodeProps } from './code-props.ts';
import { FileHistory, type HistoryKind } from './file-history.tsx';
import { FolderView } from './folder-view.tsx';
import { targetOf } from './paths.ts';
import { RepositoryImage } from './repository-image.tsx';
import { SymbolPanel } from './symbol-panel.tsx';

/** A line within this fraction of the window's height needs no scrolling. */
const SEEN_PART = 0.75;

export function FileView({ repository, at, path }: CodeProps) {
  const selected = linesOf(useLocation({ select: ({ hash }) => hash }));
  /** Decides which part of a long file to load first. */
  const [wanted, setWanted] = useState(selected?.first);
  const [panel, setPanel] = useState<PanelKind | null>(null);
  const [symbol, setSymbol] = useState('');
  const place = { repository: repository.name, ref: at };
  const file = useInfiniteQuery(fileQuery(place, path, wanted));
  const parts = file.data?.pages;
  const isElsewhere = parts !== undefined && selected !== undefined && isLeftOut(selected.first, parts);
  useEffect(() => {
    if (isElsewhere) setWanted(selected?.first);
  }, [isElsewhere, selected?.first]);
  if (file.error && !parts) {
    const { error } = file;
    // In a hand-written address, the trailing slash of a folder may be missing.
    if (error instanceof ApiProblem && error.status < 500 && !isRefUnknown(error))
      return <FolderView repository={repository} at={at} path={`${path}/`} />;
    return <PathNotFound error={error} repository={repository} at={at} onRetry={() => void file.refetch()} />;
  }
  if (!parts) return <LoadingRows rows={8} />;
  const [first] = parts as [FilePart];
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-raised">
      <FileBar
        repository={repository}
        at={at}
        path={path}
        file={first}
        panel={panel}
        onPanel={(kind) => {
          if (kind === 'symbols') setSymbol(selectedName());
          setPanel(kind);
        }}
      />
      {(panel === 'history' || panel === 'blame') && (
        <FileHistory kind={panel} repository={repository} at={first.commit} path={path} />
      )}
      {panel === 'symbols' && (
        <SymbolPanel repository={repository} at={first.commit} name={symbol} onName={setSymbol} />
      )}
      {file.hasPreviousPage && (
        <More busy={file.isFetchingPreviousPage} onMore={() => void file.fetchPreviousPage()}>
          {`Show lines before ${formatNumber(first.startLine)}`}
        </More>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field of the panel does the same. */}
      <div
        onDoubleClick={() => {
          if (panel === 'symbols') setSymbol(selectedName());
        }}
      >
        <Content repository={repository} at={at} path={path} parts={parts} />
      </div>
      {file.hasNextPage && (
        <More busy={file.isFetchingNextPage} onMore={() => void file.fetchNextPage()}>
          {`Show lines after ${formatNumber(parts.at(-1)!.endLine)}`}
        </More>
      )}
    </div>
  );
}

/** Whether a line is in a part of the file that isn't loaded. */
function isLeftOut(line: number, parts: FilePart[]): boolean {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  return line < first.startLine || (line > last.endLine && line <= (last.totalLines ?? 0));
}

function More({ busy, children, onMore }: { busy: boolean; children: string; onMore(): void }) {
  return (
    <div className="flex justify-center border-y border-line bg-sunken py-2">
      <Button size="small" busy={busy} onClick={onMore}>
        {children}
      </Button>
    </div>
  );
}

type PanelKind = HistoryKind | 'symbols';

const PANELS = [
  { kind: 'symbols', name: 'Symbols' },
  { kind: 'history', name: 'History' },
  { kind: 'blame', name: 'Blame' },
] as const;

/** The identifier that is selected in the page, if one is. */
function selectedName(): string {
  const text = getSelection()?.toString().trim() ?? '';
  return /^[\p{L}\p{N}_$]{1,200}$/u.test(text) ? text : '';
}

function FileBar({
  repository,
  at,
  path,
  file,
  panel,
  onPanel,
}: CodeProps & {
  file: FilePart;
  /** Shown above the lines. */
  panel: PanelKind | null;
  onPanel(kind: PanelKind | null): void;
}) {
  const navigate = useNavigate({ from: '/repositories/$repositoryId' });
  const hash = useLocation({ select: (location) => location.hash });
  const isPermanent = at?.toLowerCase() === file.commit;
  const permalink = { params: { repositoryId: repository.id }, search: { ref: file.commit, path }, hash };
  usePageShortcuts([
    {
      keys: ['y'],
      meaning: 'Switch to permalink',
      act() {
        void navigate({ ...permalink, replace: true, resetScroll: false });
        return true;
      },
    },
  ]);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-sunken py-1.5 pr-2 pl-4">
      <p className="flex flex-wrap items-center gap-x-3 text-[0.8125rem] text-quiet">
        {file.totalLines !== null && <span>{formatCount(file.totalLines, 'line')}</span>}
        <span>{formatBytes(file.size)}</span>
        <span className="inline-flex items-center gap-1 font-mono" title={`Commit ${file.commit}`}>
          <GitCommitHorizontal className="size-3.5" aria-hidden="true" />
          {shortCommit(file.commit)}
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-1.5">
        {PANELS.map(
          ({ kind, name }) =>
            (kind === 'history' || file.kind === 'text') && (
              <Button
                key={kind}
                size="small"
                aria-pressed={panel === kind}
                onClick={() => onPanel(panel === kind ? null : kind)}
              >
                {name}
              </Button>
            ),
        )}
        {!isPermanent && (
          <Link
            to="/repositories/$repositoryId"
            {...permalink}
            resetScroll={false}
            title="A link to this commit that never changes"
            className="inline-flex h-8 items-center gap-2 rounded-md border border-line bg-raised px-2.5 text-sm font-medium hover:border-strong-line hover:bg-sunken"
          >
            <Link2 className="size-4" aria-hidden="true" />
            Permalink
          </Link>
        )}
        {file.kind === 'text' && file.startLine === 1 && file.endLine === file.totalLines && (
          <CopyButton small text={file.text} name="Copy file" />
        )}
      </div>
    </div>
  );
}

function Content({ repository, at, path, parts }: CodeProps & { parts: FilePart[] }) {
  const [file] = parts as [FilePart];
  if (file.kind === 'binary') {
    const instead = <Instead title="Binary file">{formatBytes(file.size)}, can’t be shown as text.</Instead>;
    if (!SHOWN_IMAGE.test(path)) return instead;
    return <ImageFile repository={repository} at={file.commit} path={path} instead={instead} />;
  }
  if (file.kind === 'too_large')
    return <Instead title="This file is too large to show">{formatBytes(file.size)}.</Instead>;
  if (file.kind === 'symlink')
    return <SymbolicLink repository={repository} at={at} path={path} target={file.text} />;
  if (file.size === 0) return <Instead title="This file is empty" />;
  return (
    <>
      {file.kind === 'lfs' && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-sm text-warn">
          This file is stored in Git LFS. The repository holds only this pointer.
        </p>
      )}
      <Lines path={path} parts={parts} />
    </>
  );
}

const SHOWN_IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

function ImageFile({ repository, at, path, instead }: CodeProps & { instead: ReactNode }) {
  return (
    <div className="grid justify-items-center p-4 [&_img]:max-w-full">
      <RepositoryImage
        place={{ repository: repository.name, ref: at }}
        path={path}
        alternative={inOneLine(path)}
        instead={instead}
      />
    </div>
  );
}

function Instead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-1 px-6 py-12 text-center">
      <p className="font-semibold">{title}</p>
      {children && <p className="text-sm text-quiet">{children}</p>}
    </div>
  );
}

function SymbolicLink({ repository, at, path, target }: CodeProps & { target: string }) {
  const to = targetOf(path, target);
  return (
    <Instead title="Symbolic link">
      It points to{' '}
      {to === undefined ? (
        <code className="font-mono wrap-anywhere">
          <MarkedText text={target} />
        </code>
      ) : (
        <Link
          to="/repositories/$repositoryId"
          params={{ repositoryId: repository.id }}
          search={{ ...(at && { ref: at }), ...(to && { path: to }) }}
          className="font-mono wrap-anywhere text-accent underline"
        >
          <MarkedText text={target} />
        </Link>
      )}
      {to === undefined && ', which is outside the repository'}.
    </Instead>
  );
}

function Lines({ path, parts }: { path: string; parts: FilePart[] }) {
  const navigate = useNavigate({ from: '/repositories/$repositoryId' });
  const hash = useLocation({ select: (location) => location.hash });
  const selected = useMemo(() => linesOf(hash), [hash]);
  const lines = useMemo(() => parts.flatMap(linesIn), [parts]);
  const box = useRef<HTMLDivElement>(null);
  const chosenHere = useRef(false);
  const first = selected?.first;
  useEffect(() => {
    // The page was opened at this line, or the user went back to it; a line that was just clicked is already visible.
    const line = first !== undefined && box.current?.querySelector(`[data-line="${first}"]`);
    if (line && !chosenHere.current && line.getBoundingClientRect().bottom > innerHeight * SEEN_PART)
      line.scrollIntoView({ block: 'center' });
    chosenHere.current = false;
  }, [first]);
  const isPlain = parts.reduce((length, { text }) => length + text.length, 0) > MAX_COLORED_LENGTH;
  return (
    <div ref={box}>
      {isPlain && (
        <p className="border-b border-line px-4 py-2 text-[0.8125rem] text-quiet">
          This file is too large for syntax highlighting.
        </p>
      )}
      <CodeLines
        label={`Lines of ${inOneLine(path)}`}
        language={languageOf(path)}
        lines={lines}
        selected={selected}
        onSelect={(chosen) => {
          chosenHere.current = true;
          void navigate({ search: true, hash: hashOf(chosen), replace: true, resetScroll: false });
        }}
      />
    </div>
  );
}

function linesIn({ endLine, startLine, text }: FilePart): ShownLine[] {
  const texts = text.split('\n');
  return Array.from({ length: endLine - startLine + 1 }, (_, index) => ({
    number: startLine + index,
    text: texts[index] ?? '',
  }));
}
