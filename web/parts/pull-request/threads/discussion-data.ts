/** The discussions of a pull request. */
import { type QueryClient, queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import type { CallOutput } from '../../../api/client.ts';
import { operationQuery } from '../../../api/queries.ts';
import type { PullRequest } from '../pull-request-data.ts';

type Discussions = Omit<CallOutput<'list-discussions'>, 'discussions'> & { discussions: Discussion[] };
export type Discussion = CallOutput<'list-discussions'>['discussions'][number] & {
  /** Its places at earlier heads that this page was told before, oldest first: the service names only that at the newest head. */
  seen?: readonly Position[];
};
export type Position = NonNullable<CallOutput<'list-discussions'>['discussions'][number]['position']>;
export type DiscussionComment = Discussion['comments'][number];
export type DiscussionStatus = Discussion['status'];

export const discussionsQuery = (pullRequestId: string) =>
  queryOptions({
    ...operationQuery('list-discussions', { pullRequestId }),
    staleTime: 60_000,
    structuralSharing: (before, now) =>
      replaceEqualDeep(before, withSeen(before as Discussions | undefined, now as Discussions)),
  });

/** Heads that somebody may still look at after pushes. */
const MAX_SEEN = 20;

function withSeen(before: Discussions | undefined, now: Discussions): Discussions {
  const earlier = new Map(before?.discussions.map((each) => [each.id, each]));
  const remember = (discussion: Discussion): Discussion => {
    const { position, seen = [] } = earlier.get(discussion.id) ?? {};
    if (!position || position.commit === discussion.position?.commit) return { ...discussion, seen };
    return {
      ...discussion,
      seen: [...seen.filter(({ commit }) => commit !== position.commit), position].slice(-MAX_SEEN),
    };
  };
  return { ...now, discussions: now.discussions.map(remember) };
}

/** How long after a push the page asks again where discussions are: their places come without an event. */
const PLACES_WITHIN_MS = 120_000;
const ASK_AGAIN_MS = 1500;

/** For a page that shows discussions between lines: asks again until all places at the newest head are known. */
export const untilPlaced =
  ({ heads }: Pick<PullRequest, 'heads'>) =>
  ({ state: { data } }: { state: { data?: CallOutput<'list-discussions'> } }): number | false => {
    const newest = heads.at(-1);
    const isMissing = data?.discussions.some(
      ({ commit, position }) => position === null && commit !== newest?.commit,
    );
    const isRecent = Date.now() - Date.parse(newest?.seenAt ?? '') < PLACES_WITHIN_MS;
    return isMissing && isRecent ? ASK_AGAIN_MS : false;
  };

/** Shows a new or changed discussion before its event arrives. */
export function showDiscussion(client: QueryClient, pullRequestId: string, changed: Discussion): void {
  client.setQueryData(discussionsQuery(pullRequestId).queryKey, (before) => {
    if (!before) return before;
    const isKnown = before.discussions.some(({ id }) => id === changed.id);
    return {
      ...before,
      discussions: isKnown
        ? before.discussions.map((each) => (each.id === changed.id ? changed : each))
        : [...before.discussions, changed],
    };
  });
}

/** Judged as possibly answered by the code: a person confirms it. */
export function isMaybe({ judgement, status }: Discussion): boolean {
  return status === 'open' && judgement?.verdict === 'maybe';
}
