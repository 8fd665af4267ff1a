/** Below the plan: general comments, and comments on text that later versions removed. */
import { type ReactNode, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import type { ReaderState } from '../reader/use-reader.ts';
import { NewComment } from './new-comment.tsx';
import { TRIAGE_EXPLANATION } from './thread-card.tsx';
import { countComments, type Thread } from './threads.ts';

const SHOWN_AT_FIRST = 50;

export function Discussion(props: {
  seriesId: string;
  reader: ReaderState;
  /** Without a margin the comments on the text are here too. */
  hasAll: boolean;
  filter: ReactNode;
  cardOf(thread: Thread): ReactNode;
}) {
  const { cardOf, filter, hasAll, reader, seriesId } = props;
  const { mayWrite, send, threads, write, writeAt, writing } = reader;
  const { beside, general, orphaned } = threads;
  return (
    <section aria-label="Discussion" className="mt-12 grid grid-cols-1 gap-8 border-t border-line pt-8">
      {hasAll && filter}
      {mayWrite && [...(hasAll ? beside : []), ...orphaned, ...general].length > 0 && (
        <p className="-mb-5 text-[0.8125rem] text-quiet">{TRIAGE_EXPLANATION}</p>
      )}
      {hasAll && beside.length > 0 && <Group title="Comments on the text" threads={beside} cardOf={cardOf} />}
      {orphaned.length > 0 && (
        <Group
          title="Comments on removed text"
          lead="A later version removed the text that these comments are about."
          threads={orphaned}
          cardOf={cardOf}
        />
      )}
      <Group title="General comments" threads={general} cardOf={cardOf}>
        {writing && !writing.place ? (
          <NewComment seriesId={seriesId} send={send} onLeave={() => write(undefined)} />
        ) : (
          mayWrite && (
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <Button onClick={() => writeAt()}>Add a general comment</Button>
              <span className="text-[0.8125rem] text-quiet">
                To comment on part of the plan, select its text.
              </span>
            </div>
          )
        )}
        {general.length === 0 && !mayWrite && <p className="text-sm text-quiet">No comments yet.</p>}
      </Group>
    </section>
  );
}

function Group(props: {
  title: string;
  lead?: string;
  threads: readonly Thread[];
  cardOf(thread: Thread): ReactNode;
  children?: ReactNode;
}) {
  const { cardOf, children, lead, threads, title } = props;
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  return (
    <div className="grid grid-cols-1 gap-3">
      <div>
        <h2 className="text-sm font-semibold">
          {title}
          {threads.length > 0 && <span className="font-normal text-quiet"> · {countComments(threads)}</span>}
        </h2>
        {lead && <p className="text-[0.8125rem] text-quiet">{lead}</p>}
      </div>
      {threads.slice(0, shown).map((thread) => (
        <div key={thread.id}>{cardOf(thread)}</div>
      ))}
      {threads.length > shown && (
        <Button className="justify-self-start" onClick={() => setShown(shown * 4)}>
          Show more
        </Button>
      )}
      {children}
    </div>
  );
}
