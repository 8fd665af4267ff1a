/** Reactions to a comment: a button for each emoji that somebody used, and a menu of all of them. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { SmilePlus } from 'lucide-react';
import { call } from '../../../api/client.ts';
import { useSession } from '../../../api/queries.ts';
import { Menu, MenuItem } from '../../../components/menu.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequestComment, pullRequestQuery } from '../../../parts/pull-request/pull-request-data.ts';
import { discussionsQuery } from '../../../parts/pull-request/threads/discussion-data.ts';

type Reactions = PullRequestComment['reactions'];
type Reaction = NonNullable<Reactions>[number];

/** In the order of the service. */
const EMOJI: Record<Reaction['reaction'], [emoji: string, name: string]> = {
  '+1': ['👍', 'Thumbs up'],
  '-1': ['👎', 'Thumbs down'],
  laugh: ['😄', 'Laugh'],
  hooray: ['🎉', 'Hooray'],
  confused: ['😕', 'Confused'],
  heart: ['❤️', 'Heart'],
  rocket: ['🚀', 'Rocket'],
  eyes: ['👀', 'Eyes'],
};
const ALL = Object.entries(EMOJI) as [Reaction['reaction'], [string, string]][];

interface ReactionsProps {
  pullRequestId: string;
  comment: Pick<PullRequestComment, 'id' | 'reactions'>;
}

export function ReactionMenu({ className, ...of }: ReactionsProps & { className: string }) {
  const react = useReact(of);
  return (
    <Menu
      trigger={
        <button type="button" aria-label="Add a reaction" title="React" className={className}>
          <SmilePlus className="size-3.5" aria-hidden="true" />
        </button>
      }
    >
      {ALL.map(([reaction, [emoji, name]]) => {
        const isMine = of.comment.reactions?.some((each) => each.reaction === reaction && each.mine) ?? false;
        return (
          <MenuItem
            key={reaction}
            icon={<span aria-hidden="true">{emoji}</span>}
            onSelect={() => void react(reaction, !isMine)}
          >
            {isMine ? `Remove ${name.toLowerCase()}` : name}
          </MenuItem>
        );
      })}
    </Menu>
  );
}

export function ReactionList({ mayReact, ...of }: ReactionsProps & { mayReact: boolean }) {
  const react = useReact(of);
  const { reactions } = of.comment;
  if (!reactions || reactions.length === 0) return null;
  return (
    <ul aria-label="Reactions" className="mt-1.5 flex flex-wrap gap-1.5">
      {reactions.map(({ count, mine, people, reaction }) => {
        const [emoji, name] = EMOJI[reaction];
        const who = `${namesOf(people, count)}: ${name.toLowerCase()}`;
        const text = (
          <>
            <span aria-hidden="true">{emoji}</span>
            <span aria-hidden="true" className="tabular-nums">
              {count}
            </span>
            <span className="sr-only">{who}</span>
          </>
        );
        const look = `inline-flex h-7 items-center gap-1 rounded-full border px-2 text-xs ${mine ? 'border-accent bg-accent-soft text-accent' : 'border-line text-quiet'}`;
        return (
          <li key={reaction}>
            {mayReact ? (
              <button
                type="button"
                aria-pressed={mine}
                title={who}
                onClick={() => void react(reaction, !mine)}
                className={`${look} hover:bg-sunken`}
              >
                {text}
              </button>
            ) : (
              <span title={who} className={look}>
                {text}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function namesOf(people: readonly string[], count: number): string {
  const others = count - people.length;
  return others > 0 ? `${people.join(', ')} and ${others} more` : people.join(', ');
}

/** Shown at once, and corrected by the answer. */
function useReact({ comment: { id: commentId, reactions }, pullRequestId }: ReactionsProps) {
  const client = useQueryClient();
  const toast = useToast();
  const { user } = useSession();
  return async (reaction: Reaction['reaction'], isOn: boolean) => {
    show(client, pullRequestId, commentId, toggled(reactions ?? [], { reaction, isOn, name: user.name }));
    try {
      const answer = await call('react-to-comment', { pullRequestId, commentId, reaction, isOn });
      show(client, pullRequestId, commentId, answer.reactions);
    } catch (error) {
      show(client, pullRequestId, commentId, reactions);
      toast((error as Error).message, 'danger');
    }
  };
}

function toggled(
  before: readonly Reaction[],
  { isOn, name, reaction }: { reaction: Reaction['reaction']; isOn: boolean; name: string },
): Reaction[] {
  const of = new Map(before.map((each) => [each.reaction, each]));
  const { count, people } = of.get(reaction) ?? { count: 0, people: [] };
  of.set(reaction, {
    ...{ reaction, mine: isOn, count: count + (isOn ? 1 : -1) },
    people: isOn ? [...people, name] : people.filter((each) => each !== name),
  });
  return ALL.flatMap(([each]) => of.get(each) ?? []).filter((each) => each.count > 0);
}

function show(client: QueryClient, pullRequestId: string, commentId: string, reactions: Reactions): void {
  const put = <C extends Pick<PullRequestComment, 'id' | 'reactions'>>(comments: C[]): C[] =>
    comments.map((each) => (each.id === commentId ? { ...each, reactions } : each));
  client.setQueryData(
    pullRequestQuery(pullRequestId).queryKey,
    (before) => before && { ...before, conversation: put(before.conversation) },
  );
  client.setQueryData(
    discussionsQuery(pullRequestId).queryKey,
    (before) =>
      before && {
        ...before,
        discussions: before.discussions.map((each) => ({ ...each, comments: put(each.comments) })),
      },
  );
}
