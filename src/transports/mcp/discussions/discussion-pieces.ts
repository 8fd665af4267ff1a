/** Splits the review of a pull request into pieces for pages, and shows the pieces of one page. */

import { excerpt } from '../plans/thread-text.ts';
import type { Part, Piece } from '../text/budget.ts';
import { plainName } from '../text/fence.ts';
import { visible } from '../text/visible-text.ts';
import type { BranchReview, Discussion, PullRequest } from './branch-review.ts';
import type { ShownComment, ShownDiscussion, ShownVerdict } from './discussion-shapes.ts';

type Comment = PullRequest['conversation'][number] & { fixedIn?: string | null };
type Verdict = PullRequest['verdicts'][number];

/** A note, the code of a discussion, or a comment: each with what it belongs to. */
export type ReviewPiece = Piece &
  (
    | { kind: 'verdict'; verdict: Verdict }
    | { kind: 'code'; discussion: Discussion }
    | { kind: 'reply'; discussion: Discussion; comment: Comment }
    | { kind: 'conversation'; comment: Comment }
  );

/** Verdicts, then each discussion with its code and comments, then the general conversation. */
export function piecesOf({ discussions, pullRequest }: BranchReview): ReviewPiece[] {
  if (!pullRequest) return [];
  const { conversation, verdicts } = pullRequest;
  return [
    ...verdicts
      .filter(({ dismissedAt }) => dismissedAt === null)
      .map((verdict): ReviewPiece => {
        return { kind: 'verdict', key: verdict.id, text: visible(verdict.note ?? ''), verdict };
      }),
    ...discussions.flatMap((discussion): ReviewPiece[] => [
      { kind: 'code', key: discussion.id, text: visible(discussion.commentedCode), discussion },
      ...discussion.comments.map((comment): ReviewPiece => {
        return { kind: 'reply', key: comment.id, text: visible(comment.body), discussion, comment };
      }),
    ]),
    ...conversation.map((comment): ReviewPiece => {
      return { kind: 'conversation', key: comment.id, text: visible(comment.body), comment };
    }),
  ];
}

type Shown<Kind extends ReviewPiece['kind']> = Part<Extract<ReviewPiece, { kind: Kind }>>;

export function presentParts(parts: readonly Part<ReviewPiece>[]): {
  verdicts: ShownVerdict[];
  discussions: ShownDiscussion[];
  conversation: ShownComment[];
} {
  const partsOf = <Kind extends ReviewPiece['kind']>(kind: Kind) =>
    parts.filter(({ piece }) => piece.kind === kind) as unknown as Shown<Kind>[];
  const discussed = parts.filter(({ piece }) => 'discussion' in piece) as unknown as Shown<
    'code' | 'reply'
  >[];
  // In the order of the pieces. A discussion's code and its comments can be on different pages.
  const discussions = Map.groupBy(discussed, ({ piece }) => piece.discussion);
  return {
    verdicts: partsOf('verdict').map(presentVerdict),
    discussions: [...discussions].map(([discussion, members]) => presentDiscussion(discussion, members)),
    conversation: partsOf('conversation').map(presentComment),
  };
}

function presentDiscussion(discussion: Discussion, members: Shown<'code' | 'reply'>[]): ShownDiscussion {
  const code = members.find(({ piece }) => piece.kind === 'code');
  return {
    ...factsOf(discussion),
    commentedCode: code?.text,
    codeIsCut: (code && code.text.length < code.piece.text.length) || undefined,
    comments: members
      .filter((member) => member !== code)
      .map((member) => presentComment(member as Shown<'reply'>)),
  };
}

function factsOf(discussion: Discussion): Omit<ShownDiscussion, 'commentedCode' | 'codeIsCut' | 'comments'> {
  const { commit, endLine, judgement, position, side, startLine, statusBy, statusReason } = discussion;
  return {
    discussionId: discussion.id,
    status: discussion.status,
    statusCause: discussion.statusCause,
    statusBy: statusBy === null ? undefined : plainName(statusBy),
    statusReason: statusReason ? excerpt(statusReason) : undefined,
    lastCommentBy: discussion.comments.at(-1)?.author.kind,
    now: position
      ? {
          outcome: position.outcome,
          file: visible(position.file),
          startLine: position.startLine,
          endLine: position.endLine,
        }
      : undefined,
    judgement: judgement ? presentJudgement(judgement) : undefined,
    file: visible(discussion.file),
    side: side === 'old' ? side : undefined,
    startLine,
    endLine,
    commit: commit ?? undefined,
  };
}

/** The reason can quote names from the code and from comments. */
export function presentJudgement({ commit, reason, verdict }: NonNullable<Discussion['judgement']>) {
  return { verdict, commit, reason: excerpt(reason) };
}

function presentComment({
  piece: { comment, ...piece },
  text,
}: Shown<'reply' | 'conversation'>): ShownComment {
  return {
    commentId: comment.id,
    author: plainName(comment.author.name),
    writtenBy: comment.author.kind,
    createdAt: comment.createdAt,
    fixedIn: comment.fixedIn ?? undefined,
    body: text,
    bodyIsCut: text.length < piece.text.length || undefined,
  };
}

function presentVerdict({ piece: { verdict, ...piece }, text }: Shown<'verdict'>): ShownVerdict {
  return {
    by: plainName(verdict.author.name),
    verdict: verdict.verdict,
    at: verdict.createdAt,
    commit: verdict.commit ?? undefined,
    note: text === '' ? undefined : text,
    noteIsCut: text.length < piece.text.length || undefined,
  };
}
