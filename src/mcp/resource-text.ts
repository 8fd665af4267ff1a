/** Plans and comments as text: what people and agents wrote stands in fences, all else is ours. */
import { bytesFor, TOKEN_LIMITS } from './budget.ts';
import { createFences, type Fences } from './fence.ts';

/** What is used of a plan. */
export interface ReadPlan {
  seriesId: string;
  title: string;
  status: string;
  version: number;
  content: string;
  url: string;
  createdBy: { name: string };
}

/** What is used of comments with their places. */
export interface ReadThreads {
  comments: {
    id: string;
    threadId: string;
    body: string;
    author: { name: string };
    version: number;
    createdAt: string;
    triageState: string | null;
    quote: string | null;
    addressed: { version: number } | null;
  }[];
  /** Whether there are no more comments than these. */
  isWhole: boolean;
}

type ReadComment = ReadThreads['comments'][number];

export function writePlan(plan: ReadPlan): string {
  const fences = createFences([plan.content]);
  const facts = { title: plan.title, author: plan.createdBy.name, version: plan.version };
  return [
    `Plan ${plan.seriesId}: version ${plan.version}, ${plan.status}. ${plan.url}`,
    fences.notice,
    fences.around('plan', facts, plan.content),
  ].join('\n\n');
}

/** Thread by thread, the oldest first; as many whole threads as the largest budget of a tool allows. */
export function writeComments({ comments, isWhole }: ReadThreads): string {
  const fences = createFences(comments.flatMap(({ body, quote }) => [body, quote ?? '']));
  const threads = [...Map.groupBy(comments, ({ threadId }) => threadId).values()];
  const written: string[] = [];
  let bytes = 0;
  for (const thread of threads) {
    const text = writeThread(thread, fences);
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

function writeThread(thread: ReadComment[], fences: Fences): string {
  const [first] = thread as [ReadComment];
  const state = [
    `triage: ${first.triageState ?? 'none'}`,
    ...(first.addressed ? [`its words were changed in version ${first.addressed.version}`] : []),
  ].join('; ');
  return [
    `Thread ${first.threadId} on version ${first.version}; ${state}`,
    ...(first.quote === null ? [] : [fences.around('quote', {}, first.quote)]),
    ...thread.map((comment) =>
      fences.around(
        'comment',
        { commentId: comment.id, author: comment.author.name, at: comment.createdAt },
        comment.body,
      ),
    ),
  ].join('\n');
}
