/** Masks tokens in what a code host says: everything that is compared with our rows or stored goes through here. */
import { maskTexts } from '../../../engines/review/index.ts';
import type { HostState } from './find-posted.ts';

/** Changes the texts in place: they were just read. */
export async function maskHostState(state: HostState): Promise<HostState> {
  const { discussion, pullRequest } = state;
  await maskPullRequests([pullRequest]);
  await maskBodies([
    ...pullRequest.verdicts,
    ...discussion.conversation,
    ...discussion.threads.flatMap(({ comments }) => comments),
  ]);
  return state;
}

export async function maskPullRequests(listed: { title: string; body: string }[]): Promise<void> {
  const titles = await maskTexts(listed.map(({ title }) => title));
  for (const [index, pullRequest] of listed.entries()) pullRequest.title = titles[index]!;
  await maskBodies(listed);
}

async function maskBodies(texts: { body: string }[]): Promise<void> {
  const bodies = await maskTexts(texts.map(({ body }) => body));
  for (const [index, text] of texts.entries()) text.body = bodies[index]!;
}
