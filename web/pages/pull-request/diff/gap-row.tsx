/** Unchanged lines that aren't shown, with buttons that show them. */
import { ChevronsDown, ChevronsUp, UnfoldVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../components/format-number.ts';
import type { Gap, LineRange } from './diff-lines.ts';
import { CELL } from './table-roles.ts';

const STEP = 20;

export function GapRow({ gap, onOpen }: { gap: Gap; onOpen(range: LineRange): void }) {
  const { count, heading, new: first, place } = gap;
  const last = first + count - 1;
  const open = (range: LineRange) => () => onOpen(range);
  const isShort = count <= STEP;
  return (
    <span
      {...CELL}
      className="flex h-[32px] min-w-0 items-center gap-0.5 bg-accent-soft/60 px-1 text-xs text-quiet"
    >
      {!isShort && place !== 'top' && (
        <GapButton name={`Show ${STEP} more lines below`} onClick={open({ first, last: first + STEP - 1 })}>
          <ChevronsDown className="size-3.5" aria-hidden="true" />
        </GapButton>
      )}
      {!isShort && place !== 'bottom' && (
        <GapButton name={`Show ${STEP} more lines above`} onClick={open({ first: last - STEP + 1, last })}>
          <ChevronsUp className="size-3.5" aria-hidden="true" />
        </GapButton>
      )}
      <GapButton
        name={count === 1 ? 'Show 1 unchanged line' : `Show ${formatNumber(count)} unchanged lines`}
        onClick={open({ first, last })}
      >
        <UnfoldVertical className="size-3.5" aria-hidden="true" />
        <span className="whitespace-nowrap">
          {formatNumber(count)} unchanged {count === 1 ? 'line' : 'lines'}
        </span>
      </GapButton>
      {heading && <span className="ml-2 min-w-0 truncate font-mono">{heading}</span>}
    </span>
  );
}

function GapButton(props: { name: string; onClick(): void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={props.name}
      title={props.name}
      onClick={props.onClick}
      className="inline-flex h-6 shrink-0 items-center gap-1.5 rounded px-1.5 hover:bg-accent-soft hover:text-accent"
    >
      {props.children}
    </button>
  );
}
