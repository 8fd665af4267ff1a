/** The discussions of the pull request as a list, with filters by status and author. */
import type { CSSProperties } from 'react';
import { oneLine } from '../../../../src/engines/text/index.ts';
import { Select } from '../../../components/field.tsx';
import { type Discussion, isMaybe } from '../../../parts/pull-request/threads/discussion-data.ts';
import { STATUSES } from '../../../parts/pull-request/threads/discussion-status.tsx';
import { authorsOf, type DiscussionFilter } from '../threads/discussion-filter.ts';
import { namedLines } from '../threads/discussion-place.ts';

interface DiscussionPanelProps {
  all: readonly Discussion[];
  /** Discussions that match the filter, in the order of the page. */
  shown: readonly Discussion[];
  /** The commit whose lines are shown. */
  commit: string;
  filter: DiscussionFilter;
  active: string | undefined;
  onFilter(filter: DiscussionFilter): void;
  onChoose(discussion: Discussion): void;
}

/** Long lists aren't laid out while they are out of view. */
const ITEM_STYLE: CSSProperties = { contentVisibility: 'auto', containIntrinsicBlockSize: '3.25rem' };

export function DiscussionPanel(props: DiscussionPanelProps) {
  const { active, all, commit, filter, onChoose, onFilter, shown } = props;
  const countOf = (status: Discussion['status']) => all.filter((each) => each.status === status).length;
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="grid grid-cols-2 gap-2">
        <Select
          aria-label="Status"
          value={filter.status ?? ''}
          onChange={({ target: { value } }) =>
            onFilter({ ...filter, status: (value || undefined) as DiscussionFilter['status'] })
          }
        >
          <option value="">All · {all.length}</option>
          {(['open', 'addressed', 'resolved'] as const).map((status) => (
            <option key={status} value={status}>
              {STATUSES[status].name} · {countOf(status)}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Opened by"
          value={filter.author ?? ''}
          onChange={({ target: { value } }) => onFilter({ ...filter, author: value || undefined })}
        >
          <option value="">Anyone</option>
          {authorsOf(all).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      {shown.length === 0 && (
        <p className="px-1 py-3 text-sm text-quiet">
          {all.length === 0
            ? 'No discussions yet. Click a line number to start one.'
            : 'No matching discussions.'}
        </p>
      )}
      <ul aria-label="Discussions" className="grid grid-cols-1 gap-0.5">
        {shown.map((discussion) => (
          <li key={discussion.id} style={ITEM_STYLE}>
            <DiscussionItem
              discussion={discussion}
              commit={commit}
              isActive={discussion.id === active}
              onChoose={() => onChoose(discussion)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function DiscussionItem(props: {
  discussion: Discussion;
  commit: string;
  isActive: boolean;
  onChoose(): void;
}) {
  const { author, comments, status } = props.discussion;
  const { icon: Icon, name } = STATUSES[status];
  const { endLine: line, file: path } = namedLines(props.discussion, props.commit);
  return (
    <button
      type="button"
      aria-current={props.isActive ? 'true' : undefined}
      onClick={props.onChoose}
      className="grid w-full grid-cols-[auto_minmax(0,1fr)] gap-x-2 rounded-md px-1.5 py-1.5 text-left text-[0.8125rem] hover:bg-sunken aria-[current=true]:bg-accent-soft"
    >
      <Icon
        className={`mt-0.5 size-3.5 ${status === 'open' ? 'text-warn' : status === 'resolved' ? 'text-good' : 'text-accent'}`}
        role="img"
        aria-label={name}
      />
      <span className="truncate">{oneLine(comments[0]?.body ?? '', 120) || 'No text'}</span>
      <span className="col-start-2 flex min-w-0 gap-1.5 text-xs text-quiet">
        <span className="shrink-0">{author.name}</span>
        <span className="min-w-0 truncate font-mono">
          {path.slice(path.lastIndexOf('/') + 1)}
          {line > 0 && `:${line}`}
        </span>
        {isMaybe(props.discussion) && <span className="ml-auto shrink-0 text-warn">possibly addressed</span>}
      </span>
    </button>
  );
}
