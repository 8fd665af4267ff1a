/** The review of a branch as text: what people and agents wrote, and code, is inside fences. */

import { excerpt } from '../plans/thread-text.ts';
import { bytesFor, TOKEN_LIMITS } from '../text/budget.ts';
import { createFences, type Fences } from '../text/fence.ts';
import { type BranchReview, type Discussion, NO_PULL_REQUEST, pullRequestUrl } from './branch-review.ts';

type Comment = Omit<Discussion['comments'][number], 'appliedSuggestions'>;

/** As many whole discussions and comments as fit into the largest budget of a tool. */
export function writeBranchReview(review: BranchReview, baseUrl: string): string {
  const { discussions, pullRequest } = review;
  if (!pullRequest) return NO_PULL_REQUEST;
  const { conversation, headCommit, number, state, title, url } = pullRequest;
  const verdicts = pullRequest.verdicts.filter(({ dismissedAt }) => dismissedAt === null);
  const fences = createFences(textsIn(review));
  const parts = [
    ...verdicts.map(({ author, note, verdict }) =>
      [`Verdict of ${fences.name(author.name)}: ${verdict}.`, ...fenced(fences, 'note', note ?? '')].join(
        '\n',
      ),
    ),
    ...discussions.map((discussion) => writeDiscussion(discussion, fences)),
    ...(conversation.length > 0 ? ['Comments on no particular file:'] : []),
    ...conversation.map((comment) => writeComment(comment, fences)),
  ];
  const shown = thatFit(parts);
  return [
    `Pull request #${number}: ${state}, ${pullRequest.openDiscussions} open of ${pullRequest.discussions} discussions.${url === null ? ` ${pullRequestUrl(baseUrl, pullRequest)}` : ''}`,
    ...(headCommit === null ? [] : [`Newest commit: ${headCommit}.`]),
    fences.notice,
    // Written by the code host.
    ...(url === null ? [] : [fences.around('url', url)]),
    fences.around('title', title),
    ...shown,
    ...(shown.length < parts.length ? ['There is more: read it in pages with get_branch_discussions.'] : []),
  ].join('\n\n');
}

function thatFit(parts: string[]): string[] {
  let bytes = 0;
  const firstBeyond = parts.findIndex((part) => {
    bytes += Buffer.byteLength(part) + 2;
    return bytes > bytesFor(TOKEN_LIMITS.max);
  });
  return firstBeyond < 0 ? parts : parts.slice(0, firstBeyond);
}

function writeDiscussion(discussion: Discussion, fences: Fences): string {
  const { commit, endLine, file, judgement, position, side, startLine } = discussion;
  const where = startLine === 0 ? 'the whole file' : `lines ${startLine} to ${endLine}`;
  return [
    `Discussion ${discussion.id} (${discussion.status}), on ${where}${side === 'old' ? ' (removed)' : ''}${commit ? ` at commit ${commit}` : ''} of:`,
    fences.around('file', file),
    ...fenced(fences, 'code', discussion.commentedCode),
    ...(position
      ? [
          `At the newest commit: ${position.outcome}, lines ${position.startLine} to ${position.endLine} of:`,
          fences.around('file', position.file),
        ]
      : []),
    ...(judgement
      ? [
          `Whether commit ${judgement.commit} answers it: ${judgement.verdict}.`,
          fences.around('reason', excerpt(judgement.reason)),
        ]
      : []),
    ...discussion.comments.map((comment) => writeComment(comment, fences)),
  ].join('\n');
}

function writeComment({ author, body, createdAt, id }: Omit<Comment, 'fixedIn'>, fences: Fences): string {
  return `Comment ${id} by ${fences.name(author.name)} (${author.kind}) at ${createdAt}:\n${fences.around('comment', body)}`;
}

function fenced(fences: Fences, kind: string, text: string): string[] {
  return text === '' ? [] : [fences.around(kind, text)];
}

function textsIn({ discussions, pullRequest }: BranchReview): string[] {
  return [
    pullRequest?.title ?? '',
    pullRequest?.url ?? '',
    ...(pullRequest?.verdicts ?? []).map(({ note }) => note ?? ''),
    ...(pullRequest?.conversation ?? []).map(({ body }) => body),
    ...discussions.flatMap(({ commentedCode, comments, file, judgement, position }) => [
      file,
      commentedCode,
      position?.file ?? '',
      judgement?.reason ?? '',
      ...comments.map(({ body }) => body),
    ]),
  ];
}
