/** The state of a plan's reader: the open thread, the selection, the comment being written. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Highlight, OutlineEntry, SourceRange } from '../../../markdown/index.ts';
import type { Plan, PlanText } from '../plan-data.ts';
import { keepNewComment, type NewComment, readNewComment } from '../threads/new-comment-draft.ts';
import { threadsQuery } from '../threads/thread-data.ts';
import {
  isDismissed,
  matches,
  placeOf,
  sortByPlace,
  type Thread,
  type ThreadFilter,
  threadsOf,
} from '../threads/threads.ts';
import { useThreadActions } from '../threads/use-thread-actions.ts';

/** The id of the highlight and the card of the comment that is being written. */
export const NEW = 'new';

export function useReader(plan: Plan, text: PlanText) {
  const { seriesId } = plan;
  const { version } = text;
  const query = useQuery(threadsQuery(seriesId, version));
  const [filter, setFilter] = useState<ThreadFilter>('open');
  const all = useMemo(() => (query.data ? threadsOf(query.data) : []), [query.data]);
  const threads = useMemo(() => sortByPlace(all.filter((thread) => matches(thread, filter))), [all, filter]);

  const [written, setWritten] = useState(() => readNewComment(seriesId));
  const writing = written?.version === version ? written : undefined;
  const [activeId, activate] = useState<string | undefined>(writing?.place && NEW);
  const write = useCallback(
    (comment: NewComment | undefined) => {
      keepNewComment(seriesId, comment);
      setWritten(comment);
      activate(comment?.place && NEW);
    },
    [seriesId],
  );
  const highlights = useMemo(
    () => highlightsOf(threads.beside, activeId, writing?.place),
    [threads.beside, activeId, writing?.place],
  );

  const actions = useThreadActions(seriesId);
  const send = async (body: string, key: string) => {
    const id = await actions.comment(text, writing?.place, body, key);
    write(undefined);
    if (filter === 'dismissed') setFilter('open');
    activate(id);
  };

  return {
    query,
    all,
    threads,
    filter,
    setFilter,
    activeId,
    activate,
    highlights,
    actions,
    mayWrite: plan.actions.includes('comment'),
    writing,
    /** A draft comment on a version other than the current one. */
    unfinished: written && !writing ? written.version : undefined,
    write,
    writeAt: (place?: SourceRange) => write({ version, place }),
    placeOfHeading: (entry: OutlineEntry) => headingPlace(text.content, entry),
    send,
  };
}

export type ReaderState = ReturnType<typeof useReader>;

/** The heading's line, without its Markdown markers. */
function headingPlace(content: string, { start }: OutlineEntry): SourceRange {
  const lineEnd = content.indexOf('\n', start);
  const line = content.slice(start, lineEnd < 0 ? content.length : lineEnd);
  const words = line.replace(/^\s*#{1,6}[ \t]+/, '');
  const shown = words.replace(/[ \t]+#+[ \t]*$/, '').trimEnd();
  const from = start + line.length - words.length;
  return { start: from, end: from + shown.length };
}

function highlightsOf(
  beside: readonly Thread[],
  activeId: string | undefined,
  place: SourceRange | undefined,
): Highlight[] {
  const highlights = beside.map((thread): Highlight => {
    const { start, end } = placeOf(thread)!;
    const isQuiet = isDismissed(thread) || thread.root.addressed !== null;
    const tone = thread.id === activeId ? 'active' : isQuiet ? 'quiet' : 'comment';
    return { id: thread.id, start, end, tone, label: `Comment by ${thread.root.author.name}` };
  });
  if (place) highlights.push({ id: NEW, ...place, tone: 'active', label: 'Your selection' });
  return highlights;
}
