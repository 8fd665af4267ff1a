/** Plans and comments as text: what people and agents wrote is inside fences, everything else is ours. */
import type { Operations } from '../../../operation-types.ts';
import { groupThreads } from '../plans/comment-groups.ts';
import type { ReadThreads } from '../plans/read-threads.ts';
import { fencesFor, writeThread } from '../plans/thread-text.ts';
import { bytesFor, fillPage, TOKEN_LIMITS } from '../text/budget.ts';
import { createFences } from '../text/fence.ts';

/** The plan, cut at the largest budget of a tool. */
export function writePlan(plan: Operations['get-plan']['output']): string {
  const fences = createFences([plan.content]);
  const write = (content: string) =>
    [
      `Plan ${plan.seriesId}: version ${plan.version}, ${plan.status}. ${plan.url}`,
      fences.notice,
      `Title: ${fences.name(plan.title)}\nAuthor: ${fences.name(plan.createdBy.name)}`,
      fences.around('plan', content, { version: plan.version }),
      ...(content.length < plan.content.length
        ? [
            `The plan is cut: ${content.length} of ${plan.content.length} characters. To read all of it, call get_plan with planId ${plan.seriesId}, then with each \`nextCursor\` as \`cursor\`.`,
          ]
        : []),
    ].join('\n\n');
  const pieces = [{ key: 'content', text: plan.content }];
  const { parts } = fillPage(pieces, null, bytesFor(TOKEN_LIMITS.max), ([part]) =>
    Buffer.byteLength(write(part?.text ?? '')),
  );
  return write(parts[0]!.text);
}

/** The threads in the tool's order; as many whole threads as fit into the largest budget of a tool. */
export function writeComments({ comments, isComplete, mutedThreadIds }: ReadThreads): string {
  const fences = fencesFor(comments);
  const threads = groupThreads(comments, mutedThreadIds);
  const written: string[] = [];
  let bytes = 0;
  for (const thread of threads) {
    const members = thread.comments.map((comment) => ({ comment, text: comment.body }));
    const text = writeThread(thread, members, fences);
    bytes += Buffer.byteLength(text);
    if (bytes > bytesFor(TOKEN_LIMITS.max)) break;
    written.push(text);
  }
  const isCut = !isComplete || written.length < threads.length;
  return [
    threads.length === 0 ? 'There are no comments.' : fences.notice,
    ...written,
    ...(isCut ? ['There are more comments: read them in pages with get_plan_comments.'] : []),
  ].join('\n\n');
}
