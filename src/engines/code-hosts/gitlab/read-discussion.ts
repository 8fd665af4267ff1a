/** Reads the discussions of a merge request: those on files are threads, the others are the conversation. */
import type { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { MAX_COMMENTS, MAX_THREADS } from '../limits.ts';
import { listAll } from '../pages.ts';
import type { Discussion, Thread } from '../port.ts';
import { withoutSuggestionRange } from './note-text.ts';
import { authorOf, commentOf } from './read.ts';
import { discussionShape, type noteShape, type positionShape } from './shapes.ts';

type Note = z.output<typeof noteShape>;

export async function readDiscussion(client: HostClient, path: string, url: string): Promise<Discussion> {
  const discussion: Discussion = { threads: [], conversation: [], truncated: false };
  let comments = 0;
  const request = { path: `${path}/discussions` };
  for await (const found of listAll({ client, request, shape: discussionShape, what: 'the discussions' })) {
    // GitLab's own notes, such as those about pushes, are nobody's comments.
    const notes = found.notes.filter(({ system }) => !system);
    const [first] = notes;
    if (!first) continue;
    comments += notes.length;
    if (comments > MAX_COMMENTS || discussion.threads.length === MAX_THREADS)
      return { ...discussion, truncated: true };
    if (first.position) discussion.threads.push(threadOf(found.id, first.position, notes, url));
    else discussion.conversation.push(...notes.map((note) => commentOf(note, 'conversation', url)));
  }
  discussion.conversation.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  return discussion;
}

function threadOf(id: string, position: z.output<typeof positionShape>, notes: Note[], url: string): Thread {
  const [first] = notes;
  const side = position.new_line || !position.old_line ? 'new' : 'old';
  const file =
    side === 'old' ? (position.old_path ?? position.new_path) : (position.new_path ?? position.old_path);
  const lines = linesOf(position, side);
  return {
    id,
    file: file ?? '',
    side,
    ...lines,
    commit: position.head_sha || null,
    resolved: first!.resolved ?? false,
    resolvedBy: first!.resolved ? authorOf(first!.resolved_by) : null,
    resolvedAt: first!.resolved ? (first!.resolved_at ?? null) : null,
    comments: notes.map((note) => {
      const comment = commentOf(note, 'thread', url);
      return { ...comment, body: withoutSuggestionRange(comment.body, lines) };
    }),
  };
}

/** Comments on files and on places in images have no lines. */
function linesOf(
  { line_range, new_line, old_line, position_type }: z.output<typeof positionShape>,
  side: 'new' | 'old',
): { startLine: number; endLine: number } {
  const endLine = side === 'new' ? new_line : old_line;
  if (position_type !== 'text' || !endLine) return { startLine: 0, endLine: 0 };
  const start = side === 'new' ? line_range?.start?.new_line : line_range?.start?.old_line;
  return { startLine: Math.min(start || endLine, endLine), endLine };
}
