/** The general conversation: the description, comments, verdicts, discussions, pushes and what else was done, in order of time. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, FileWarning, MessageSquare } from 'lucide-react';
import { useMemo, useState } from 'react';
import { call } from '../../../api/client.ts';
import { Composer } from '../../../components/composer.tsx';
import { Time } from '../../../components/time.tsx';
import { MarkdownText, MarkdownView, Tickable } from '../../../markdown/index.ts';
import type { PullRequestSearch } from '../../../page-search.ts';
import {
  type PullRequest,
  pullRequestQuery,
  shortCommit,
  useShowPullRequest,
} from '../../../parts/pull-request/pull-request-data.ts';
import { discussionsQuery } from '../../../parts/pull-request/threads/discussion-data.ts';
import { AuthorAvatar, AuthorName } from '../author-name.tsx';
import { hunkSearch } from '../comparison/compared-heads.ts';
import { useDiscussionKeys } from '../files/use-discussion-keys.ts';
import { SendingNote } from '../sending-note.tsx';
import { DeletedPlace, useMayDelete } from '../threads/delete-comment.tsx';
import { DiscussionCard } from '../threads/discussion-card.tsx';
import { DiscussionComment } from '../threads/discussion-comment.tsx';
import { useDiscussionActions } from '../threads/use-discussion-actions.ts';
import { scrollToDiscussion } from './scroll-to-discussion.ts';
import { type Entry, timelineOf } from './timeline.ts';
import { TimelineLine } from './timeline-line.tsx';

interface ConversationViewProps {
  pullRequest: PullRequest;
  search: PullRequestSearch;
  onSearch(search: PullRequestSearch): void;
}

const NONE: never[] = [];
/** The longest readable line. */
const MEASURE = 'max-w-[52rem]';
/** With more entries, older ones are shown on request. */
const SHOWN_AT_FIRST = 100;

export function ConversationView({ pullRequest, search, onSearch }: ConversationViewProps) {
  const discussions = useQuery(discussionsQuery(pullRequest.id)).data?.discussions ?? NONE;
  const actions = useDiscussionActions(pullRequest);
  const [active, setActive] = useState(search.discussion);
  const [focused, setFocused] = useState(search.discussion);
  const [showsAll, setShowsAll] = useState(false);
  const [quote, setQuote] = useState<{ text: string; number: number }>();
  const mayComment = pullRequest.allowedActions.includes('comment');
  const entries = useMemo(() => timelineOf(pullRequest, discussions), [pullRequest, discussions]);
  const hidden = showsAll || active ? 0 : Math.max(0, entries.length - SHOWN_AT_FIRST);
  const openOnes = entries.flatMap((entry) =>
    entry.kind === 'discussion' && entry.discussion.status === 'open' ? entry.discussion.id : [],
  );
  const step = (by: 1 | -1) => {
    const count = openOnes.length;
    if (count === 0) return false;
    const at = openOnes.indexOf(active ?? '');
    const next = openOnes[at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count]!;
    setActive(next);
    setFocused(next);
    scrollToDiscussion(next);
    return true;
  };
  useDiscussionKeys({ active: discussions.find(({ id }) => id === active), actions, onStep: step });
  return (
    <div className="grid w-full grid-cols-1 gap-4">
      <Description pullRequest={pullRequest} />
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setShowsAll(true)}
          className="justify-self-start rounded text-sm font-medium text-accent hover:underline"
        >
          Show {hidden} earlier entries
        </button>
      )}
      <ol aria-label="Conversation" className="grid grid-cols-1 gap-4">
        {entries.slice(hidden).map((entry) => (
          <li key={entry.key}>
            {entry.kind === 'discussion' ? (
              <DiscussionCard
                discussion={entry.discussion}
                actions={actions}
                hasCode
                isActive={active === entry.discussion.id}
                takesFocus={focused === entry.discussion.id}
                onFocused={() => {
                  setFocused(undefined);
                  scrollToDiscussion(entry.discussion.id);
                }}
                onActivate={setActive}
                onShowHunk={(commit, path) => onSearch(hunkSearch(pullRequest, commit, path))}
              />
            ) : (
              <PlainEntry
                entry={entry}
                pullRequest={pullRequest}
                onQuote={
                  mayComment
                    ? (text) => setQuote((before) => ({ text, number: (before?.number ?? 0) + 1 }))
                    : undefined
                }
              />
            )}
          </li>
        ))}
      </ol>
      {mayComment && <NewComment pullRequest={pullRequest} quote={quote} />}
    </div>
  );
}

function Description({ pullRequest }: { pullRequest: PullRequest }) {
  const { allowedActions, author, createdAt, description, id } = pullRequest;
  const client = useQueryClient();
  const showPullRequest = useShowPullRequest();
  return (
    <section aria-label="Description" className="rounded-xl border border-line bg-raised">
      <div className="flex items-center gap-2 border-b border-line px-4 py-2 text-sm">
        <AuthorAvatar author={author} size="small" />
        <AuthorName author={author} />
        <span className="text-xs text-quiet">
          <Time at={createdAt} />
        </span>
      </div>
      <div className={`px-4 py-3 ${MEASURE}`}>
        {description.trim() === '' ? (
          <p className="text-sm text-quiet">No description.</p>
        ) : (
          <Tickable
            content={description}
            save={
              allowedActions.includes('edit')
                ? async ({ after, before }) => {
                    const change = { description: after, expectedDescription: before };
                    try {
                      showPullRequest(await call('change-pull-request', { pullRequestId: id, ...change }));
                    } finally {
                      // After a conflict, what the others wrote.
                      void client.invalidateQueries(pullRequestQuery(id));
                    }
                  }
                : undefined
            }
          >
            {(content) => <MarkdownView content={content} />}
          </Tickable>
        )}
      </div>
    </section>
  );
}

const VERDICTS = {
  approved: { icon: CircleCheck, look: 'text-good', text: 'approved' },
  changes_requested: { icon: FileWarning, look: 'text-danger', text: 'requested changes' },
  commented: { icon: MessageSquare, look: 'text-quiet', text: 'reviewed' },
};

function PlainEntry(props: {
  entry: Exclude<Entry, { kind: 'discussion' }>;
  pullRequest: PullRequest;
  onQuote: ((quote: string) => void) | undefined;
}) {
  const { entry, onQuote, pullRequest } = props;
  const { id: pullRequestId } = pullRequest;
  const mayDelete = useMayDelete(pullRequest);
  const showPullRequest = useShowPullRequest();
  if (entry.kind === 'deleted') return <DeletedPlace deleted={entry.deleted} />;
  if (entry.kind === 'comment')
    return (
      <div className="rounded-xl border border-line bg-raised p-3">
        <DiscussionComment
          comment={entry.comment}
          pullRequestId={pullRequestId}
          mayReact={onQuote !== undefined}
          deletes={mayDelete(entry.comment) ? 'one' : undefined}
          onEdit={
            onQuote &&
            (async (body, expectedBody) =>
              showPullRequest(
                await call('edit-comment', {
                  ...{ pullRequestId, commentId: entry.comment.id, body },
                  ...(expectedBody !== undefined && { expectedBody }),
                }),
              ))
          }
          onQuote={onQuote}
        />
      </div>
    );
  if (entry.kind === 'push' || entry.kind === 'line')
    return <TimelineLine entry={entry} pullRequestId={pullRequestId} />;
  const { author, commit, dismissalReason, dismissedAt, dismissedBy, note, sending, verdict } = entry.verdict;
  const { icon: Icon, look, text } = VERDICTS[verdict];
  return (
    <div className="grid grid-cols-1 gap-2 rounded-xl border border-line bg-raised p-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <Icon className={`size-4 ${look}`} aria-hidden="true" />
        <AuthorName author={author} />
        <span className={dismissedAt === null ? '' : 'line-through'}>{text}</span>
        {commit && <code className="font-mono text-xs text-quiet">{shortCommit(commit)}</code>}
        <span className="flex items-center gap-x-2 text-xs text-quiet">
          <Time at={entry.at} />
          {dismissedAt !== null &&
            dismissalReason === null &&
            (pullRequest.origin === 'git' ? 'withdrawn with a later comment' : 'dismissed')}
          <SendingNote sending={sending} />
        </span>
      </p>
      {note && (
        <div className={MEASURE}>
          <MarkdownText content={note} />
        </div>
      )}
      {dismissedAt !== null && dismissalReason !== null && (
        <p className={`text-[0.8125rem] text-quiet wrap-anywhere ${MEASURE}`}>
          Dismissed by <span className="font-medium text-text">{dismissedBy}</span> <Time at={dismissedAt} />:{' '}
          {dismissalReason}
        </p>
      )}
    </div>
  );
}

function NewComment(props: {
  pullRequest: PullRequest;
  quote: { text: string; number: number } | undefined;
}) {
  const { pullRequest, quote } = props;
  const showPullRequest = useShowPullRequest();
  const { id } = pullRequest;
  return (
    <section aria-label="Add a comment" className="rounded-xl border border-line bg-raised p-3">
      <Composer
        draft={`${id}:general`}
        label="Comment on the pull request"
        placeholder="Comment on the pull request as a whole"
        action="Comment"
        autoFocus={false}
        added={quote}
        preview={(text) => <MarkdownText content={text} />}
        onSend={async (body, key) =>
          showPullRequest(
            await call('comment-on-pull-request', { pullRequestId: id, body }, { idempotencyKey: key }),
          )
        }
      />
    </section>
  );
}
