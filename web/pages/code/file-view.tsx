/** A file, with panels above it that tell more about it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { formatNumber } from '../../components/format-number.ts';
import { LoadingRows } from '../../components/page.tsx';
import { type FilePart, fileQuery, isRefUnknown } from '../../parts/code/code-queries.ts';
import { PathNotFound } from '../../parts/code/path-not-found.tsx';
import { linesOf } from '../../parts/code/selected-lines.ts';
import type { CodeProps } from './code-props.ts';
import { FileBar, type PanelKind } from './file-bar.tsx';
import { FileContent } from './file-content.tsx';
import { FileHistory } from './file-history.tsx';
import { FolderView } from './folder-view.tsx';
import { SymbolPanel } from './symbol-panel.tsx';
import { useBlamePreference } from './use-blame-preference.ts';

const MARKDOWN = /\.(?:md|markdown|mdown|mkdn?)$/i;

export function FileView({ repository, at, path }: CodeProps) {
  const selected = linesOf(useLocation({ select: ({ hash }) => hash }));
  const isSource = useLocation({ select: ({ search }) => search.source }) === true;
  const navigate = useNavigate({ from: '/repositories/$repositoryId' });
  /** Decides which part of a long file to load first. */
  const [wanted, setWanted] = useState(selected?.first);
  const [panel, setPanel] = useState<PanelKind | null>(null);
  const [symbol, setSymbol] = useState('');
  const [hasBlame, setHasBlame] = useBlamePreference();
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
  // Only a whole text can be formatted, and lines are lines of the source.
  const isMarkdown = MARKDOWN.test(path) && first.kind === 'text' && first.size > 0 && isWhole(parts);
  const isFormatted = isMarkdown && !isSource && selected === undefined;
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
        isFormatted={isMarkdown ? isFormatted : undefined}
        hasBlame={hasBlame}
        onBlame={(on) => {
          setHasBlame(on);
          const search = { ...(at && { ref: at }), path, source: true as const };
          if (isFormatted) void navigate({ search, replace: true, resetScroll: false });
        }}
      />
      {panel === 'history' && <FileHistory repository={repository} at={first.commit} path={path} />}
      {panel === 'symbols' && !isFormatted && (
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
        <FileContent {...{ repository, at, path, parts, isFormatted, hasBlame }} />
      </div>
      {file.hasNextPage && (
        <More busy={file.isFetchingNextPage} onMore={() => void file.fetchNextPage()}>
          {`Show lines after ${formatNumber(parts.at(-1)!.endLine)}`}
        </More>
      )}
    </div>
  );
}

function isWhole(parts: FilePart[]): boolean {
  const [first] = parts as [FilePart];
  return (
    parts.length === 1 && first.startLine === 1 && first.endLine === first.totalLines && !first.truncated
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

/** The identifier that is selected in the page, if one is. */
function selectedName(): string {
  const text = getSelection()?.toString().trim() ?? '';
  return /^[\p{L}\p{N}_$]{1,200}$/u.test(text) ? text : '';
}
