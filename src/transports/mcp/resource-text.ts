/** Plans and comments as text: what people and agents wrote stands in fences, all else is ours. */
import type { Operations } from '../../operation-types.ts';
import { bytesFor, fillPage, TOKEN_LIMITS } from './budget.ts';
import { groupThreads } from './comment-groups.ts';
import { createFences } from './fence.ts';
import type { ReadThreads } from './read-threads.ts';
import { fencesFor, writeThread } from './thread-text.ts';

/** The plan, or as much of its beginning as the largest budget of a tool allows. */
export function writePlan(plan: Operations['get-plan']['output']): string {
  const fences = createFences([plan.content]);
  const facts = { title: plan.title, author: plan.createdBy.name, version: plan.version };
  const write = (content: string) =>
    [
      `Plan ${plan.seriesId}: version ${plan.version}, ${plan.status}. ${plan.url}`,
      fences.notice,
      fences.around('plan', facts, content),
      ...(content.length < plan.content.length
        ? [
            `This is the plan up to ${content.length} of ${plan.content.length}. get_plan reads all of it in pages: call it with planId ${plan.seriesId}, then with each \`nextCursor\` as \`cursor\`.`,
          ]
        : []),
    ].join('\n\n');
  const pieces = [{ key: 'content', text: plan.content }];
  const { parts } = fillPage(pieces, null, bytesFor(TOKEN_LIMITS.most), ([part]) =>
    Buffer.byteLength(write(part?.text ?? '')),
  );
  return write(parts[0]!.text);
}

/** Thread by thread, as the tool sorts them; as many whole threads as the largest budget of a tool allows. */
export function writeComments({ comments, isWhole, mutedThreadIds }: ReadThreads): string {
  const fences = fencesFor(comments);
  const threads = groupThreads(comments, mutedThreadIds);
  const written: string[] = [];
  let bytes = 0;
  for (const thread of threads) {
    const members = thread.comments.map((comment) => ({ comment, text: comment.body }));
    const text = writeThread(thread, members, fences);
    bytes += Buffer.byteLength(text);
    if (bytes > bytesFor(TOKEN_LIMITS.most)) break;
    written.push(text);
  }
  const isCut = !isWhole || written.length < threads.length;
  return [
    threads.length === 0 ? 'There are no comments.' : fences.notice,
    ...written,
    ...(isCut ? ['There are more comments: get_plan_comments reads them in pages.'] : []),
  ].join('\n\n');
}
