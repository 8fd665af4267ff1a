/** The bar above a file: its size, its commit, and what to show of it. */
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { GitCommitHorizontal, Link2 } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { usePageShortcuts } from '../../frame/use-shortcuts.ts';
import { type FilePart, shortCommit } from '../../parts/code/code-queries.ts';
import { formatBytes, formatCount } from '../../parts/fields/format-amounts.ts';
import type { CodeProps } from './code-props.ts';

export type PanelKind = 'history' | 'symbols';

const PANELS = [
  { kind: 'symbols', name: 'Symbols' },
  { kind: 'history', name: 'History' },
] as const;

const PRESSED = 'aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent';

export function FileBar({
  repository,
  at,
  path,
  file,
  panel,
  onPanel,
  isFormatted,
  hasBlame,
  onBlame,
}: CodeProps & {
  file: FilePart;
  /** Shown above the lines. */
  panel: PanelKind | null;
  onPanel(kind: PanelKind | null): void;
  /** Undefined for files that aren't Markdown. */
  isFormatted: boolean | undefined;
  hasBlame: boolean;
  onBlame(on: boolean): void;
}) {
  const navigate = useNavigate({ from: '/repositories/$repositoryId' });
  const hash = useLocation({ select: (location) => location.hash });
  const source = useLocation({ select: ({ search }) => search.source });
  const isPermanent = at?.toLowerCase() === file.commit;
  const permalink = {
    params: { repositoryId: repository.id },
    search: { ref: file.commit, path, ...(source && { source }) },
    hash,
  };
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
        {isFormatted !== undefined && (
          <>
            {[
              { name: 'Preview', isOn: isFormatted, search: {} },
              { name: 'Source', isOn: !isFormatted, search: { source: true as const } },
            ].map(({ isOn, name, search }) => (
              <Button
                key={name}
                size="small"
                className={PRESSED}
                aria-pressed={isOn}
                onClick={() => {
                  const place = { ...(at && { ref: at }), path };
                  void navigate({ search: { ...place, ...search }, replace: true, resetScroll: false });
                }}
              >
                {name}
              </Button>
            ))}
            <span aria-hidden="true" className="mx-1 h-5 border-l border-line" />
          </>
        )}
        {PANELS.map(
          ({ kind, name }) =>
            (kind === 'history' || (file.kind === 'text' && !isFormatted)) && (
              <Button
                key={kind}
                size="small"
                className={PRESSED}
                aria-pressed={panel === kind}
                onClick={() => onPanel(panel === kind ? null : kind)}
              >
                {name}
              </Button>
            ),
        )}
        {file.kind === 'text' && (
          <Button
            size="small"
            className={PRESSED}
            aria-pressed={hasBlame && !isFormatted}
            onClick={() => onBlame(!hasBlame || isFormatted === true)}
          >
            Blame
          </Button>
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
