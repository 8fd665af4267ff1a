/** Keeps the page up to date: each event refetches only what it changed. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSession } from '../../api/queries.ts';
import { activityQuery, type Plan, type PlanEvent, refetchPlan } from './plan-data.ts';
import { createCommentRefresher } from './threads/thread-data.ts';
import { usePlanEvents } from './use-plan-events.ts';

export interface LivePlan {
  connection: 'live' | 'waiting';
  /** Set when it was deleted while it was open. */
  deleted: PlanEvent | undefined;
  /** Another person's latest action, for screen readers. */
  news: string;
}

export function useLivePlan({ lastEvent, seriesId }: Plan): LivePlan {
  const client = useQueryClient();
  const { user } = useSession();
  const [deleted, setDeleted] = useState<PlanEvent>();
  const [news, setNews] = useState('');
  const refreshComments = useMemo(() => createCommentRefresher(client, seriesId), [client, seriesId]);
  const connection = usePlanEvents(seriesId, lastEvent, (event) => {
    const { actor, data, kind } = event;
    if (data.to === 'deleted' && kind === 'status_changed') {
      setDeleted(event);
      return;
    }
    if (actor.id !== user.id) setNews(newsOf(event));
    const comments = commentsOf(event);
    if (comments.length === 0) refetchPlan(client, seriesId);
    else {
      refreshComments(comments);
      void client.invalidateQueries({ queryKey: activityQuery(seriesId).queryKey });
    }
  });
  return { connection, deleted, news };
}

function commentsOf({ data }: PlanEvent): string[] {
  const { commentId, commentIds } = data as { commentId?: string; commentIds?: string[] };
  return commentId === undefined ? (commentIds ?? []) : [commentId];
}

function newsOf({ actor, data, kind }: PlanEvent): string {
  const who = actor.name ?? 'Someone';
  if (kind === 'comment_added') return data.parentId ? `${who} replied.` : `${who} commented.`;
  if (kind === 'version_added') return `${who} posted version ${data.version}.`;
  if (kind === 'approved') return `${who} approved the plan.`;
  if (kind === 'changes_requested') return `${who} requested changes.`;
  return '';
}
