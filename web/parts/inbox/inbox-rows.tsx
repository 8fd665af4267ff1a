/** Entries of the inbox: who did what on which plan, pull request or code host, an excerpt, and a link to it. */
import { Link } from '@tanstack/react-router';
import {
  AtSign,
  BellOff,
  Binoculars,
  Check,
  CheckCheck,
  CircleCheck,
  CircleSlash,
  Eye,
  FilePlus2,
  GitCommitHorizontal,
  GitMerge,
  GitMergeConflict,
  GitPullRequestClosed,
  KeyRound,
  type LucideIcon,
  MessageSquare,
  MessageSquareReply,
  PencilLine,
  ShieldAlert,
  UserRoundPlus,
} from 'lucide-react';
import { useState } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { IconButton } from '../../components/button.tsx';
import { Time } from '../../components/time.tsx';
import { LIST_ENTRY } from '../../frame/use-list-keys.ts';
import type { PlanSearch, PullRequestSearch } from '../../page-search.ts';

export type InboxItem = CallOutput<'list-inbox'>['items'][number];

interface Kind {
  icon: LucideIcon;
  look: string;
  /** Between the person and the title. */
  says(item: InboxItem): string;
  /** Before the title if nobody is known who did it. */
  byNobody?: string;
}

const KINDS: Record<InboxItem['kind'], Kind> = {
  comment: { icon: MessageSquare, look: 'text-quiet', says: () => 'commented on' },
  reply: { icon: MessageSquareReply, look: 'text-quiet', says: () => 'replied on' },
  mentioned: { icon: AtSign, look: 'text-accent', says: () => 'mentioned you in' },
  assigned: { icon: UserRoundPlus, look: 'text-accent', says: () => 'assigned you to' },
  review_requested: { icon: Eye, look: 'text-accent', says: () => 'requested your review of' },
  team_review_requested: { icon: Eye, look: 'text-accent', says: () => 'requested a review by your team of' },
  approved: { icon: CircleCheck, look: 'text-good', says: (item) => `approved ${versionOf(item)}` },
  changes_requested: {
    icon: PencilLine,
    look: 'text-warn',
    says: (item) => `requested changes to ${versionOf(item)}`,
  },
  new_version: { icon: FilePlus2, look: 'text-accent', says: (item) => `posted ${versionOf(item)}` },
  new_commits: {
    icon: GitCommitHorizontal,
    look: 'text-accent',
    says: () => 'pushed new commits to',
    byNobody: 'New commits were pushed to',
  },
  conflicts: {
    icon: GitMergeConflict,
    look: 'text-danger',
    says: () => 'found conflicts in',
    byNobody: 'Merge conflicts in',
  },
  review_dismissed: {
    icon: CircleSlash,
    look: 'text-warn',
    says: () => 'dismissed your review of',
  },
  leaked_secret: {
    icon: ShieldAlert,
    look: 'text-danger',
    says: () => 'found a leaked secret in',
    byNobody: 'Leaked secret in',
  },
  merged: { icon: GitMerge, look: 'text-good', says: () => 'merged', byNobody: 'Merged:' },
  merge_stopped: {
    icon: GitMergeConflict,
    look: 'text-warn',
    says: () => 'turned off merge when ready of',
    byNobody: 'Merge when ready was turned off:',
  },
  watched: { icon: Binoculars, look: 'text-quiet', says: () => 'opened' },
  team_watched: { icon: Binoculars, look: 'text-quiet', says: () => 'opened, watched by your team:' },
  closed: { icon: GitPullRequestClosed, look: 'text-quiet', says: () => 'closed', byNobody: 'Closed:' },
  credential_refused: {
    icon: KeyRound,
    look: 'text-danger',
    says: () => '',
    byNobody: 'Syncing is paused until the credential is replaced:',
  },
};

/** Before the title. */
function whatHappened(item: InboxItem): string {
  const { actor, findings } = item;
  if (item.kind === 'leaked_secret') return 'Leaked secret in';
  if (findings !== null) return findings === 1 ? '1 finding in' : `${findings} findings in`;
  const { byNobody, says } = KINDS[item.kind];
  return !actor && byNobody ? byNobody : `${actor?.name ?? 'Countersign'} ${says(item)}`;
}

function versionOf({ version }: InboxItem): string {
  return version === null ? '' : `v${version} of`;
}

export function InboxRows({
  groups,
  label,
  onMute,
  onRead,
}: {
  label: string;
  /** Several together are unread entries of one pull request. */
  groups: InboxItem[][];
  onRead(input: ReadInput, isOpened: boolean): void;
  /** Without it, nothing can be muted here. */
  onMute?(pullRequestId: string): void;
}) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised"
    >
      {groups.map((items) =>
        items.length === 1 ? (
          <InboxRow
            key={items[0]!.id}
            item={items[0]!}
            onMute={onMute}
            onRead={(isOpened) => onRead({ itemIds: [items[0]!.id] }, isOpened)}
          />
        ) : (
          <InboxGroup key={items[0]!.id} items={items} onMute={onMute} onRead={onRead} />
        ),
      )}
    </ul>
  );
}

/** One entry, or everything about a pull request. */
export type ReadInput = { itemIds: string[] } | { pullRequestId: string };

const SHOWN_IN_GROUP = 4;

function InboxGroup({
  items,
  onMute,
  onRead,
}: {
  items: InboxItem[];
  onMute?: ((pullRequestId: string) => void) | undefined;
  onRead(input: ReadInput, isOpened: boolean): void;
}) {
  const [isOpen, setOpen] = useState(false);
  const { id, number, repository, title } = items[0]!.pullRequest!;
  const name = `${repository}#${number} ${title}`;
  const shown = isOpen ? items : items.slice(0, SHOWN_IN_GROUP);
  const rest = items.length - shown.length;
  return (
    <li className="px-4 py-2.5">
      <div className="flex gap-3">
        <p className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">
          {name}{' '}
          <span className="rounded-full bg-sunken px-2 py-0.5 text-xs font-medium whitespace-nowrap text-quiet">
            {items.length} unread
          </span>
        </p>
        <div className="flex shrink-0 items-start gap-2">
          {onMute && (
            <span className="-my-1.5 -mr-2 size-9">
              <IconButton name="Mute this pull request" onClick={() => onMute(id)}>
                <BellOff className="size-4" aria-hidden="true" />
              </IconButton>
            </span>
          )}
          <span className="-my-1.5 -mr-2 size-9">
            <IconButton
              name={`Mark all ${items.length} as read`}
              onClick={() => onRead({ pullRequestId: id }, false)}
            >
              <CheckCheck className="size-4" aria-hidden="true" />
            </IconButton>
          </span>
        </div>
      </div>
      <ul aria-label={name} className="mt-1 -mb-1">
        {shown.map((item) => (
          <GroupedItem key={item.id} item={item} onOpen={() => onRead({ itemIds: [item.id] }, true)} />
        ))}
      </ul>
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="mt-1 rounded text-[0.8125rem] text-accent hover:underline"
        >
          Show {rest} more
        </button>
      )}
    </li>
  );
}

function GroupedItem({ item, onOpen }: { item: InboxItem; onOpen(): void }) {
  const { createdAt, excerpt, id, pullRequest } = item;
  const { icon: Icon, look } = KINDS[item.kind];
  const said = whatHappened(item);
  return (
    <li className="relative -mx-4 flex gap-3 px-4 py-1.5 transition-colors hover:bg-sunken">
      <span aria-hidden="true" className="absolute top-[0.85rem] left-1.5 size-1.5 rounded-full bg-accent" />
      <Icon className={`mt-0.5 size-4 shrink-0 ${look}`} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <Link
          to="/pull-requests/$pullRequestId"
          params={{ pullRequestId: pullRequest!.id }}
          search={placeInPullRequest(item)}
          onClick={onOpen}
          onAuxClick={onOpen}
          data-item-id={id}
          {...LIST_ENTRY}
          className={ENTRY_LOOK}
        >
          <span className="sr-only">Unread: </span>
          {said.endsWith(':') ? said.slice(0, -1) : `${said} this`}
        </Link>
        {excerpt && <p className="line-clamp-1 text-[0.8125rem] wrap-anywhere text-quiet">{excerpt}</p>}
      </div>
      <span className="shrink-0 text-[0.8125rem]">
        <Time at={createdAt} />
      </span>
    </li>
  );
}

const ENTRY_LOOK =
  'line-clamp-4 text-sm wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent';

function InboxRow(props: {
  item: InboxItem;
  onMute?: ((pullRequestId: string) => void) | undefined;
  onRead(isOpened: boolean): void;
}) {
  const { item, onMute, onRead } = props;
  const { codeHost, createdAt, excerpt, id, plan, pullRequest, readAt } = item;
  const { icon: Icon, look } = KINDS[item.kind];
  const unread = readAt === null;
  const open = () => unread && onRead(true);
  const entry = {
    onClick: open,
    // A middle click opens it in another tab.
    onAuxClick: open,
    'data-item-id': id,
    ...LIST_ENTRY,
    className: `${ENTRY_LOOK} ${unread ? '' : 'text-quiet'}`,
  };
  const text = (title: string) => (
    <>
      {unread && <span className="sr-only">Unread: </span>}
      {whatHappened(item)} <span className={unread ? 'font-semibold' : 'font-medium'}>{title}</span>
    </>
  );
  return (
    <li className="relative flex gap-3 px-4 py-2.5 transition-colors hover:bg-sunken">
      {unread && (
        <span aria-hidden="true" className="absolute top-[1.1rem] left-1.5 size-1.5 rounded-full bg-accent" />
      )}
      <Icon className={`mt-1 size-4 shrink-0 ${look}`} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        {plan ? (
          <Link to="/plans/$seriesId" params={{ seriesId: plan.seriesId }} search={placeOf(item)} {...entry}>
            {text(plan.title)}
          </Link>
        ) : codeHost ? (
          <Link to="/settings/code-hosts" {...entry}>
            {text(codeHost.name)}
          </Link>
        ) : (
          <Link
            to="/pull-requests/$pullRequestId"
            params={{ pullRequestId: pullRequest!.id }}
            search={placeInPullRequest(item)}
            {...entry}
          >
            {text(`${pullRequest!.repository}#${pullRequest!.number} ${pullRequest!.title}`)}
          </Link>
        )}
        {excerpt && (
          <p className="mt-0.5 line-clamp-2 text-[0.8125rem] wrap-anywhere text-quiet">{excerpt}</p>
        )}
        <p className="mt-0.5 text-[0.8125rem] sm:hidden">
          <Time at={createdAt} />
        </p>
      </div>
      <div className="flex shrink-0 items-start gap-2 text-[0.8125rem]">
        <span className="mt-0.5 max-sm:hidden">
          <Time at={createdAt} />
        </span>
        {onMute && (
          <span className="relative -my-1.5 -mr-2 size-9">
            {pullRequest && (
              <IconButton name="Mute this pull request" onClick={() => onMute(pullRequest.id)}>
                <BellOff className="size-4" aria-hidden="true" />
              </IconButton>
            )}
          </span>
        )}
        <span className="relative -my-1.5 -mr-2 size-9">
          {unread && (
            <IconButton name="Mark as read" onClick={() => onRead(false)}>
              <Check className="size-4" aria-hidden="true" />
            </IconButton>
          )}
        </span>
      </div>
    </li>
  );
}

/** A comment links to its thread, a new version to its changes, everything else to the version it is about. */
function placeOf({ commentId, kind, version }: InboxItem): PlanSearch {
  if (commentId !== null) return { thread: commentId };
  if (version === null) return {};
  return kind === 'new_version' ? { view: 'changes', version } : { version };
}

/** A discussion is shown between the lines, new commits as what they changed. */
function placeInPullRequest({ discussionId, kind }: InboxItem): PullRequestSearch {
  if (discussionId !== null) return { view: 'files', discussion: discussionId };
  return kind === 'new_commits' ? { view: 'files' } : {};
}
