/** Says before an approval which discussions are still open: the first ones with their places, and links to them. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../../components/notice.tsx';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { discussionsQuery } from '../../../parts/pull-request/threads/discussion-data.ts';

const MAX_SHOWN = 3;
const MAX_CHARACTERS = 90;

interface OpenDiscussionsNoteProps {
  pullRequest: Pick<PullRequest, 'id' | 'openDiscussions'>;
  /** A link was followed. */
  onLeave(): void;
}

export function OpenDiscussionsNote({ pullRequest, onLeave }: OpenDiscussionsNoteProps) {
  const { id, openDiscussions: count } = pullRequest;
  const { data } = useQuery({ ...discussionsQuery(id), enabled: count > 0 });
  if (count === 0) return null;
  const open = data?.discussions.filter(({ status }) => status === 'open') ?? [];
  return (
    <Notice kind="warn">
      <p>{count === 1 ? '1 discussion is still open.' : `${count} discussions are still open.`}</p>
      {open.length > 0 && (
        <ul className="mt-1 grid gap-0.5">
          {open.slice(0, MAX_SHOWN).map(({ comments, file, id: discussion }) => (
            <li key={discussion} className="min-w-0 truncate">
              <Link
                to="/pull-requests/$pullRequestId"
                params={{ pullRequestId: id }}
                search={{ view: 'files', discussion }}
                onClick={onLeave}
                className="rounded underline underline-offset-2"
              >
                <span className="font-mono text-xs">{file}</span>{' '}
                <MarkedText text={(comments[0]?.body ?? '').slice(0, MAX_CHARACTERS)} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {open.length > MAX_SHOWN && <p className="mt-1">And {open.length - MAX_SHOWN} more.</p>}
    </Notice>
  );
}
