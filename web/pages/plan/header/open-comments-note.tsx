/** Says before an approval which comments are still open: those that nobody dismissed and no later version addressed. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../../components/notice.tsx';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import type { Plan } from '../plan-data.ts';
import { threadsQuery } from '../threads/thread-data.ts';
import { isDismissed, threadsOf } from '../threads/threads.ts';

const MAX_SHOWN = 3;
const MAX_CHARACTERS = 90;

export function OpenCommentsNote({ plan, onLeave }: { plan: Plan; onLeave(): void }) {
  const { seriesId, version } = plan;
  const { data } = useQuery(threadsQuery(seriesId, version));
  const open = data
    ? threadsOf(data).filter((thread) => !isDismissed(thread) && thread.root.addressed === null)
    : [];
  if (open.length === 0) return null;
  return (
    <Notice kind="warn">
      <p>{open.length === 1 ? '1 comment is still open.' : `${open.length} comments are still open.`}</p>
      <ul className="mt-1 grid gap-0.5">
        {open.slice(0, MAX_SHOWN).map(({ id, root }) => (
          <li key={id} className="min-w-0 truncate">
            <Link
              to="/plans/$seriesId"
              params={{ seriesId }}
              search={{ thread: id }}
              onClick={onLeave}
              className="rounded underline underline-offset-2"
            >
              {root.authorName}: <MarkedText text={root.body.slice(0, MAX_CHARACTERS)} />
            </Link>
          </li>
        ))}
      </ul>
      {open.length > MAX_SHOWN && <p className="mt-1">And {open.length - MAX_SHOWN} more.</p>}
    </Notice>
  );
}
