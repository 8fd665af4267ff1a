/** The events of the conversation as sentences. Pure. */
import { type PullRequest, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import { describeEvent } from '../activity/describe-event.ts';

export type TimelineEvent = PullRequest['timeline'][number];
type Facts = Pick<PullRequest, 'baseBranch' | 'merge' | 'origin'>;

export interface Line {
  icon: 'merged' | 'closed' | 'reopened' | 'draft' | 'asked' | 'pushed' | 'reverted' | 'other';
  /** Null: nobody is known who did it, and the text is a sentence of its own. */
  who: string | null;
  text: string;
  /** A commit that ends the sentence. */
  commit?: string;
  /** Why the merge rule was bypassed. */
  bypassReason?: string;
}

interface Data {
  author?: string;
  commit?: string;
  fields?: string[];
  forced?: boolean;
  from?: string | null;
  headCommit?: string;
  mergeId?: string;
  reason?: string;
  suggestions?: number;
  to?: string | null;
  updatedWith?: string;
  asOwners?: boolean;
}

/** Undefined for edits of the texts, which the conversation leaves out. */
export function describeTimelineEvent(event: TimelineEvent, facts: Facts): Line | undefined {
  const { actor, kind, names } = event;
  const data = event.data as Data;
  const who = actor.name;
  switch (kind) {
    case 'pull_request_pushed':
      return describePush(who ?? data.author ?? null, data);
    case 'pull_request_state_changed':
      return describeState(event, facts);
    case 'pull_request_review_requested': {
      const from = new Intl.ListFormat('en').format(names);
      if (who === null) {
        const as = data.asOwners ? ` as code owner${names.length === 1 ? '' : 's'}` : '';
        return { icon: 'asked', who, text: `A review was requested from ${from}${as}` };
      }
      return { icon: 'asked', who, text: `requested a review from ${from}` };
    }
    case 'pull_request_edited':
      if (!data.fields?.includes('base')) return undefined;
      return { icon: 'other', who, text: `changed the base branch from ${data.from} to ${data.to}` };
    default: {
      const icon = kind === 'pull_request_merge_failed' ? 'closed' : 'other';
      return { icon, who: who ?? 'Countersign', text: describeEvent(event, () => 'someone').text };
    }
  }
}

export function describePush(who: string | null, data: Data): Line {
  const { forced, from, headCommit, suggestions, updatedWith } = data;
  const commit = headCommit && { commit: headCommit };
  if (suggestions) {
    const what = suggestions === 1 ? 'a suggestion' : `${suggestions} suggestions`;
    return { icon: 'pushed', who, text: `applied ${what} in`, ...commit };
  }
  if (updatedWith && who !== null)
    return { icon: 'pushed', who, text: `updated the branch with ${updatedWith} in`, ...commit };
  const before = forced && from ? ` over ${shortCommit(from)}:` : '';
  const verb = `${forced ? 'force-pushed' : 'pushed'}${before}`;
  return {
    icon: 'pushed',
    who,
    text: who === null ? verb[0]!.toUpperCase() + verb.slice(1) : verb,
    ...commit,
  };
}

const METHODS = { merge: 'merged', squash: 'squashed and merged', rebase: 'rebased and merged' };

/** Merged and closed by what happened to the branches, which nobody here did. */
const NOTICED: Record<string, string> = {
  contained: 'Merged with git, outside Countersign',
  squashed: 'Squashed and merged with git, outside Countersign, as',
  rebased: 'Rebased and merged with git, outside Countersign',
  head_deleted: 'Closed: the head branch was deleted',
  base_deleted: 'Closed: the base branch was deleted',
  no_changes: 'Closed: the base branch has all of its changes already',
};

function describeState(event: TimelineEvent, { baseBranch, merge, origin }: Facts): Line {
  const { commit, from, mergeId, reason, to } = event.data as Data;
  const who = event.actor.name;
  const withCommit = commit && { commit };
  if (to === 'merged' && merge?.state === 'merged' && merge.id === mergeId)
    return describeMerge(merge, baseBranch);
  const icon = to === 'merged' || to === 'closed' || to === 'draft' ? to : 'reopened';
  const noticed = reason && NOTICED[reason];
  if (noticed) return { icon, who: null, text: noticed, ...withCommit };
  if (to === 'merged' && withCommit)
    return { icon, who, text: `merged this into ${baseBranch} as`, ...withCommit };
  const words = STATES[to === 'open' && from === 'draft' ? 'ready' : (to ?? 'open')]!;
  if (who !== null) return { icon, who, text: words.did };
  return { icon, who, text: `${words.was}${origin === 'host' ? ' on the code host' : ''}` };
}

const STATES: Partial<Record<string, { did: string; was: string }>> = {
  merged: { did: 'merged this', was: 'Merged' },
  closed: { did: 'closed this', was: 'Closed' },
  draft: { did: 'converted this to a draft', was: 'Converted to a draft' },
  ready: { did: 'marked this as ready for review', was: 'Marked as ready for review' },
  open: { did: 'reopened this', was: 'Reopened' },
};

export function describeMerge(merge: NonNullable<PullRequest['merge']>, baseBranch: string): Line {
  const { bypassReason, bypassed, commit, method, person } = merge;
  return {
    icon: 'merged',
    who: person.name,
    text: `${METHODS[method]} this into ${baseBranch} as`,
    commit,
    ...(bypassed.length > 0 && bypassReason !== null && { bypassReason }),
  };
}
